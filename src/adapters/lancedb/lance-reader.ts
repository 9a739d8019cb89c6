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
  const store = new FollowedStore(location)
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<CatalogSnapshot> | null = null
  let next: Promise<CatalogSnapshot> | null = null

  const check = async (): Promise<CatalogSnapshot> => {
    const snapshot = await store.attempt(() => store.newest())
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

  return {
    snapshot(freshness) {
      if (freshness === 'now') return checkAfresh()
      if (store.snapshot !== null && clock() - checkedAt < recheckMs) return Promise.resolve(store.snapshot)
      return checking ?? startCheck()
    },
    sources: () => store.ofHead(readSources),
    reviews: () => store.ofHead(readReviews),
    async close() {
      await (next ?? checking)?.catch(() => undefined)
      store.close()
    },
  }
}

/** A store that is opened when it is read, and again after a failure. */
class FollowedStore {
  readonly #location: StoreLocation
  #opened: { readonly connection: Connection; readonly meta: Table } | null = null
  /** The snapshot that was opened last, and the store that it is of. */
  #current: { readonly store: string; readonly snapshot: CatalogSnapshot } | null = null

  constructor(location: StoreLocation) {
    this.#location = location
  }

  get snapshot(): CatalogSnapshot | null {
    return this.#current?.snapshot ?? null
  }

  async #open() {
    const location = this.#location
    if (!mayExist(location)) throw new NoIndexError()
    if (this.#opened === null) {
      const connection = await connectTo(location)
      const meta = await openMeta({ location, connection })
      if (meta === null) {
        connection.close()
        throw new NoIndexError()
      }
      this.#opened = { connection, meta }
    } else await verifyTable(location, metaTable)
    await this.#opened.meta.checkoutLatest()
    return this.#opened
  }

  #disconnect(): void {
    this.#opened?.meta.close()
    this.#opened?.connection.close()
    this.#opened = null
  }

  /** A failed attempt opens the store anew: somebody may have put another one in its place. */
  async attempt<T>(read: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        return await readingStore(this.#location, read)
      } catch (error) {
        this.#disconnect()
        if (!(error instanceof StoreError) || count === mostAttempts) throw error
      }
    }
  }

  async newest(): Promise<CatalogSnapshot> {
    const { connection, meta } = await this.#open()
    const head = await readHead(meta)
    if (head === null) throw new NoIndexError()
    const current = this.#current
    if (current?.store === head.store && current.snapshot.generation === head.generation)
      return current.snapshot
    this.#current = null
    if (current !== null && current.store !== head.store) {
      // The connection remembers files of the former store by their names.
      this.#disconnect()
      return this.newest()
    }
    const snapshot = await openSnapshot({ location: this.#location, connection, head })
    this.#current = { store: head.store, snapshot }
    return snapshot
  }

  /** What the newest head says; nothing when nothing was ever indexed. */
  async ofHead<T>(read: (meta: Table, head: Head | null) => Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await this.attempt(async () => {
        const { meta } = await this.#open()
        return read(meta, await readHead(meta))
      })
    } catch (error) {
      if (error instanceof NoIndexError) return []
      throw error
    }
  }

  close(): void {
    this.#disconnect()
    this.#current = null
  }
}
