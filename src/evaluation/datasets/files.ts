import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { SourceDocument } from '../../catalog/ports.ts'
import { DocumentError, openDocument } from '../../catalog/source-document.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { isFile, isFolder } from '../../domain/paths.ts'
import { DatasetError } from './dataset.ts'

/** The first of these names that exists in a folder, packed with gzip (`.gz`) or not, as a path. */
export function fileIn(folder: string, ...names: readonly string[]): string | undefined {
  const candidates = names.flatMap((name) => [join(folder, name), join(folder, `${name}.gz`)])
  return candidates.find((path) => existsSync(path))
}

/** Names of the entries of a folder in code unit order; none when it is no folder. */
export const namesIn = (folder: string): readonly string[] =>
  isFolder(folder) ? readdirSync(folder).sort() : []

/**
 * Opens a text file of a dataset, packed or not.
 *
 * @throws DatasetError when it cannot be read
 */
export function openFile(path: string): SourceDocument {
  try {
    return openDocument(path)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { file, message, remedy } = error.problem
    throw new DatasetError(`${file}: ${message}.`, remedy, { cause: error })
  }
}

/**
 * The JSON of a file.
 *
 * @throws DatasetError when it is none: a benchmark that was cut short must not become a smaller benchmark
 */
export function jsonOf(path: string): unknown {
  const json = openFile(path).json()
  if (json !== undefined) return json
  throw new DatasetError(`${path}: the file is not complete JSON.`, 'Download or export it again.')
}

/** The same for a file that must hold one object. */
export function jsonObjectOf(path: string): JsonObject {
  const json = jsonOf(path)
  if (isJsonObject(json)) return json
  throw new DatasetError(`${path}: the file is not one JSON object.`, 'Download or export it again.')
}

/**
 * Objects of a JSON Lines file, one a line that is not blank.
 *
 * @throws DatasetError that names the first line which is no JSON object
 */
export const jsonLinesOf = (path: string): readonly JsonObject[] =>
  numberedLinesOf(path).map(({ record }) => record)

/** The same, each with its line, from 1. */
export function numberedLinesOf(
  path: string,
): readonly { readonly line: number; readonly record: JsonObject }[] {
  return openFile(path)
    .text.split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return []
      const record = parsed(text)
      if (isJsonObject(record)) return [{ line: index + 1, record }]
      throw new DatasetError(
        `${path}, line ${index + 1}: not a complete JSON object.`,
        'Write one JSON object a line; if the file was downloaded, download it again.',
      )
    })
}

/** Records of a table in the forms that benchmarks are published in: parquet, JSON Lines, a JSON array, one object. */
export async function recordsOf(path: string): Promise<readonly JsonObject[]> {
  if (/\.parquet$/i.test(path)) return readParquetRows(path)
  if (/\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(path)) return jsonLinesOf(path)
  const json = jsonOf(path)
  if (Array.isArray(json) && json.every(isJsonObject)) return json
  if (isJsonObject(json)) return [json]
  throw new DatasetError(`${path}: the file is not a list of JSON objects.`, 'Download or export it again.')
}

/** The first record of a JSON Lines file, for recognising what it is; undefined when it has none. */
export function firstRecordOf(path: string): JsonObject | undefined {
  try {
    const { text } = openDocument(path)
    const record = parsed(text.trimStart().split('\n', 1)[0] ?? '')
    return isJsonObject(record) ? record : undefined
  } catch {
    return undefined // not a text: some other format
  }
}

/**
 * A fingerprint of files for the origin of a dataset: SHA-256 over names and contents, 12 hex digits. Where they lie
 * does not count.
 */
export function fingerprintOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of files) {
    const bytes = readFileSync(path)
    hash.update(`${basename(path)}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 12)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The files of a dataset in the cache of the Hugging Face hub: `datasets--<owner>--<name>/snapshots/<commit>`. Of several commits
 * that which `refs/main` names, else the newest.
 *
 * @returns undefined when the folder is no such dataset, or holds no snapshot
 */
export function hubSnapshot(folder: string): string | undefined {
  const snapshots = join(folder, 'snapshots')
  if (!basename(folder).startsWith('datasets--') || !isFolder(snapshots)) return undefined
  const main = join(folder, 'refs', 'main')
  const named = isFile(main) ? join(snapshots, basename(readFileSync(main, 'utf8').trim())) : undefined
  if (named !== undefined && named !== snapshots && isFolder(named)) return named
  const [newest] = readdirSync(snapshots)
    .map((name) => join(snapshots, name))
    .filter(isFolder)
    .map((path) => ({ path, changed: statSync(path).mtimeMs }))
    .sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1))
  return newest?.path
}

/** What the hub calls a dataset, without its owner, by the folder of its cache; undefined for any other folder. */
export const hubDatasetName = (folder: string): string | undefined =>
  /^datasets--(?!$)/.test(basename(folder)) ? basename(folder).split('--').at(-1) : undefined

/**
 * All rows of a parquet file, in order, as JSON would write them: 64-bit integers become numbers, dates ISO 8601 texts,
 * bytes base64. Pages may be plain or packed with Snappy, zstd, gzip or Brotli; LZ4 and LZO are not.
 *
 * @throws DatasetError when the file is missing, cut short, packed otherwise or no parquet
 */
export const readParquetRows = (path: string): Promise<readonly JsonObject[]> => rowsOf(path)

/** The first row, by which a table is recognised; undefined when it has none. */
export const firstParquetRow = async (path: string): Promise<JsonObject | undefined> =>
  (await rowsOf(path, 1))[0]

async function rowsOf(path: string, most?: number): Promise<readonly JsonObject[]> {
  try {
    const file = await asyncBufferFromFile(path)
    const range = most === undefined ? {} : { rowStart: 0, rowEnd: most }
    const rows = await parquetReadObjects({ file, compressors, ...range })
    return rows.map((row) => asJson(row) as JsonObject)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatasetError(
      `${path}: cannot be read as parquet: ${reason}.`,
      'Delete the file and download it again.',
      { cause },
    )
  }
}

function asJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as Iterable<unknown>, asJson)
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, asJson(field)]))
  }
  return value as string | number | boolean
}
