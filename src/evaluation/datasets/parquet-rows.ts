import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { DatasetError } from './dataset.ts'

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
    return rows.map((row) => jsonOf(row) as JsonObject)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatasetError(
      `${path}: cannot be read as parquet: ${reason}.`,
      'Delete the file and download it again.',
      { cause },
    )
  }
}

function jsonOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as Iterable<unknown>, jsonOf)
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, jsonOf(field)]))
  }
  return value as string | number | boolean
}
