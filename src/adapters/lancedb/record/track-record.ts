import type { Table } from '@lancedb/lancedb'
import { batches } from '../../../domain/grouped.ts'
import type { BriefOutcome, Outcome } from '../../../domain/outcome.ts'
import type { OutcomeFilter, TrackRecord } from '../../../probing/ports.ts'
import type { RecordIndex } from '../../../retrieval/record/record-index.ts'
import { among, conditionsFor, recordSchema, simulatedTable } from '../schemas.ts'
import { reasonOf, recheckMsOf, StoreError, type StoreLocation } from '../store-location.ts'
import { besideSearches, embedTasks, recordReader, type TaskModel } from './record-reader.ts'
import {
  conditionOf,
  newestFirst,
  type RecordRow,
  readBriefOutcomes,
  readOutcomes,
  recordBatch,
  update,
} from './record-rows.ts'
import { RecordTable } from './record-table.ts'

/** Every write makes a fragment of its own; from so many on they are merged. */
const mostFragments = 64
/** Writes from one look at the fragments to the next; the first write looks, since many processes write once and end. */
const writesPerLook = 16
/** Versions younger than this may still be read by somebody. */
const keptMs = 10 * 60_000

/** Merges the small fragments of many writes now and then, beside the writes. */
type Compaction = {
  /** To be told of each write; returns at once. */
  wrote(): void
  /** Waits for what is under way. */
  settled(): Promise<void>
}

/**
 * LanceDB lets a compaction and writers of several processes go on side by side: whoever commits second is tried again or gives up,
 * and nothing is lost. So a compaction that fails is left to the next one.
 */
function compaction(table: RecordTable): Compaction {
  let writes = 0
  let running: Promise<void> | null = null

  const compact = async (): Promise<void> => {
    await table.tidy(async (opened) => {
      const { fragmentStats } = await opened.stats()
      if (fragmentStats.numSmallFragments < mostFragments) return
      await opened.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) })
    })
  }

  return {
    wrote() {
      writes += 1
      if ((writes - 1) % writesPerLook !== 0 || running !== null) return
      running = compact()
        .catch(() => undefined)
        .finally(() => {
          running = null
        })
    },
    settled: async () => running ?? undefined,
  }
}

/** How a track record is kept. */
export type TrackRecordOptions = {
  /** `simulated`: what was only simulated, in a table of its own, which no ranking reads. @defaultValue 'executed' */
  readonly ledger?: 'executed' | 'simulated'
  /**
   * The model of the tasks' vectors, asked for when it is first needed; null keeps the record without. When it fails outcomes are
   * kept without vectors, which are made when a model is there.
   */
  readonly embed: () => Promise<TaskModel | null>
  /** Longest time an outcome of another process may stay unseen by {@link LanceTrackRecord.index}, ms. @defaultValue `recheckMsOf` */
  readonly recheckMs?: number
  /** Of a replica, whose searches do not fail with the record, and wait for it the first time alone: told when they go on without it. */
  readonly beside?: (line: string) => void
  /** Milliseconds since 1970, kept with each row. @defaultValue Date.now */
  readonly clock?: () => number
  /** Milliseconds that only ever grow: the time of day may be set back. @defaultValue performance.now */
  readonly stopwatch?: () => number
}

/** A track record over a table of LanceDB. */
type LanceTrackRecord = TrackRecord & {
  /**
   * As `add`.
   *
   * @returns how many were not there before
   */
  merge(outcomes: readonly Outcome[]): Promise<number>
  /** What a search reads; follows what this and other processes add and forget. The same object as long as it only grows. */
  index(): Promise<RecordIndex>
}

const simulatedRecord = (location: StoreLocation) =>
  new RecordTable(location, { name: simulatedTable, schema: recordSchema, title: 'record of simulations' })

/** Rows per write. */
const batchRows = 2000

/**
 * Keeps outcomes in the table `track_record` of a store, beside the catalog and independent of its commits. Any number of processes
 * may write at once; a row that `add` acknowledged is committed and stays, whatever is killed.
 *
 * @throws StoreError from every method when the store cannot be read or written
 */
export function lanceTrackRecord(location: StoreLocation, options: TrackRecordOptions): LanceTrackRecord {
  const { clock = Date.now, stopwatch = () => performance.now() } = options
  const table = options.ledger === 'simulated' ? simulatedRecord(location) : new RecordTable(location)
  const compacting = compaction(table)
  const model = (): Promise<TaskModel | null> => options.embed().catch(() => null)
  const { recheckMs = recheckMsOf(location) } = options
  const asked = recordReader(table, { recheckMs, stopwatch, model })
  const reader = options.beside ? besideSearches(asked, stopwatch, options.beside) : asked

  const rowsNow = async (outcomes: readonly Outcome[]): Promise<readonly RecordRow[]> =>
    rowsOf(outcomes, await model(), clock())

  const merge = async (outcomes: readonly Outcome[]): Promise<number> => {
    const distinct = [...new Map(outcomes.map((outcome) => [outcome.id, outcome])).values()]
    const inserted = await insertAll(table, await rowsNow(distinct), () => compacting.wrote())
    reader.changed()
    return inserted
  }

  const list = listing(table, readOutcomes)

  const sweep = async (): Promise<void> => {
    reader.changed()
    await sweepOf(table, location)
  }

  return {
    async add(outcomes) {
      await merge(outcomes)
    },
    merge,
    async requireWritable() {
      // A commit that changes nothing: it fails for whatever would fail an addition, here and at an address.
      await table.write((opened) => opened.delete('false'))
    },
    list,
    brief: listing(table, readBriefOutcomes),
    async replace(outcomes) {
      for (const batch of batches(await rowsNow(outcomes), batchRows))
        await table.write((opened) => update(opened, batch))
      await sweep()
    },
    async forget(filter) {
      let forgotten = 0
      for (const where of await forgetting(filter, list))
        forgotten += (await table.change(async (opened) => (await opened.delete(where)).numDeletedRows)) ?? 0
      await sweep()
      return forgotten
    },
    index: () => reader.index(),
    async close() {
      await reader.settled()
      await compacting.settled()
      table.close()
    },
  }
}

/** Lists outcomes, newest first, as one of the two ways reads them. */
const listing =
  <One extends Outcome | BriefOutcome>(
    table: RecordTable,
    read: (opened: Table, where?: string) => Promise<readonly One[]>,
  ) =>
  async (filter: OutcomeFilter = {}): Promise<readonly One[]> => {
    const where = conditionOf(filter)
    if (where === null || filter.limit === 0) return []
    return newestFirst((await table.read((opened) => read(opened, where))) ?? []).slice(0, filter.limit)
  }

/**
 * What is gone leaves the disk too, as far as nobody is reading it: older versions still hold it. All rows are written anew, since
 * LanceDB keeps a file as it is while no more than a tenth of its rows is gone.
 *
 * @throws StoreError when it stays
 */
async function sweepOf(table: RecordTable, location: StoreLocation): Promise<void> {
  const rewrite = async (opened: Table): Promise<void> => {
    await opened.update({ where: 'true', valuesSql: { added: 'added' } })
    await opened.optimize({ cleanupOlderThan: new Date() })
  }
  await table.sweep(rewrite).catch((cause: unknown) => {
    const reason = `what was forgotten or masked stays in the files of its track record: ${reasonOf(cause)}`
    const remedy = 'Run `audition doctor --repair`, then the same command again.'
    throw new StoreError(`In ${location} ${reason}.`, remedy, { reason, cause })
  })
}

/** Adds rows that are not there, batch by batch. @returns how many */
async function insertAll(
  table: RecordTable,
  rows: readonly RecordRow[],
  onBatch: () => void,
): Promise<number> {
  let inserted = 0
  for (const batch of batches(rows, batchRows)) {
    inserted += await table.write(
      (opened) => insert(opened, batch),
      (opened) => hasAll(opened, batch),
    )
    onBatch()
  }
  return inserted
}

/** Adds rows that are not there. @returns how many */
async function insert(table: Table, rows: readonly RecordRow[]): Promise<number> {
  const adding = table.mergeInsert('id').whenNotMatchedInsertAll()
  return (await adding.execute(recordBatch(rows))).numInsertedRows
}

async function hasAll(table: Table, rows: readonly RecordRow[]): Promise<boolean> {
  const ids = rows.map(({ outcome }) => outcome.id)
  return (await table.countRows(`id ${among(ids)}`)) >= ids.length
}

/** The conditions, in SQL, of what a filter forgets; with a limit they name outcomes one by one. */
async function forgetting(
  filter: OutcomeFilter,
  list: (filter: OutcomeFilter) => Promise<readonly Outcome[]>,
): Promise<readonly string[]> {
  if (filter.limit === undefined) {
    const where = conditionOf(filter)
    return where === null ? [] : [where ?? 'true']
  }
  const outcomes = await list(filter)
  return conditionsFor(
    'id',
    outcomes.map(({ id }) => id),
  )
}

async function rowsOf(
  outcomes: readonly Outcome[],
  model: TaskModel | null,
  added: number,
): Promise<readonly RecordRow[]> {
  const vectors = await embedTasks(
    outcomes.flatMap(({ task, origin }) => (origin === 'use' ? [] : [task])),
    model,
  ).catch(() => new Map<string, Int8Array>())
  return outcomes.map((outcome) => {
    const vector = vectors.get(outcome.task)
    return { outcome, added, stored: model && vector ? { model: model.id, vector } : null }
  })
}
