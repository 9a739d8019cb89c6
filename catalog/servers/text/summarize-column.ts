import { summarize } from '../arithmetic/statistics.ts'
import { columnIndex, type Table } from './csv.ts'
import { byCodeUnits } from './lines.ts'
import { numberIn } from './query-table.ts'

/** What a column holds. `numeric` is null unless every cell that is not empty is a number. */
export function summarizeColumn(table: Table, column: string) {
  const index = columnIndex(table, column)
  const cells = table.rows.map((row) => row[index]!)
  const filled = cells.filter((cell) => cell.trim() !== '')
  const numbers = filled.map(numberIn).filter((value) => value !== null)
  const isNumeric = filled.length > 0 && numbers.length === filled.length
  const counts = new Map<string, number>()
  for (const cell of filled) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnits(a, b))
  return {
    column: table.columns[index]!,
    rows: cells.length,
    empty: cells.length - filled.length,
    distinct: counts.size,
    mostFrequent: byCount.slice(0, 10).map(([value, count]) => ({ value, count })),
    numeric: isNumeric ? numericPart(numbers) : null,
  }
}

function numericPart(numbers: readonly number[]) {
  const { sum, mean, median, min, max, sampleStandardDeviation } = summarize(numbers)
  return { sum, mean, median, min, max, sampleStandardDeviation }
}
