import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Table } from '@lancedb/lancedb'
import { requireConditionalPuts } from '../commit/conditional-puts.ts'
import { connectTo, isMade, openShared } from '../connection.ts'
import { DamagedFileError, reasonOf, StoreError, isRemote, type StoreLocation } from '../store-location.ts'
import { listSums } from '../integrity/ledger.ts'
import { verifyTable } from '../integrity/verify-table.ts'
import { makePointed } from '../commit/pointed-table.ts'
import { metaTable, recordSchema, recordTable } from '../schemas.ts'

/** The table of outcomes, opened when it is first needed and anew after a failure. */
export type RecordTable = {
  /** Reads at the newest version; null when nothing was ever recorded. */
  read<T>(use: (table: Table) => Promise<T>): Promise<T | null>
  /** Writes; the table is made when it is not there. What is tried more than once must do no harm twice. */
  write<T>(use: (table: Table) => Promise<T>): Promise<T>
  /** As `read`, for what changes files and no rows: compaction, and forgetting old versions. */
  tidy(use: (table: Table) => Promise<unknown>): Promise<void>
  /** As `write`, but makes nothing: null when nothing was ever recorded. */
  change<T>(use: (table: Table) => Promise<T>): Promise<T | null>
  close(): void
}

/** Other writers, and a compaction under way, can be in the way of a commit for a while. */
const writeAttempts = 8
const readAttempts = 3
const pauseMs = 50

export function openRecordTable(location: StoreLocation): RecordTable {
  let connection: Connection | null = null
  let table: Table | null = null
  let isTrusted = !isRemote(location)

  const close = (): void => {
    table?.close()
    connection?.close()
    table = null
    connection = null
  }

  /** Outcomes of several writers are kept apart as commits of the catalog are. */
  const requireTrust = async (opened: Connection): Promise<void> => {
    if (isTrusted) return
    const meta = await openShared(location, opened, metaTable)
    await requireConditionalPuts(location, meta)
    meta?.close()
    isTrusted = true
  }

  const makeRecord = (opened: Connection): Promise<Table> =>
    isRemote(location)
      ? makePointed(opened, recordTable, (name) => opened.createEmptyTable(name, recordSchema))
      : opened.createEmptyTable(recordTable, recordSchema, { existOk: true })

  const open = async (missing: 'make' | 'leave'): Promise<Table | null> => {
    if (table !== null && (missing === 'leave' || isTrusted)) {
      await verifyTable(location, recordTable)
      await table.checkoutLatest()
      return table
    }
    const isThere = isRemote(location) || isMade(location, recordTable)
    // A look at a store must not make its folder.
    if (missing === 'leave' && !isThere) return null
    connection ??= await connectTo(location, 'commit')
    if (missing === 'make') await requireTrust(connection)
    if (isThere) table ??= await openShared(location, connection, recordTable)
    if (table === null && missing === 'make') table = await makeRecord(connection)
    return table
  }

  /** The next attempt opens everything anew: the store may have been moved away, or a version pruned. */
  const attempt = async <T>(most: number, what: 'read' | 'written', use: () => Promise<T>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      try {
        return await use()
      } catch (error) {
        close()
        if (error instanceof StoreError) throw error
        const isDamage = error instanceof DamagedFileError
        if (count === (isDamage ? readAttempts : most)) throw recordError(location, what, error)
        await wait(pauseMs * count * (0.5 + Math.random()))
      }
    }
  }

  /** A list that cannot be written now is written by the next one. */
  const listed = async <T>(write: () => Promise<T>): Promise<T> => {
    const written = await write()
    if (table !== null) await listSums(location, { [recordTable]: undefined }).catch(() => undefined)
    return written
  }

  const ifThere =
    <T>(use: (table: Table) => Promise<T>) =>
    async (): Promise<T | null> => {
      const opened = await open('leave')
      return opened && use(opened)
    }

  return {
    read: (use) => attempt(readAttempts, 'read', ifThere(use)),
    async tidy(use) {
      await attempt(readAttempts, 'read', () => listed(ifThere(use)))
    },
    change: (use) => attempt(writeAttempts, 'written', () => listed(ifThere(use))),
    write: (use) => attempt(writeAttempts, 'written', () => listed(async () => use((await open('make'))!))),
    close,
  }
}

function recordError(location: StoreLocation, what: 'read' | 'written', error: unknown): StoreError {
  const reason = reasonOf(error)
  const remedy = isRemote(location)
    ? 'Check the address, the keys and the connection'
    : !(error instanceof DamagedFileError) && (what === 'written' || /permission denied/i.test(reason))
      ? "Check the folder's permissions and the free space, run `audition doctor`"
      : 'Run `audition doctor --repair`'
  return new StoreError(
    `The track record in ${location} cannot be ${what}: ${reason}.`,
    `${remedy}, or set AUDITION_HOME to another one.`,
    { reason: `its track record cannot be ${what}: ${reason}`, cause: error },
  )
}
