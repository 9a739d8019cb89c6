import { tidy } from '../shared/rounding.ts'
import { byCodeUnits } from './lines.ts'
import { columnIndex, type Table } from './csv.ts'

/** Comparisons a filter knows. Greater and less compare as numbers when both sides are numbers, else as text. */
export const operators = [
  'equals',
  'notEquals',
  'contains',
  'startsWith',
  'endsWith',
  'greater',
  'greaterOrEqual',
  'less',
  'lessOrEqual',
  'isEmpty',
  'isNotEmpty',
] as const
type Operator = (typeof operators)[number]

/** Rows of which a column's cell passes. Text is compared regardless of case. */
export function filterTable(table: Table, column: string, operator: Operator, value: string): Table {
  const index = columnIndex(table, column)
  return { ...table, rows: table.rows.filter((cells) => tests[operator](cells[index]!, value)) }
}

/** Rows by a column's cells; equal ones keep their order, empty cells come last. */
export function sortTable(
  table: Table,
  column: string,
  as: 'text' | 'number',
  direction: 'ascending' | 'descending',
): Table {
  const index = columnIndex(table, column)
  const sign = direction === 'ascending' ? 1 : -1
  const rows = [...table.rows].sort((left, right) => {
    const [a, b] = [left[index]!, right[index]!]
    const [x, y] = as === 'number' ? [numberIn(a), numberIn(b)] : [a === '' ? null : a, b === '' ? null : b]
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : byCodeUnits(String(x), String(y)))
  })
  return { ...table, rows }
}

/** Ways to make one number of a group's cells. Cells without a number are left out, except by `count`. */
export const aggregates = ['count', 'sum', 'average', 'min', 'max'] as const

/** One row per distinct value of a column, in order of first appearance. */
export function groupTable(table: Table, by: string, aggregate: (typeof aggregates)[number], column: string) {
  const key = columnIndex(table, by)
  const measured = columnIndex(table, column)
  const groups = new Map<string, (readonly string[])[]>()
  for (const cells of table.rows) groups.set(cells[key]!, [...(groups.get(cells[key]!) ?? []), cells])
  return [...groups].map(([group, rows]) => {
    const numbers = rows.map((cells) => numberIn(cells[measured]!)).filter((value) => value !== null)
    return { group, rows: rows.length, value: aggregateOf(aggregate, numbers, rows.length) }
  })
}

/** A cell as a number: `1,234.50`, `-3`, `12%` and currency signs are read; null for anything else. */
export function numberIn(cell: string): number | null {
  const plain = cell
    .trim()
    .replace(/^([-+]?)\s*[$€£¥]\s*/, '$1')
    .replace(/\s*[€%]$/, '')
  const ungrouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(ungrouped) ? Number(ungrouped) : null
}

function aggregateOf(
  aggregate: (typeof aggregates)[number],
  numbers: readonly number[],
  rows: number,
): number | null {
  if (aggregate === 'count') return rows
  if (numbers.length === 0) return null
  const sum = numbers.reduce((total, value) => total + value, 0)
  if (aggregate === 'sum') return tidy(sum)
  if (aggregate === 'average') return tidy(sum / numbers.length)
  return numbers.reduce((best, value) =>
    aggregate === 'min' ? Math.min(best, value) : Math.max(best, value),
  )
}

function compare(cell: string, value: string): number {
  const [a, b] = [numberIn(cell), numberIn(value)]
  return a !== null && b !== null ? a - b : byCodeUnits(cell.toLowerCase(), value.toLowerCase())
}

const tests: { readonly [operator in Operator]: (cell: string, value: string) => boolean } = {
  equals: (cell, value) => compare(cell, value) === 0,
  notEquals: (cell, value) => compare(cell, value) !== 0,
  contains: (cell, value) => cell.toLowerCase().includes(value.toLowerCase()),
  startsWith: (cell, value) => cell.toLowerCase().startsWith(value.toLowerCase()),
  endsWith: (cell, value) => cell.toLowerCase().endsWith(value.toLowerCase()),
  greater: (cell, value) => cell !== '' && compare(cell, value) > 0,
  greaterOrEqual: (cell, value) => cell !== '' && compare(cell, value) >= 0,
  less: (cell, value) => cell !== '' && compare(cell, value) < 0,
  lessOrEqual: (cell, value) => cell !== '' && compare(cell, value) <= 0,
  isEmpty: (cell) => cell.trim() === '',
  isNotEmpty: (cell) => cell.trim() !== '',
}
