import { join } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import { verifyTable } from './integrity/verify-table.ts'
import { stemOfName, openPointed } from './commit/pointed-table.ts'
import { openTable } from './open-table.ts'
import { cardTables, type Head, imagesTable, metaTable } from './schemas.ts'
import { StoreError, isFolderThere, namesIn, isRemote, type StoreLocation } from './store-location.ts'

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
  const meta = await openShared(location, connection, metaTable)
  if (meta === null && (isRemote(location) ? await namesTables(connection) : hasOtherTables(location)))
    throw new Error(`its table "${metaTable}" is gone`)
  return meta
}

/** Opens a table that several writers may make, or null when there is none. */
export const openShared = (
  location: StoreLocation,
  connection: Connection,
  name: string,
): Promise<Table | null> =>
  isRemote(location) ? openPointed(connection, name) : openWhole(location, connection, name)

/** Opens a table of a folder, once its files were compared with what they were when they were written. */
async function openWhole(
  location: StoreLocation,
  connection: Connection,
  name: string,
): Promise<Table | null> {
  await verifyTable(location, name)
  return openTable(connection, name)
}

const otherTables: readonly string[] = [...Object.values(cardTables), imagesTable]

const namesTables = async (connection: Connection): Promise<boolean> =>
  (await connection.tableNames()).some((name) => otherTables.includes(stemOfName(name)))

function hasOtherTables(location: StoreLocation): boolean {
  const names = namesIn(location)
  return otherTables.some((name) => names.includes(`${name}.lance`))
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

/**
 * LanceDB is loaded when the first store is opened: a server that lists its tools needs none of it.
 *
 * @param purpose - to commit takes a connection that asks nothing twice: when the answer to a put is lost and the put is sent again,
 *   LanceDB takes the refusal for another writer's, and deletes files that its own commit, which was stored, names
 * @throws StoreError for `db://`
 */
export async function connectTo(
  location: StoreLocation,
  purpose: 'read' | 'commit' = 'read',
): Promise<Connection> {
  if (/^db:/i.test(location)) throw unsupported(location)
  const { lancedb } = await import('./native.ts')
  if (purpose === 'read' || !isRemote(location)) return lancedb.connect(location)
  return lancedb.connect(location, { storageOptions: { client_max_retries: '0' } })
}

/** LanceDB Cloud and Enterprise compact tables themselves and keep no versions for us to commit to. */
const unsupported = (location: StoreLocation): StoreError =>
  new StoreError(
    `The store cannot be opened in ${location}: LanceDB Cloud and Enterprise (db://) are not supported.`,
    'Set AUDITION_HOME to a folder, or to object storage (s3://, gs://, az://).',
    { reason: 'LanceDB Cloud and Enterprise (db://) are not supported' },
  )

/** What a table of a head is called in the store. */
const nameInStore = ({ names }: Pick<Head, 'names'>, table: string): string => names[table] ?? table

/** Opens a table at the version that the head names. @throws DamagedFileError when a file of it was changed */
export async function openAtHead(
  location: StoreLocation,
  connection: Connection,
  head: Head,
  name: string,
  options?: Parameters<typeof verifyTable>[3],
): Promise<Table> {
  const version = head.versions[name]
  if (version === undefined) throw new Error(`its head names no version of table "${name}"`)
  await verifyTable(location, nameInStore(head, name), version, options)
  const table = await connection.openTable(nameInStore(head, name))
  await table.checkout(version)
  return table
}
