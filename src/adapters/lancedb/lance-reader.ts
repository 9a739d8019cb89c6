import type { Connection, Table } from '@lancedb/lancedb'
import { opener } from '../../domain/once.ts'
import { type CatalogReader, type CatalogSnapshot, NoIndexError } from '../../retrieval/ports.ts'
import { readHead, type States, statesReader } from './head.ts'
import { connectTo, mayExist, openMeta } from './connection.ts'
import { openEngineSnapshot } from './engine/engine-snapshot.ts'
import { verifyTable } from './integrity/verify-table.ts'
import { besideSearches } from './replica/beside-searches.ts'
import { copiedHead } from './replica/copied-head.ts'
import { type DiskCache, diskCache } from './replica/disk-cache.ts'
import { type StoreHead, metaTable } from './schemas.ts'
import { openSnapshot } from './snapshot.ts'
import {
  isEngine,
  isRemote,
  readingStore,
  recheckMsOf,
  StoreError,
  type StoreLocation,
} from './store-location.ts'

/** How a store is read. */
type ReaderOptions = {
  /** Longest time a commit of another process may stay unseen, in milliseconds. @defaultValue 1000; for a replica 2000, of an engine 5000 */
  readonly recheckMs?: number
  /** Milliseconds that only ever grow: the time of day may be set back. @defaultValue performance.now */
  readonly clock?: () => number
  /**
   * Reads a store of object storage as a replica does: what a search reads is copied to this machine, news is looked for beside the
   * searches, and while there is none to be had they are made on the last state. @defaultValue each search looks for news itself
   */
  readonly replica?: {
    /** Where the copies lie; of several stores and processes. */
    readonly folder: string
    /** Told of the store becoming unreachable, and of it being back. */
    readonly tell: (line: string) => void
  }
}

/** A commit may take away what was about to be read; then its successor is. */
const mostAttempts = 3

/** Reads a LanceDB store, and follows the commits of other processes. */
export function lanceReader(location: StoreLocation, options: ReaderOptions = {}): CatalogReader {
  const { clock = () => performance.now() } = options
  const replica = isRemote(location) && !isEngine(location) ? options.replica : undefined
  const { recheckMs = replica ? 2000 : recheckMsOf(location) } = options
  const store = new FollowedStore(location, replica ? diskCache(replica.folder) : null)
  const checks = storeChecks(store, clock, replica !== undefined)

  const beside =
    replica &&
    besideSearches({
      look: checks.current,
      opened: () => store.snapshot,
      openCopied: () => store.openCopied(),
      everyMs: recheckMs,
      clock,
      tell: (line) => replica.tell(`the store in ${location} ${line}`),
    })

  return {
    snapshot(freshness) {
      if (freshness === 'now') return checks.afresh()
      if (beside) return beside.snapshot()
      if (store.snapshot !== null && checks.age() < recheckMs) return Promise.resolve(store.snapshot)
      return checks.current()
    },
    sources: async () => (await store.states()).sources,
    reviews: async () => (await store.states()).reviews,
    ...(beside && { age: beside.age }),
    async close() {
      beside?.close()
      await checks.last()?.catch(() => undefined)
      store.close()
    },
  }
}

/** Checks whether a store has something newer, one at a time. */
function storeChecks(store: FollowedStore, clock: () => number, isReplica: boolean) {
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<CatalogSnapshot> | null = null
  let next: Promise<CatalogSnapshot> | null = null

  const check = async (): Promise<CatalogSnapshot> => {
    // Whoever has something to answer by is asked again soon, and may say now that there is no news.
    const attempts =
      isReplica && (store.snapshot !== null || (await store.copied()) !== null) ? 1 : mostAttempts
    const snapshot = await store.attempt(() => store.newest(), attempts)
    checkedAt = clock()
    return snapshot
  }

  const start = (): Promise<CatalogSnapshot> => {
    const started = check().finally(() => {
      if (checking === started) checking = null
    })
    checking = started
    return started
  }

  return {
    /** Milliseconds since the last one. */
    age: () => clock() - checkedAt,
    /** The one under way, or one that begins now. */
    current: () => checking ?? start(),
    /** A check under way may have read the head already: this one begins after it, and serves all that wait for it. */
    afresh(): Promise<CatalogSnapshot> {
      next ??= (checking ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => {
          next = null
          return start()
        })
      return next
    },
    /** The one that ends last, of those under way. */
    last: () => next ?? checking,
  }
}

/** A store that is opened when it is read, and again after a failure. */
class FollowedStore {
  readonly #location: StoreLocation
  /** Of a replica, and what it keeps of the newest head. */
  readonly #cache: DiskCache | null
  readonly #copy: ReturnType<typeof copiedHead> | null
  #opened: { readonly connection: Connection; readonly meta: Table } | null = null
  /** The newest head that a replica read, and the version of the table that holds it: that table has a name that no other gets. */
  #seen: { readonly version: number; readonly head: StoreHead } | null = null
  /** The snapshot that was opened last, and the head that it is of. */
  #current: { readonly head: StoreHead; readonly snapshot: CatalogSnapshot } | null = null
  /** What a replica read of states last. */
  #states: States | null = null
  /** The connection of a snapshot that was opened from copies, for what is missing there. */
  readonly #late = opener(() => connectTo(this.#location, 'follow'))
  readonly #readStates = statesReader()

  constructor(location: StoreLocation, cache: DiskCache | null) {
    this.#location = location
    this.#cache = cache
    this.#copy = cache && copiedHead(cache, location)
  }

  get snapshot(): CatalogSnapshot | null {
    return this.#current?.snapshot ?? null
  }

  async #open() {
    const location = this.#location
    if (!mayExist(location)) throw new NoIndexError()
    if (this.#opened === null) {
      const connection = await connectTo(location, this.#cache === null ? 'read' : 'follow')
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
    this.#seen = null
  }

  /** A failed attempt opens the store anew: somebody may have put another one in its place. */
  async attempt<T>(read: () => Promise<T>, most = mostAttempts): Promise<T> {
    for (let count = 1; ; count++) {
      try {
        return await readingStore(this.#location, read)
      } catch (error) {
        this.#disconnect()
        if (!(error instanceof StoreError) || count >= most) throw error
      }
    }
  }

  async newest(): Promise<CatalogSnapshot> {
    const { connection, meta } = await this.#open()
    const head = await this.#headIn(meta)
    const current = this.#current
    if (current?.head.store === head.store && current.head.generation === head.generation) {
      await this.#copyHead(meta, head)
      return current.snapshot
    }
    // A replica has room for both: searches go on by the one while the other is opened.
    if (this.#cache === null) this.#current = null
    if (current !== null && current.head.store !== head.store) {
      // The connection remembers files of the former store by their names.
      this.#current = null
      this.#disconnect()
      return this.newest()
    }
    const store = { location: this.#location, head, connection, connect: async () => connection }
    const snapshot = isEngine(store.location)
      ? await openEngineSnapshot(store, meta)
      : await openSnapshot(store, { cache: this.#cache, former: current })
    this.#current = { head, snapshot }
    await this.#copyHead(meta, head)
    return snapshot
  }

  async #copyHead(meta: Table, head: StoreHead): Promise<void> {
    if (this.#copy?.isDue(head) !== true) return
    this.#states = await this.#readStates(meta, head)
    await this.#copy.write(head, this.#states)
  }

  /** The newest head that this machine has seen; null without any. */
  copied = async () => (await this.#copy?.read()) ?? null

  /** Opens the state that a process of this machine followed last, as far as it is all here. @returns when it was the newest */
  async openCopied(): Promise<Date | null> {
    const copied = await this.copied()
    if (copied === null) return null
    const { head, states, seen } = copied
    const store = { location: this.#location, head, connect: this.#late }
    this.#current = { head, snapshot: await openSnapshot(store, { cache: this.#cache, former: null }) }
    this.#states = states
    return new Date(seen)
  }

  async #headIn(meta: Table): Promise<StoreHead> {
    // Of object storage a version costs less to ask for than the head.
    const version = this.#cache === null ? null : await meta.version()
    if (this.#seen?.version === version) return this.#seen.head
    const head = await readHead(meta)
    if (head === null) throw new NoIndexError()
    if (version !== null) this.#seen = { version, head }
    return head
  }

  /** What the newest head says of sources; nothing when nothing was ever indexed. */
  async states(): Promise<States> {
    try {
      const look = async (): Promise<States> => {
        const { meta } = await this.#open()
        return this.#readStates(meta, await this.#headIn(meta))
      }
      const found = await this.attempt(look, this.#states === null ? mostAttempts : 1)
      if (this.#cache !== null) this.#states = found
      return found
    } catch (error) {
      if (error instanceof NoIndexError) return { sources: [], reviews: [] }
      if (this.#states === null) throw error
      return this.#states
    }
  }

  close(): void {
    this.#disconnect()
    void this.#late.opened()?.then((late) => late.close())
    this.#current = null
  }
}
