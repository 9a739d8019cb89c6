import { join } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import type { SourceState } from '../../catalog/ports.ts'
import type { SourceReview } from '../../catalog/review/source-review.ts'
import {
  cardTables,
  type Head,
  headKey,
  imagesTable,
  type MetaRow,
  metaTable,
  storeLayout,
} from './schemas.ts'
import { StoreError } from './store-error.ts'
import { isFolderThere, namesIn } from './store-folder.ts'

/** Where the store lies: a local folder, or a URL LanceDB understands (`s3://`, `gs://`, `az://`, `db://`). */
export type StoreLocation = string

export const isRemote = (location: StoreLocation): boolean => /^[a-z0-9]+:\/\//i.test(location)

/**
 * Whether a local store was ever written; a remote one is asked by opening it. The meta table is made first of all: one
 * without any version, beside no other table, is of a run that was killed as it began.
 *
 * @throws StoreError when what stands there cannot be opened
 */
export function mayExist(location: StoreLocation): boolean {
  if (isRemote(location)) return true
  return isFolderThere(location) && (hasVersion(location, metaTable) || hasOtherTables(location))
}

/**
 * Opens the meta table; null when nothing was ever indexed.
 *
 * @throws Error when it is gone and the tables it named are there: that must not look like an empty store
 */
export async function openMeta(location: StoreLocation, connection: Connection): Promise<Table | null> {
  const meta = await openTable(connection, metaTable)
  if (meta === null && !isRemote(location) && hasOtherTables(location))
    throw new Error(`its table "${metaTable}" is gone`)
  return meta
}

function hasOtherTables(location: StoreLocation): boolean {
  const names = namesIn(location)
  return [...Object.values(cardTables), imagesTable].some((name) => names.includes(`${name}.lance`))
}

/**
 * Whether a table of a local store was ever made: a folder without versions and data is of a process that was killed, or found the
 * disk full, as it began.
 *
 * @throws StoreError when what stands there cannot be opened
 */
export function isMade(location: StoreLocation, table: string): boolean {
  if (!isFolderThere(location)) return false
  return hasVersion(location, table) || namesIn(join(location, `${table}.lance`, 'data')).length > 0
}

const hasVersion = (location: StoreLocation, table: string): boolean =>
  namesIn(join(location, `${table}.lance`, '_versions')).some((name) => name.endsWith('.manifest'))

/** LanceDB is loaded when the first store is opened: a server that lists its tools needs none of it. */
export async function connectTo(location: StoreLocation): Promise<Connection> {
  const { lancedb } = await import('./native.ts')
  return lancedb.connect(location)
}

/** The value of a quoted SQL string. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Opens a table, or null when there is none. One that is there and damaged is an error: it must not look like none. */
export async function openTable(connection: Connection, name: string): Promise<Table | null> {
  try {
    return await connection.openTable(name)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(`Table '${name}' was not found`)) return null
    throw error
  }
}

/** Opens a table at the version that the head names. */
export async function openAtHead(connection: Connection, head: Head, name: string): Promise<Table> {
  const version = head.versions[name]
  if (version === undefined) throw new Error(`its head names no version of table "${name}"`)
  const table = await connection.openTable(name)
  await table.checkout(version)
  return table
}

/** @throws StoreError when a newer Audition wrote the store */
export async function readHead(meta: Table): Promise<Head | null> {
  const [row] = (await meta
    .query()
    .where(`key = ${quoted(headKey)}`)
    .limit(1)
    .toArray()) as { value: string }[]
  if (row === undefined) return null
  const head = JSON.parse(row.value) as Head
  if (head.layout > storeLayout) {
    const reason = `written by a newer Audition (layout ${head.layout}, this one reads ${storeLayout})`
    throw new StoreError(
      `The store was ${reason}. Update Audition, or point AUDITION_HOME at another folder.`,
      `it was ${reason}`,
    )
  }
  return head
}

/** What the store remembers of its sources, by id. */
export async function readSources(meta: Table): Promise<SourceState[]> {
  const states = (await valuesOf(meta, 'source:')) as SourceState[]
  return states.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** What is held of the sources and was decided about them, by key. */
export async function readReviews(meta: Table): Promise<SourceReview[]> {
  const reviews = (await valuesOf(meta, 'review:')) as SourceReview[]
  return reviews.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** An empty value is a row of something that is gone. */
async function valuesOf(meta: Table, prefix: string): Promise<unknown[]> {
  const rows = (await meta.query().where(`key LIKE '${prefix}%'`).toArray()) as MetaRow[]
  return rows.filter(({ value }) => value !== '').map(({ value }) => JSON.parse(value) as unknown)
}
