import type { Connection, Table } from '@lancedb/lancedb'
import { type CatalogReader, type CatalogSnapshot, NoIndexError } from '../../retrieval/ports.ts'
import { connectTo, mayExist, openTable, readHead, readSources, type StoreLocation } from './connection.ts'
import { metaTable } from './schemas.ts'
import { openSnapshot } from './snapshot.ts'

/** How a store is read. */
export type ReaderOptions = {
  /** Longest time a commit of another process may stay unseen, in milliseconds. @defaultValue 1000 */
  readonly recheckMs?: number
  /** @defaultValue Date.now */
  readonly clock?: () => number
}

/** Reads a LanceDB store, and follows the commits of other processes. */
export function lanceReader(location: StoreLocation, options: ReaderOptions = {}): CatalogReader {
  const { recheckMs = 1000, clock = Date.now } = options
  let connection: Connection | null = null
  let meta: Table | null = null
  let current: CatalogSnapshot | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<CatalogSnapshot> | null = null

  const open = async (): Promise<Table> => {
    if (!mayExist(location)) throw new NoIndexError('Nothing is indexed yet. Run: audition index')
    connection ??= await connectTo(location)
    meta ??= await openTable(connection, metaTable)
    if (meta === null) throw new NoIndexError('Nothing is indexed yet. Run: audition index')
    await meta.checkoutLatest()
    return meta
  }

  const check = async (): Promise<CatalogSnapshot> => {
    const head = await readHead(await open())
    if (head === null) throw new NoIndexError('Nothing is indexed yet. Run: audition index')
    if (current?.generation !== head.generation) current = await openSnapshot(connection!, head)
    checkedAt = clock()
    return current
  }

  return {
    snapshot(freshness) {
      if (freshness !== 'now' && current !== null && clock() - checkedAt < recheckMs)
        return Promise.resolve(current)
      checking ??= check().finally(() => {
        checking = null
      })
      return checking
    },
    async sources() {
      try {
        return await readSources(await open())
      } catch (error) {
        if (error instanceof NoIndexError) return []
        throw error
      }
    },
    async close() {
      await checking?.catch(() => undefined)
      meta?.close()
      connection?.close()
      current = null
      connection = null
      meta = null
    },
  }
}
