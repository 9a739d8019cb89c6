import { InputError } from '../shared/input-error.ts'
import type { Table } from './csv.ts'

/** What a CSV cell may become. */
export type CellValue = string | number | boolean | null

/** One object per row. `typed` turns plain numbers, true, false and empty cells into their JSON values. */
export function rowsToObjects(
  { columns, rows }: Table,
  values: 'text' | 'typed',
): readonly { [column: string]: CellValue }[] {
  return rows.map((cells) =>
    Object.fromEntries(
      columns.map((column, index) => [column, values === 'text' ? cells[index]! : typed(cells[index]!)]),
    ),
  )
}

/** A table from objects; columns in order of first appearance. Lists and objects inside become JSON text. */
export function objectsToTable(objects: readonly { readonly [field: string]: unknown }[]): Table {
  const columns = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  if (columns.length === 0)
    throw new InputError('"rows" has no fields. Send objects such as {"name": "Ada", "age": 36}.')
  return { columns, rows: objects.map((object) => columns.map((column) => asCell(object[column]))) }
}

/** Leading zeros stay text: 007 and postcodes are no numbers. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

function typed(cell: string): CellValue {
  if (cell === '') return null
  if (cell === 'true' || cell === 'false') return cell === 'true'
  return plainNumber.test(cell) ? Number(cell) : cell
}

function asCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
