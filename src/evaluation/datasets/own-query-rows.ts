import { CsvError, parse } from 'csv-parse/sync'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { DatasetError } from './dataset.ts'
import { firstRecordOf, jsonLinesOf, jsonOf, openFile } from './files.ts'

/** A row of a user's file, and where it stands, for errors. */
export type OwnRow = { readonly where: string; readonly record: JsonObject }

/**
 * Rows of a user's file of queries. The format goes by the file's ending; column names of CSV are read in any case.
 *
 * @param needed - columns that CSV must have
 * @throws DatasetError that names the line which cannot be read, or the column that is missing
 */
export function ownRows(path: string, needed: readonly string[] = ['query', 'expected']): readonly OwnRow[] {
  const rows = /\.(?:csv|tsv)(?:\.gz)?$/i.test(path) ? csvRows(path, needed) : jsonRows(path)
  if (rows.length === 0) throw new DatasetError(`${path}: no query is in it.`, 'Write one query a row.')
  return rows
}

/** Whether a file looks like one: its first row has a query, and says what is expected. */
export function looksLikeOwnQueries(path: string): boolean {
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(path)) {
    const [header = ''] = readText(path).split(/\r?\n/, 1)
    const columns = header.split(/[,;\t]/).map(columnName)
    return columns.includes('query') && columns.includes('expected')
  }
  if (!/\.(?:jsonl|ndjson|json)(?:\.gz)?$/i.test(path)) return false
  const first = /\.json(?:\.gz)?$/i.test(path) ? firstOfArray(path) : firstRecordOf(path)
  return first !== undefined && typeof first.query === 'string' && 'expected' in first
}

function csvRows(path: string, needed: readonly string[]): readonly OwnRow[] {
  const text = openFile(path).text
  const [header = ''] = text.split(/\r?\n/, 1)
  try {
    const parsed: { readonly record: JsonObject; readonly info: { readonly lines: number } }[] = parse(text, {
      columns: (names: string[]) => columnsOf(path, names, needed),
      delimiter: delimiterOf(header),
      info: true,
      bom: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    })
    return parsed.map(({ record, info }) => ({ where: `${path}, line ${info.lines}`, record }))
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new DatasetError(
      `${path}: ${cause.message}.`,
      'Quote fields that hold a comma, a quote or a line break, and give every row as many fields as the header.',
      { cause },
    )
  }
}

function columnsOf(path: string, names: readonly string[], needed: readonly string[]): string[] {
  const columns = names.map(columnName)
  const missing = needed.find((name) => !columns.includes(name))
  if (missing === undefined) return columns
  throw new DatasetError(
    `${path}: the header has no column "${missing}" (it has: ${columns.join(', ')}).`,
    `The first line names the columns: ${needed.join(', ')}, and if you like grade, id, group, kind.`,
  )
}

const columnName = (name: string): string =>
  name
    .replace(/^\ufeff/, '')
    .replace(/^"(.*)"$/, '$1')
    .trim()
    .toLowerCase()

/** The separator that the header has most of. */
const delimiterOf = (header: string): string =>
  [',', ';', '\t']
    .map((sign) => ({ sign, count: header.split(sign).length }))
    .sort((a, b) => b.count - a.count)[0]!.sign

function jsonRows(path: string): readonly OwnRow[] {
  if (!/\.json(?:\.gz)?$/i.test(path)) {
    return jsonLinesOf(path).map((record, index) => ({ where: `${path}, record ${index + 1}`, record }))
  }
  const json = jsonOf(path)
  if (!Array.isArray(json)) {
    throw new DatasetError(
      `${path}: not a JSON array.`,
      'Write a list of objects with "query" and "expected".',
    )
  }
  return json.map((record, index) => {
    if (isJsonObject(record)) return { where: `${path}[${index}]`, record }
    throw new DatasetError(
      `${path}[${index}]: not an object.`,
      'Write an object with "query" and "expected".',
    )
  })
}

function firstOfArray(path: string): JsonObject | undefined {
  try {
    const json = openFile(path).json()
    return Array.isArray(json) && isJsonObject(json[0]) ? json[0] : undefined
  } catch {
    return undefined // not a text: some other format
  }
}

function readText(path: string): string {
  try {
    return openFile(path).text
  } catch {
    return '' // not a text: some other format
  }
}
