import { setTimeout as wait } from 'node:timers/promises'
import type { Table } from '@lancedb/lancedb'
import { batches } from '../../../domain/grouped.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { type IndexedOutcome, type RecordIndex, recordIndex } from '../../../retrieval/record/record-index.ts'
import { quantisedTask } from '../../../retrieval/record/task-vectors.ts'
import { among } from '../schemas.ts'
import { readIds, readOutcomes, readSearchedRows, type SearchedRow, update } from './record-rows.ts'
import type { RecordTable } from './record-table.ts'

/** Keeps the index of a record up to date. */
type RecordReader = {
  index(): Promise<RecordIndex>
  /** The next {@link index} looks at the table, however short ago the last one did. */
  changed(): void
  settled(): Promise<void>
}

type RecordReaderOptions = {
  readonly model: () => Promise<TaskModel | null>
  readonly recheckMs: number
  readonly stopwatch: () => number
}

/** Clocks of writers may differ by so much, and a write may take that long, until everything is read anew: ms. */
const slackMs = 10 * 60_000
const rowsAtOnce = 2000

type Current = {
  readonly index: RecordIndex
  readonly version: number
  /** When the last row was written, by its writer's clock, in milliseconds since 1970; 0 while there is none. */
  readonly newest: number
}

/**
 * Reads the table once, and from then on what was written since; when rows are gone, or came with an old date, the whole again.
 */
export function recordReader(
  table: RecordTable,
  { model, recheckMs, stopwatch }: RecordReaderOptions,
): RecordReader {
  let current: Current | null = null
  /** What was read last, also where there was nothing. */
  let last: RecordIndex | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<RecordIndex> | null = null

  const refresh = async (): Promise<RecordIndex> => {
    const embedding = await model()
    const next = await table.read(async (opened): Promise<Current> => {
      const version = await opened.version()
      if (current !== null && current.version === version && fits(current.index, embedding)) return current
      if (current !== null && fits(current.index, embedding)) {
        const rows = await newRows(opened, current)
        current.index.add(await entriesOf(rows, embedding, table))
        if (current.index.size === (await opened.countRows()))
          return { index: current.index, version, newest: newestOf(rows, current.newest) }
      }
      const rows = await readSearchedRows(opened)
      const index = recordIndex(embedding && { model: embedding.id, dimensions: embedding.dimensions })
      index.add(await entriesOf(rows, embedding, table))
      return { index, version, newest: newestOf(rows, 0) }
    })
    current = next
    checkedAt = stopwatch()
    last = next?.index ?? recordIndex(null)
    return last
  }

  return {
    index() {
      if (last !== null && stopwatch() - checkedAt < recheckMs) return Promise.resolve(last)
      checking ??= refresh().finally(() => {
        checking = null
      })
      return checking
    },
    changed() {
      checkedAt = Number.NEGATIVE_INFINITY
    },
    settled: async () => {
      await checking?.catch(() => undefined)
    },
  }
}

/** Milliseconds from one look to the next beside searches. */
const besideMs = 20_000
/** The first search waits so long for the record, in milliseconds. */
const patienceMs = 5000

/**
 * As a reader, but who asks gets what is known while it is read whether there is more; what cannot be read then is no error. Before any
 * could be read nothing is known.
 */
export function besideSearches(
  reader: RecordReader,
  stopwatch: () => number,
  tell: (line: string) => void,
): RecordReader {
  let known: RecordIndex | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    ...reader,
    async index() {
      if (known !== null && stopwatch() - lookedAt < besideMs) return known
      lookedAt = stopwatch()
      const looking = reader.index().then((index) => {
        known = index
        return index
      })
      looking.catch(() => undefined)
      if (known !== null) return known
      const late = wait(patienceMs, undefined, { ref: false }).then(() => {
        throw new Error('The track record is not read yet.')
      })
      return Promise.race([looking, late]).catch((error: unknown) => {
        tell(
          `${error instanceof Error ? error.message : String(error)} Until it is read, searches rank without it.`,
        )
        known ??= recordIndex(null)
        return known
      })
    },
    changed() {
      reader.changed()
      lookedAt = Number.NEGATIVE_INFINITY
    },
  }
}

const fits = (index: RecordIndex, model: TaskModel | null): boolean => index.model === (model?.id ?? null)

/** @param before - 0 when there were none: a finite number, since it becomes part of a condition */
const newestOf = (rows: readonly SearchedRow[], before: number): number =>
  rows.reduce((newest, { added }) => Math.max(newest, added), before)

/** Rows that were written since, as far as their writers' clocks tell, and are not known. */
async function newRows(table: Table, { index, newest }: Current): Promise<readonly SearchedRow[]> {
  const ids = await readIds(table, `added >= ${newest - slackMs}`)
  const fresh = ids.filter((id) => !index.knows(id))
  const rows: SearchedRow[] = []
  for (const batch of batches(fresh, rowsAtOnce))
    rows.push(...(await readSearchedRows(table, `id ${among(batch)}`)))
  return rows
}

/** Rows with vectors of the model of today; those of another model, or without, are embedded and written back. */
async function entriesOf(
  rows: readonly SearchedRow[],
  model: TaskModel | null,
  table: RecordTable,
): Promise<readonly IndexedOutcome[]> {
  if (model === null) return rows.map((row) => ({ ...row, vector: null }))
  const stale = rows.filter((row) => row.model !== model.id && row.isUse !== true)
  if (stale.length === 0) return rows
  const vectors = await embedTasks(
    stale.map(({ task }) => task),
    model,
  ).catch(() => null)
  // A model that others run may not answer: what happened counts all the same, as far as it does without vectors.
  if (vectors === null) return rows.map((row) => (row.model === model.id ? row : { ...row, vector: null }))
  await putVectors(table, stale, { model: model.id, vectors })
  return rows.map((row) => (row.model === model.id ? row : { ...row, vector: vectors.get(row.task) ?? null }))
}

/** Rows that were forgotten meanwhile stay so. What cannot be written is embedded again by the next process. */
async function putVectors(
  table: RecordTable,
  stale: readonly SearchedRow[],
  { model, vectors }: { readonly model: string; readonly vectors: ReadonlyMap<string, Int8Array> },
): Promise<void> {
  for (const batch of batches(stale, rowsAtOnce)) {
    const rowOf = new Map(batch.map((row) => [row.id, row]))
    await table
      .write(async (opened) => {
        const outcomes = await readOutcomes(opened, `id ${among([...rowOf.keys()])}`)
        if (outcomes.length === 0) return
        const renewed = outcomes.map((outcome) => {
          const { added, task } = rowOf.get(outcome.id)!
          return { outcome, added, stored: { model, vector: vectors.get(task)! } }
        })
        await update(opened, renewed)
      })
      .catch(() => undefined)
  }
}

/** What of a model the record needs. */
export type TaskModel = Pick<EmbeddingModel, 'id' | 'dimensions' | 'embed'>

const textsAtOnce = 256

/** Vectors of tasks, as queries, in 8 bits, by text; none without a model. */
export async function embedTasks(
  tasks: readonly string[],
  model: TaskModel | null,
): Promise<ReadonlyMap<string, Int8Array>> {
  const vectors = new Map<string, Int8Array>()
  if (model === null) return vectors
  for (const batch of batches([...new Set(tasks)], textsAtOnce)) {
    const made = await model.embed(batch, 'query')
    batch.forEach((task, at) => {
      vectors.set(task, quantisedTask(made[at]!))
    })
  }
  return vectors
}
