import type { Table } from '@lancedb/lancedb'
import type { Table as ArrowTable, RecordBatch } from 'apache-arrow'
import {
  type BriefEnding,
  type BriefOutcome,
  briefEnding,
  gradeOf,
  type Outcome,
} from '../../../domain/outcome.ts'
import { parseSealed, sealed } from '../../../domain/text/sealed-json.ts'
import type { OutcomeFilter } from '../../../probing/ports.ts'
import type { IndexedOutcome } from '../../../retrieval/record/record-index.ts'
import { arrowRows } from '../native.ts'
import { among, quoted, recordSchema } from '../schemas.ts'

/** The vector of a task in 8 bits, and the model that made it. */
type StoredVector = { readonly model: string; readonly vector: Int8Array }

/** An outcome as it is stored. */
export type RecordRow = {
  readonly outcome: Outcome
  /** Milliseconds since 1970. */
  readonly added: number
  readonly stored: StoredVector | null
}

/** Times as numbers, so that they compare whatever their zone. */
function instantOf(time: string): number {
  const instant = Date.parse(time)
  if (Number.isNaN(instant))
    throw new RangeError(`"${time}" is not a time. Give one as in 2026-01-31T12:00:00Z.`)
  return instant
}

/** Rows as LanceDB takes them. */
export const recordBatch = (rows: readonly RecordRow[]): ArrowTable =>
  arrowRows(recordSchema, rows, {
    id: ({ outcome }) => outcome.id,
    card: ({ outcome }) => outcome.card,
    card_hash: ({ outcome }) => outcome.cardHash,
    kind: ({ outcome }) => outcome.kind,
    origin: ({ outcome }) => outcome.origin,
    task: ({ outcome }) => outcome.task,
    ending: ({ outcome }) => briefEnding(outcome),
    time: ({ outcome }) => instantOf(outcome.time),
    added: ({ added }) => added,
    seconds: ({ outcome }) => outcome.seconds,
    grade: ({ outcome }) => gradeOf(outcome.verdict),
    outcome: ({ outcome }) => sealed(JSON.stringify(outcome)),
    model: ({ stored }) => stored?.model ?? null,
    vector: ({ stored }) => stored && bytesOf(stored.vector),
  })

const bytesOf = ({ buffer, byteOffset, length }: Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length)

/** Replaces the rows that are there. */
export const update = (table: Table, rows: readonly RecordRow[]): Promise<unknown> =>
  table.mergeInsert('id').whenMatchedUpdateAll().execute(recordBatch(rows))

/** Reads outcomes batch by batch, in no order. @param where - SQL; absent: all */
export async function readOutcomes(table: Table, where?: string): Promise<readonly Outcome[]> {
  const query = table.query().select(['outcome'])
  const outcomes: Outcome[] = []
  for await (const batch of where === undefined ? query : query.where(where)) {
    const column = batch.getChild('outcome')
    for (let row = 0; row < batch.numRows; row += 1)
      outcomes.push(parseSealed(column?.get(row) as string) as Outcome)
  }
  return outcomes
}

/** Ids of rows. @param where - SQL */
export async function readIds(table: Table, where: string): Promise<readonly string[]> {
  const found = await table.query().where(where).select(['id']).toArrow()
  return [...(found.getChild('id') ?? [])] as string[]
}

/** The SQL of a filter but for its limit; null when nothing can pass it, undefined when everything does. */
export function conditionOf({
  cards,
  kind,
  before,
  origin,
  withoutUses,
}: OutcomeFilter): string | null | undefined {
  if (cards?.length === 0) return null
  const conditions = [
    ...(cards === undefined ? [] : [`card ${among([...new Set(cards)])}`]),
    ...(kind === undefined ? [] : [`kind = ${quoted(kind)}`]),
    ...(before === undefined ? [] : [`time < ${instantOf(before)}`]),
    ...(origin === undefined ? [] : [`origin = ${quoted(origin)}`]),
    ...(withoutUses === true ? ["origin <> 'use'"] : []),
  ]
  return conditions.length === 0 ? undefined : conditions.join(' AND ')
}

/** Newest first; of one instant by id, descending. Each id once. */
export function newestFirst<One extends Pick<Outcome, 'id'> & { readonly time: string | number }>(
  outcomes: readonly One[],
): readonly One[] {
  const known = new Map(outcomes.map((outcome) => [outcome.id, { outcome, time: timeOf(outcome.time) }]))
  return [...known.values()]
    .sort((a, b) => b.time - a.time || (a.outcome.id < b.outcome.id ? 1 : -1))
    .map(({ outcome }) => outcome)
}

const timeOf = (time: string | number): number => (typeof time === 'number' ? time : instantOf(time))

/** What a search needs of an outcome, as it is stored. */
export type SearchedRow = Omit<IndexedOutcome, 'vector'> & {
  /** Milliseconds since 1970. */
  readonly added: number
  /** The model of the vector; null without one. */
  readonly model: string | null
  readonly vector: Int8Array | null
}

const briefColumns = ['id', 'card', 'task', 'origin', 'ending', 'time', 'seconds', 'grade']
const columns = [...briefColumns, 'card_hash', 'added', 'model', 'vector']

/** Reads outcomes in short, in no order. @param where - SQL; absent: all */
export async function readBriefOutcomes(table: Table, where?: string): Promise<readonly BriefOutcome[]> {
  const query = table.query().select(briefColumns)
  const outcomes: BriefOutcome[] = []
  for await (const batch of where === undefined ? query : query.where(where)) {
    const briefAt = briefReader(batch)
    for (let row = 0; row < batch.numRows; row += 1) outcomes.push(briefAt(row))
  }
  return outcomes
}

function briefReader(batch: RecordBatch): (row: number) => BriefOutcome {
  const text = (name: string) => textColumn(batch, name)
  const number = (name: string) => batch.getChild(name)!
  const [ids, cards, tasks] = [text('id'), text('card'), text('task')]
  const [origins, endings] = [text('origin'), text('ending')]
  const [times, seconds, grades] = [number('time'), number('seconds'), number('grade')]
  return (row) => ({
    id: ids(row)!,
    card: cards(row)!,
    task: tasks(row)!,
    ending: endings(row) as BriefEnding,
    isUse: origins(row) === 'use',
    time: times.get(row) as number,
    seconds: seconds.get(row) as number,
    grade: grades.get(row) as number | null,
  })
}

/** Reads what a search needs, column by column, in no order. @param where - SQL; absent: all */
export async function readSearchedRows(table: Table, where?: string): Promise<readonly SearchedRow[]> {
  const query = table.query().select(columns)
  const rows: SearchedRow[] = []
  // Of each task the vector is kept once, though every row has it.
  const vectors = new Map<string, Int8Array>()
  for await (const batch of where === undefined ? query : query.where(where)) addRows(rows, vectors, batch)
  return rows
}

function addRows(rows: SearchedRow[], vectors: Map<string, Int8Array>, batch: RecordBatch): void {
  const [hashes, models] = [textColumn(batch, 'card_hash'), textColumn(batch, 'model')]
  const [added, bytes] = [batch.getChild('added')!, batch.getChild('vector')!]
  const briefAt = briefReader(batch)
  const vectorOf = (row: number, key: string): Int8Array | null => {
    const known = vectors.get(key)
    if (known !== undefined) return known
    const stored = bytes.get(row) as Uint8Array | null
    if (stored === null) return null
    // A copy: the batch's memory is larger, and goes.
    const vector = new Int8Array(stored)
    vectors.set(key, vector)
    return vector
  }
  for (let row = 0; row < batch.numRows; row += 1) {
    const [brief, model] = [briefAt(row), models(row)]
    rows.push({
      ...brief,
      cardHash: hashes(row)!,
      added: added.get(row) as number,
      model,
      vector: model === null ? null : vectorOf(row, `${model}\n${brief.task}`),
    })
  }
}

/** Texts of a column by row, several times as fast as Arrow's own reading of them. */
function textColumn(batch: RecordBatch, name: string): (row: number) => string | null {
  const data = batch.getChild(name)!.data[0]!
  const { valueOffsets, values } = data as unknown as { valueOffsets: Int32Array; values: Uint8Array }
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return (row) =>
    data.nullCount > 0 && !data.getValid(row)
      ? null
      : bytes.toString('utf8', valueOffsets[row]!, valueOffsets[row + 1]!)
}
