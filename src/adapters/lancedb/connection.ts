import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import type { SourceState } from '../../catalog/ports.ts'
import { type Head, headKey, type MetaRow, metaTable, storeLayout } from './schemas.ts'

/** Where the store lies: a local folder, or a URL LanceDB understands (`s3://`, `gs://`, `az://`, `db://`). */
export type StoreLocation = string

export const isRemote = (location: StoreLocation): boolean => /^[a-z0-9]+:\/\//i.test(location)

/** Whether a local store was ever written; a remote one is asked by opening it. */
export const mayExist = (location: StoreLocation): boolean =>
  isRemote(location) || existsSync(join(location, `${metaTable}.lance`))

/** LanceDB is loaded when the first store is opened: a server that lists its tools needs none of it. */
export async function connectTo(location: StoreLocation): Promise<Connection> {
  const { lancedb } = await import('./native.ts')
  return lancedb.connect(location)
}

/** The value of a quoted SQL string. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Opens a table, or null when there is none. */
export async function openTable(connection: Connection, name: string): Promise<Table | null> {
  try {
    return await connection.openTable(name)
  } catch (error) {
    if (error instanceof Error && /not found|does not exist|no such/i.test(error.message)) return null
    throw error
  }
}

/** The store was written by a newer Audition. */
export class StoreLayoutError extends Error {
  override readonly name = 'StoreLayoutError'
}

/** @throws StoreLayoutError when a newer Audition wrote the store */
export async function readHead(meta: Table): Promise<Head | null> {
  const [row] = (await meta
    .query()
    .where(`key = ${quoted(headKey)}`)
    .limit(1)
    .toArray()) as { value: string }[]
  if (row === undefined) return null
  const head = JSON.parse(row.value) as Head
  if (head.layout > storeLayout) {
    throw new StoreLayoutError(
      `The store was written by a newer Audition (layout ${head.layout}, this one reads ${storeLayout}). Update Audition, or point AUDITION_HOME at another folder.`,
    )
  }
  return head
}

/** What the store remembers of its sources, by id. */
export async function readSources(meta: Table): Promise<SourceState[]> {
  const rows = (await meta.query().where("key LIKE 'source:%'").toArray()) as MetaRow[]
  const states = rows.filter(({ value }) => value !== '').map(({ value }) => JSON.parse(value) as SourceState)
  return states.sort((a, b) => (a.id < b.id ? -1 : 1))
}
