import { join } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import { openPointed, openTable, stemOfName } from './pointed-table.ts'
import { connectToEngine } from './engine-connection.ts'
import { type VerifyOptions, verifyTable } from './integrity/verify-table.ts'
import { lancedb } from './native.ts'
import { cardTables, type StoreHead, imagesTable, metaTable, segmentStems } from './schemas.ts'
import {
  isEngine,
  isFolderThere,
  isRemote,
  namesIn,
  type StoreLocation,
  cannotBeWritten,
} from './store-location.ts'

export type StoreConnection = { readonly location: StoreLocation; readonly connection: Connection }

/** An open store at one commit. */
export type StoreAtHead = StoreConnection & { readonly head: StoreHead }

/** A commit of a store, which is connected to for what is not at hand. */
export type StateOfStore = Pick<StoreAtHead, 'location' | 'head'> & { connect(): Promise<Connection> }

export const storeOf = async ({ location, head, connect }: StateOfStore): Promise<StoreAtHead> => ({
  location,
  head,
  connection: await connect(),
})

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
export async function openMeta(store: StoreConnection): Promise<Table | null> {
  const { location, connection } = store
  const meta = await openShared(store, metaTable)
  if (meta === null && (isRemote(location) ? await namesTables(connection) : hasOtherTables(location)))
    throw new Error(`its table "${metaTable}" is gone`)
  return meta
}

/** Opens a table that several writers may make, or null when there is none; one of a folder once its files were verified. */
export async function openShared(
  { location, connection }: StoreConnection,
  name: string,
): Promise<Table | null> {
  // An engine makes a table of a name once.
  if (isEngine(location)) return openTable(connection, name)
  if (isRemote(location)) return openPointed(connection, name)
  await verifyTable(location, name)
  return openTable(connection, name)
}

/** Whether a table holds a segment of a search image. */
export const isSegmentTable = (name: string): boolean =>
  Object.values(segmentStems).includes(stemOfName(name))

const otherTables: readonly string[] = [...Object.values(cardTables), imagesTable]

const namesTables = async (connection: Connection): Promise<boolean> =>
  (await connection.tableNames()).some((name) => otherTables.includes(stemOfName(name)))

function hasOtherTables(location: StoreLocation): boolean {
  const names = namesIn(location)
  return otherTables.some((name) => names.includes(`${name}.lance`))
}

/** The tables of a folder that hold segments of search images. */
export const segmentsIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .map((name) => name.replace(/\.lance$/, ''))
    .filter(isSegmentTable)

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
 * @param purpose - to follow commits takes one that gives up after seconds, since it is asked again. To commit takes one that asks nothing twice: when the answer to a put is lost and the put is sent again,
 *   LanceDB takes the refusal for another writer's, and deletes files that its own commit, which was stored, names
 * @throws StoreError for `db://` without a key
 */
export async function connectTo(
  location: StoreLocation,
  purpose: keyof typeof optionsFor = 'read',
): Promise<Connection> {
  if (isEngine(location)) return connectToEngine(location)
  return lancedb.connect(location, isRemote(location) ? { storageOptions: optionsFor[purpose] } : {})
}

/** Left out are LanceDB's own: ten retries within three minutes. */
const optionsFor = {
  read: {},
  follow: { client_max_retries: '4', client_retry_timeout: '6' },
  commit: { client_max_retries: '0' },
} as const

/** Does something with a connection of its own. */
export async function connected<T>(
  location: StoreLocation,
  use: (store: StoreConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(location)
  try {
    return await use({ location, connection })
  } finally {
    connection.close()
  }
}

/** Opens a table at the version that the head names. @throws DamagedFileError when a file of it was changed */
export async function openAtHead(
  { location, connection, head }: StoreAtHead,
  name: string,
  { untouched }: Pick<VerifyOptions, 'untouched'> = {},
): Promise<Table> {
  const version = versionAt(head, name)
  const stored = head.names[name] ?? name
  await verifyTable(location, stored, { version, ...(untouched && { untouched }) })
  const table = await connection.openTable(stored)
  // In object storage nobody writes to a table that a head names.
  if (!isRemote(location) || (await table.version()) !== version) await table.checkout(version)
  return table
}

/** The version that a head names of a table. @throws Error when it names none: that is damage */
export function versionAt({ versions }: StoreHead, name: string): number {
  const version = versions[name]
  if (version === undefined) throw new Error(`its head names no version of table "${name}"`)
  return version
}

/** Ids of all rows of a table that is closed then, in their order. */
export async function idsIn(table: Table): Promise<readonly string[]> {
  try {
    const rows = await table.query().select(['id']).toArrow()
    return [...(rows.getChild('id') ?? [])] as string[]
  } finally {
    table.close()
  }
}

/**
 * Deletes all tables of a store in object storage, of any name: nothing else lies there.
 *
 * @returns their names; none when there was no store
 * @throws StoreError when it cannot be read or written
 */
export async function dropStore(location: StoreLocation): Promise<readonly string[]> {
  try {
    return await connected(location, async ({ connection }) => {
      const names = await connection.tableNames({ limit: mostTables })
      for (const name of names) await connection.dropTable(name)
      return names
    })
  } catch (error) {
    throw cannotBeWritten(location, error)
  }
}

const mostTables = 100_000
