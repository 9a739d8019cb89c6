import type { Table } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import type { Outcome } from '../../domain/outcome.ts'
import type { OutcomeFilter } from '../../probing/ports.ts'
import { quoted } from './connection.ts'
import { arrow } from './native.ts'
import { recordSchema } from './schemas.ts'

/** The vector of a task in 8 bits, and the model that made it. */
export type StoredVector = { readonly model: string; readonly vector: Int8Array }

/** An outcome as it is stored. */
export type RecordRow = {
  readonly outcome: Outcome
  /** Milliseconds since 1970. */
  readonly added: number
  readonly stored: StoredVector | null
}

/** Times in one form, so that they compare as text. */
const sameForm = (time: string): string => new Date(time).toISOString()

/** Rows as LanceDB takes them, each column over as one vector. */
export function recordBatch(rows: readonly RecordRow[]): ArrowTable {
  const { Binary, Float64, Table: Arrow, Utf8, vectorFromArray } = arrow
  const texts = (value: (row: RecordRow) => string | null) => vectorFromArray(rows.map(value), new Utf8())
  return new Arrow(recordSchema, {
    id: texts(({ outcome }) => outcome.id),
    card: texts(({ outcome }) => outcome.card),
    kind: texts(({ outcome }) => outcome.kind),
    origin: texts(({ outcome }) => outcome.origin),
    time: texts(({ outcome }) => sameForm(outcome.time)),
    added: vectorFromArray(
      rows.map(({ added }) => added),
      new Float64(),
    ),
    outcome: texts(({ outcome }) => JSON.stringify(outcome)),
    model: texts(({ stored }) => stored?.model ?? null),
    vector: vectorFromArray(
      rows.map(
        ({ stored }) =>
          stored && new Uint8Array(stored.vector.buffer, stored.vector.byteOffset, stored.vector.length),
      ),
      new Binary(),
    ),
  })
}

/** Reads rows batch by batch, in no order. @param where - SQL; absent: all */
export async function readRows(table: Table, where?: string): Promise<readonly RecordRow[]> {
  const query = table.query().select(['outcome', 'added', 'model', 'vector'])
  const rows: RecordRow[] = []
  for await (const batch of where === undefined ? query : query.where(where)) {
    const [outcomes, added, models, vectors] = ['outcome', 'added', 'model', 'vector'].map((name) =>
      batch.getChild(name),
    )
    for (let row = 0; row < batch.numRows; row += 1) {
      const model = models?.get(row) as string | null
      const bytes = vectors?.get(row) as Uint8Array | null
      rows.push({
        outcome: JSON.parse(outcomes?.get(row) as string) as Outcome,
        added: Number(added?.get(row)),
        // A copy: the batch's memory is larger, and goes.
        stored: model === null || bytes === null ? null : { model, vector: new Int8Array(bytes) },
      })
    }
  }
  return rows
}

/** Ids of rows. @param where - SQL */
export async function readIds(table: Table, where: string): Promise<readonly string[]> {
  const found = await table.query().where(where).select(['id']).toArrow()
  return [...(found.getChild('id') ?? [])] as string[]
}

/** The SQL of a filter but for its limit; null when nothing can pass it, undefined when everything does. */
export function conditionOf({ cards, kind, before, origin }: OutcomeFilter): string | null | undefined {
  if (cards?.length === 0) return null
  const conditions = [
    ...(cards === undefined ? [] : [`card IN (${[...new Set(cards)].map(quoted).join(', ')})`]),
    ...(kind === undefined ? [] : [`kind = ${quoted(kind)}`]),
    ...(before === undefined ? [] : [`time < ${quoted(sameForm(before))}`]),
    ...(origin === undefined ? [] : [`origin = ${quoted(origin)}`]),
  ]
  return conditions.length === 0 ? undefined : conditions.join(' AND ')
}

/** Newest first; of one instant by id, descending. Each id once. */
export function newestFirst(outcomes: readonly Outcome[]): readonly Outcome[] {
  const known = new Map(outcomes.map((outcome) => [outcome.id, { outcome, time: sameForm(outcome.time) }]))
  return [...known.values()]
    .sort((a, b) => (a.time === b.time ? (a.outcome.id < b.outcome.id ? 1 : -1) : a.time < b.time ? 1 : -1))
    .map(({ outcome }) => outcome)
}
