import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Table } from '@lancedb/lancedb'
import { requireConditionalPuts } from '../conditional-puts.ts'
import { makePointed } from '../pointed-table.ts'
import { connectTo, isMade, openShared } from '../connection.ts'
import { listSums } from '../integrity/ledger.ts'
import { namedData, tableFiles } from '../integrity/table-files.ts'
import { forgetDamagedVersions, verifyTable } from '../integrity/verify-table.ts'
import { metaTable, recordSchema, recordTable } from '../schemas.ts'
import {
  DamagedFileError,
  isEngine,
  isRemote,
  reasonOf,
  StoreError,
  type StoreLocation,
} from '../store-location.ts'

/** Other writers, and a compaction under way, can be in the way of a commit for a while. */
const writeAttempts = 8
const readAttempts = 3
/** At an address: it is asked over the connection for commits, which asks nothing twice. */
const remoteReadAttempts = 8
const pauseMs = 50
/** An open table keeps some 100 KB of memory for each of its commits, whatever the caches of its session may hold. */
const writesPerOpening = 32

/** A table beside the catalog: its name in the store, and what people call it. */
type SideTable = { readonly name: string; readonly schema: typeof recordSchema; readonly title: string }

const ofRecord: SideTable = { name: recordTable, schema: recordSchema, title: 'track record' }

/** A table that is independent of commits, that of outcomes, opened when it is first needed and anew after a failure. */
export class RecordTable {
  readonly #location: StoreLocation
  readonly #side: SideTable
  #connection: Connection | null = null
  #table: Table | null = null
  #isTrusted: boolean
  /** Uses under way. */
  #running = 0
  /** Since it was opened. */
  #writes = 0

  constructor(location: StoreLocation, side: SideTable = ofRecord) {
    this.#location = location
    this.#side = side
    this.#isTrusted = !isRemote(location)
  }

  /** Reads at the newest version; null when nothing was ever recorded. */
  read<T>(use: (table: Table) => Promise<T>): Promise<T | null> {
    const attempts = isRemote(this.#location) ? remoteReadAttempts : readAttempts
    return this.#attempt(attempts, 'read', () => this.#ifThere(use))
  }

  /** As `read`, for what changes files and no rows: compaction, and forgetting old versions. */
  async tidy(use: (table: Table) => Promise<unknown>): Promise<void> {
    // An engine does that by itself.
    if (isEngine(this.#location)) return
    await this.#attempt(readAttempts, 'read', async () => {
      await forgetDamagedVersions(this.#location, this.#side.name)
      return this.#listed(() => this.#ifThere(use))
    })
  }

  /**
   * As `tidy`, for what leaves the newest version alone, and takes the data files away that nothing names any more. Where it fails, the older manifests
   * go first: one that is damaged is in LanceDB's way, and files that it alone named would stay.
   */
  async sweep(use: (table: Table) => Promise<unknown>): Promise<void> {
    const [location, { name }] = [this.#location, this.#side]
    if (isRemote(location)) return this.tidy(use)
    const before = namedData(location, name)
    try {
      await this.tidy(use).catch(async () => {
        this.close()
        for (const file of tableFiles(location, name).older) rmSync(join(location, file), { force: true })
        await this.tidy(use)
      })
    } finally {
      const after = new Set(namedData(location, name))
      for (const file of before) if (!after.has(file)) rmSync(join(location, file), { force: true })
    }
  }

  /**
   * Writes; the table is made when it is not there. What is tried more than once must do no harm twice.
   *
   * @param isKept - whether a version that was written later, by another process, has what was written
   */
  write<T>(use: (table: Table) => Promise<T>, isKept?: (table: Table) => Promise<boolean>): Promise<T> {
    const write = async (): Promise<T> => {
      const table = (await this.#open('make'))!
      const written = await use(table)
      if (isKept !== undefined) await this.#requireKept(table, isKept)
      return written
    }
    return this.#attempt(writeAttempts, 'written', () => this.#listed(write))
  }

  /** As `write`, but makes nothing: null when nothing was ever recorded. */
  change<T>(use: (table: Table) => Promise<T>): Promise<T | null> {
    return this.#attempt(writeAttempts, 'written', () => this.#listed(() => this.#ifThere(use)))
  }

  /**
   * Who forgets outcomes takes older manifests away at once. LanceDB then lets a writer that was slow take the number of one of these,
   * and calls that a commit, though later versions are there that know nothing of it.
   */
  async #requireKept(table: Table, isKept: (table: Table) => Promise<boolean>): Promise<void> {
    if (isRemote(this.#location)) return
    const { newest } = tableFiles(this.#location, this.#side.name)
    if (newest === null || newest === BigInt(await table.version())) return
    await table.checkout(Number(newest))
    if (!(await isKept(table))) throw new Error('a later version lacks what was written')
    await table.checkoutLatest()
  }

  close(): void {
    this.#table?.close()
    this.#connection?.close()
    this.#table = null
    this.#connection = null
    this.#writes = 0
  }

  async #ifThere<T>(use: (table: Table) => Promise<T>): Promise<T | null> {
    const opened = await this.#open('leave')
    return opened && use(opened)
  }

  async #open(missing: 'make' | 'leave'): Promise<Table | null> {
    const [location, { name }] = [this.#location, this.#side]
    if (this.#table !== null && (missing === 'leave' || this.#isTrusted)) {
      await verifyTable(location, name)
      await this.#table.checkoutLatest()
      return this.#table
    }
    const isThere = isRemote(location) || isMade(location, name)
    // A look at a store must not make its folder.
    if (missing === 'leave' && !isThere) return null
    this.#connection ??= await connectTo(location, 'commit')
    const connection = this.#connection
    if (missing === 'make') await this.#requireTrust(connection)
    if (isThere) this.#table ??= await openShared({ location, connection }, name)
    if (this.#table === null && missing === 'make') this.#table = await this.#make(connection)
    return this.#table
  }

  /** Outcomes of several writers are kept apart as commits of the catalog are. */
  async #requireTrust(connection: Connection): Promise<void> {
    if (this.#isTrusted) return
    const meta = await openShared({ location: this.#location, connection }, metaTable)
    await requireConditionalPuts(this.#location, meta, async () => meta!)
    meta?.close()
    this.#isTrusted = true
  }

  #make(connection: Connection): Promise<Table> {
    const { name, schema } = this.#side
    if (isEngine(this.#location)) return connection.createEmptyTable(name, schema, { existOk: true })
    return isRemote(this.#location)
      ? makePointed(connection, name, (own) => connection.createEmptyTable(own, schema))
      : connection.createEmptyTable(name, schema, { existOk: true })
  }

  /** The next attempt opens everything anew: the store may have been moved away, or a version pruned. */
  async #attempt<T>(most: number, what: 'read' | 'written', use: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      this.#running += 1
      try {
        return await use().finally(() => this.#ended())
      } catch (error) {
        this.close()
        if (error instanceof StoreError) throw error
        const isDamage = error instanceof DamagedFileError
        if (count === (isDamage ? readAttempts : most))
          throw tableError(this.#location, { what, title: this.#side.title }, error)
        await wait(pauseMs * count * (0.5 + Math.random()))
      }
    }
  }

  #ended(): void {
    this.#running -= 1
    if (this.#running === 0 && this.#writes >= writesPerOpening) this.close()
  }

  /** A list that cannot be written now is written by the next one. */
  async #listed<T>(write: () => Promise<T>): Promise<T> {
    const written = await write()
    this.#writes += 1
    if (this.#table !== null)
      await listSums(this.#location, { [this.#side.name]: undefined }).catch(() => undefined)
    return written
  }
}

function tableError(
  location: StoreLocation,
  { what, title }: { readonly what: 'read' | 'written'; readonly title: string },
  error: unknown,
): StoreError {
  const reason = reasonOf(error)
  const remedy = isRemote(location)
    ? 'Check the address, the keys and the connection'
    : !(error instanceof DamagedFileError) && (what === 'written' || /permission denied/i.test(reason))
      ? "Check the folder's permissions and the free space, run `audition doctor`"
      : 'Run `audition doctor --repair`'
  return new StoreError(
    `The ${title} in ${location} cannot be ${what}: ${reason}.`,
    `${remedy}, or set AUDITION_HOME to another one.`,
    { reason: `its ${title} cannot be ${what}: ${reason}`, cause: error },
  )
}
