import type { Connection, Table } from '@lancedb/lancedb'
import { type CatalogReader, type CatalogSnapshot, NoIndexError } from '../../retrieval/ports.ts'
import { connectTo, mayExist, openMeta } from './connection.ts'
import { readHead, readReviews, readSources } from './commit/head.ts'
import { verifyTable } from './integrity/verify-table.ts'
import { type Head, metaTable } from './schemas.ts'
import { openSnapshot } from './snapshot.ts'
import { readingStore, StoreError, type StoreLocation } from './store-location.ts'

/** How a store is read. */
type ReaderOptions = {
  /** Longest time a commit of another process may stay unseen, in milliseconds. @defaultValue 1000 */
  readonly recheckMs?: number
  /** Milliseconds that only ever grow: the time of day may be set back. @defaultValue performance.now */
  readonly clock?: () => number
}

/** A commit may take away what was about to be read; then its successor is. */
const mostAttempts = 3

/** Reads a LanceDB store, and follows the commits of other processes. */
export function lanceReader(location: StoreLocation, options: ReaderOptions = {}): CatalogReader {
  const { recheckMs = 1000, clock = () => performance.now() } = options
  let opened: { readonly connection: Connection; readonly meta: Table } | null = null
  let current: { readonly store: string; readonly snapshot: CatalogSnapshot } | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<CatalogSnapshot> | null = null
  let next: Promise<CatalogSnapshot> | null = null

  const open = async () => {
    if (!mayExist(location)) throw new NoIndexError()
    if (opened === null) {
      const connection = await connectTo(location)
      const meta = await openMeta(location, connection)
      if (meta === null) {
        connection.close()
        throw new NoIndexError()
      }
      opened = { connection, meta }
    } else await verifyTable(location, metaTable)
    await opened.meta.checkoutLatest()
    return opened
  }

  const close = (): void => {
    opened?.meta.close()
    opened?.connection.close()
    opened = null
  }

  /** A failed attempt opens the store anew: somebody may have put another one in its place. */
  const attempt = async <T>(read: () => Promise<T>): Promise<T> => {
    for (let count = 1; ; count++) {
      try {
        return await readingStore(location, read)
      } catch (error) {
        close()
        if (!(error instanceof StoreError) || count === mostAttempts) throw error
      }
    }
  }

  const newest = async (): Promise<CatalogSnapshot> => {
    const { connection, meta } = await open()
    const head = await readHead(meta)
    if (head === null) throw new NoIndexError()
    if (current?.store === head.store && current.snapshot.generation === head.generation)
      return current.snapshot
    const isReplaced = current !== null && current.store !== head.store
    current = null
    if (isReplaced) {
      // The connection remembers files of the former store by their names.
      close()
      return newest()
    }
    current = { store: head.store, snapshot: await openSnapshot(location, connection, head) }
    return current.snapshot
  }

  const check = async (): Promise<CatalogSnapshot> => {
    const snapshot = await attempt(newest)
    checkedAt = clock()
    return snapshot
  }

  const startCheck = (): Promise<CatalogSnapshot> => {
    const started = check().finally(() => {
      if (checking === started) checking = null
    })
    checking = started
    return started
  }

  /** A check under way may have read the head already: this one begins after it, and serves all that wait for it. */
  const checkAfresh = (): Promise<CatalogSnapshot> => {
    next ??= (checking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        next = null
        return startCheck()
      })
    return next
  }

  const orNone = async <T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await attempt(read)
    } catch (error) {
      if (error instanceof NoIndexError) return []
      throw error
    }
  }

  const ofHead = async <T>(
    read: (meta: Table, head: Head | null) => Promise<readonly T[]>,
  ): Promise<readonly T[]> => {
    const { meta } = await open()
    return read(meta, await readHead(meta))
  }

  return {
    snapshot(freshness) {
      if (freshness === 'now') return checkAfresh()
      if (current !== null && clock() - checkedAt < recheckMs) return Promise.resolve(current.snapshot)
      return checking ?? startCheck()
    },
    sources: () => orNone(() => ofHead(readSources)),
    reviews: () => orNone(() => ofHead(readReviews)),
    async close() {
      await (next ?? checking)?.catch(() => undefined)
      close()
      current = null
    },
  }
}
