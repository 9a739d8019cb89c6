import { createRequire } from 'node:module'
import { once } from '../../domain/once.ts'
import type { Output } from '../terminal.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { fitText, textWidth, wrapText } from './text.ts'

/** Loaded for the first table that is drawn: most commands draw one at their end, and none for `--json`. */
const tableClass = once(() => createRequire(import.meta.url)('cli-table3') as typeof import('cli-table3'))

/** A column of a table for people. */
export type Column = {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** The least width that still says something. Absent: the column is never cut, as ids and numbers must not be. */
  readonly least?: number
  /** What becomes of a cell that is too wide; where rows become blocks, one that is cut may take a few lines. @defaultValue 'cut' */
  readonly overflow?: 'cut' | 'wrap'
  /** Marks the column that names the row. */
  readonly paint?: (text: string) => string
}

/** A column with what stands in it, of any text: it is made printable. */
export type Cells<Row> = Column & { readonly of: (row: Row, at: number) => string | number }

export const left = <Row>(
  title: string,
  of: Cells<Row>['of'],
  look: Omit<Column, 'title' | 'align'> = {},
): Cells<Row> => ({ title, of, ...look })

export const right = <Row>(title: string, of: Cells<Row>['of']): Cells<Row> => ({
  title,
  of,
  align: 'right',
})

/** Rows as a table; see {@link tableLines}. */
export const tableOf = <Row>(
  rows: readonly Row[],
  output: Output,
  columns: readonly Cells<Row>[],
): readonly string[] =>
  tableLines(
    columns,
    rows.map((row, at) => columns.map(({ of }) => printableLine(String(of(row, at))))),
    output,
  )

const gap = 2
/** Lines of a cell that may be cut, where rows become blocks. */
const linesOfCut = 3
/** Room of a table when nothing says how wide the terminal is. */
const widthOfNoTerminal = 120

/**
 * Draws rows as a borderless table that fits the terminal; where it is too narrow, each row becomes a small block.
 * Cells must be printable single lines.
 *
 * @returns lines without a line break at the end; empty when there are no rows
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  output: Output,
): readonly string[] {
  if (rows.length === 0) return []
  const room = output.columns ?? widthOfNoTerminal
  const needs = columns.map(({ title, least }, index) => {
    const natural = Math.max(textWidth(title), ...rows.map((row) => textWidth(row[index] ?? '')))
    return { natural, least: least ?? natural }
  })
  const widths = fitColumns(needs, room - gap * (columns.length - 1))
  return widths === null ? blocks(columns, rows, room) : drawn({ columns, rows, widths }, output)
}

function drawn(
  {
    columns,
    rows,
    widths,
  }: {
    readonly columns: readonly Column[]
    readonly rows: readonly (readonly string[])[]
    readonly widths: readonly number[]
  },
  output: Output,
): readonly string[] {
  const table = new (tableClass())({
    chars: { ...noBorders, middle: ' '.repeat(gap) },
    colAligns: columns.map(({ align }) => align ?? 'left'),
    colWidths: [...widths],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  table.push(columns.map(({ title }, index) => output.paint.dim(fitText(title, widths[index]!))))
  for (const row of rows) {
    const cells = columns.map(({ overflow }, index) => {
      const cell = row[index] ?? ''
      return overflow === 'wrap' ? wrapText(cell, widths[index]!) : [fitText(cell, widths[index]!)]
    })
    const height = Math.max(...cells.map((lines) => lines.length))
    for (let line = 0; line < height; line += 1) {
      table.push(columns.map(({ paint }, index) => painted(cells[index]![line] ?? '', paint)))
    }
  }
  return table.toString().split('\n').map(withoutPadding)
}

/** Each row as a line with its id and the rest below, for terminals too narrow for columns. */
function blocks(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  room: number,
): readonly string[] {
  const id = Math.max(
    0,
    columns.findIndex(({ paint }) => paint !== undefined),
  )
  return rows.flatMap((row) => [
    row
      .slice(0, id + 1)
      .map((cell, index) => (columns[index]?.paint ?? plain)(cell))
      .join(' '),
    ...columns.slice(id + 1).flatMap((column, index) => {
      const cell = row[id + 1 + index] ?? ''
      return cell === '' ? [] : labelledLines(column, cell, room - 2).map((line) => `  ${line}`)
    }),
  ])
}

function labelledLines({ title, least, overflow }: Column, cell: string, room: number): readonly string[] {
  const labelled = `${title}: ${cell}`
  if (least === undefined) return [labelled]
  const lines = wrapText(labelled, room)
  if (overflow === 'wrap' || lines.length <= linesOfCut) return lines
  return [...lines.slice(0, linesOfCut - 1), fitText(lines.slice(linesOfCut - 1).join(' '), room)]
}

const plain = (text: string): string => text

const painted = (cell: string, paint: Column['paint']): string => (cell === '' ? '' : (paint ?? plain)(cell))

/** Without the spaces that pad the last column; they may stand before the code that ends a colour. */
const withoutPadding = (line: string): string => line.replace(/(?<! ) +((?:\u001b\[\d+m)*)$/u, '$1')

const noBorders = Object.fromEntries(
  [
    'top top-mid top-left top-right',
    'bottom bottom-mid bottom-left bottom-right',
    'left left-mid mid mid-mid right right-mid',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [name, '']),
)

/** A column of a table: what its widest cell needs, and the least it can do with. */
type ColumnNeed = {
  /** Columns of the terminal its widest cell takes. Integer >= 0. */
  readonly natural: number
  /** The least that still says something; `natural` or more means that it never shrinks. */
  readonly least: number
}

/**
 * Shares a terminal's width between columns. No column gets more than it needs; when the room is short, the widest
 * give first, evenly, and none below its least.
 *
 * @param total - the room for all columns, gaps not counted
 * @returns one width per column, or null when even the least of all does not fit: lay the rows out otherwise
 */
export function fitColumns(needs: readonly ColumnNeed[], total: number): readonly number[] | null {
  const least = needs.map(({ natural, least }) => Math.min(natural, least))
  if (sum(least) > total) return null
  const widths = needs.map(({ natural }) => natural)
  let excess = sum(widths) - total
  while (excess > 0) {
    const givers = widths.map((_, index) => index).filter((index) => widths[index]! > least[index]!)
    const widest = Math.max(...givers.map((index) => widths[index]!))
    const tops = givers.filter((index) => widths[index] === widest)
    const next = Math.max(
      ...givers.filter((index) => widths[index]! < widest).map((index) => widths[index]!),
      ...tops.map((index) => least[index]!),
    )
    for (const index of tops) {
      const give = Math.min(widest - next, Math.ceil(excess / tops.length), excess)
      widths[index] = widest - give
      excess -= give
    }
  }
  return widths
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
