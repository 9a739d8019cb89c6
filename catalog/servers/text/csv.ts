import { InputError } from '../shared/input-error.ts'

/** A table with a header. Every row has as many cells as there are columns. */
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }

/**
 * Reads CSV as RFC 4180 has it: cells may be quoted, quotes inside are doubled, quoted cells may hold line breaks.
 * The first line names the columns; blank lines are skipped.
 *
 * @param delimiter - one character
 * @throws InputError with the line of the fault
 */
export function readCsv(text: string, delimiter: string): Table {
  const records = recordsOf(text.replace(/^\uFEFF/, ''), delimiter)
  const header = records[0]
  if (header === undefined)
    throw new InputError('"csv" is empty. Send a header line and rows, for example "name,age\\nAda,36".')
  const columns = header.cells.map((name) => name.trim())
  const twice = columns.find((name, index) => columns.indexOf(name) !== index)
  if (twice !== undefined)
    throw new InputError(`"csv": the header names column "${twice}" twice. Rename one of them.`)
  for (const { cells, line } of records.slice(1)) {
    if (cells.length !== columns.length) {
      throw new InputError(
        `"csv", line ${line}: ${cells.length} cells where the header has ${columns.length}. ` +
          'Quote cells that hold the delimiter, or send the right "delimiter".',
      )
    }
  }
  return { columns, rows: records.slice(1).map(({ cells }) => cells) }
}

/** Writes CSV with line feeds; cells are quoted where they must be. A table of one column quotes empty cells. */
export function writeCsv({ columns, rows }: Table, delimiter: string): string {
  const mustQuote = (cell: string) =>
    cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) || (cell === '' && columns.length === 1)
  const write = (cell: string) => (mustQuote(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return [columns, ...rows].map((cells) => cells.map(write).join(delimiter)).join('\n')
}

/** Position of a column. @throws InputError that lists the columns */
export function columnIndex({ columns }: Table, name: string): number {
  const exact = columns.indexOf(name.trim())
  const index =
    exact >= 0 ? exact : columns.findIndex((column) => column.toLowerCase() === name.trim().toLowerCase())
  if (index < 0) throw new InputError(`There is no column "${name}". Send one of: ${columns.join(', ')}.`)
  return index
}

type CsvRecord = { readonly cells: readonly string[]; readonly line: number }

function recordsOf(text: string, delimiter: string): readonly CsvRecord[] {
  const records: CsvRecord[] = []
  let cells: string[] = []
  let cell = ''
  let line = 1
  let began = 1
  let isQuoted = false
  let wasQuoted = false

  const endCell = () => {
    cells.push(cell)
    cell = ''
    wasQuoted = false
  }
  const endRecord = () => {
    const isBlank = cells.length === 0 && cell === '' && !wasQuoted
    if (!isBlank) {
      endCell()
      records.push({ cells, line: began })
    }
    cells = []
    began = line
  }

  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && cell === '' && !wasQuoted) {
      isQuoted = true
      wasQuoted = true
    } else if (sign === delimiter) endCell()
    else if (sign === '\n') endRecord()
    else if (sign === '\r' && text[at + 1] === '\n') continue
    else cell += sign
  }
  if (isQuoted)
    throw new InputError(
      `"csv": the quote opened in the row of line ${began} is never closed. Close it with ".`,
    )
  endRecord()
  return records
}
