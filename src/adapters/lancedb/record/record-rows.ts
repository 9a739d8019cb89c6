import type { Table } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import type { Outcome } from '../../../domain/outcome.ts'
import { parseSealed, sealed } from '../../../domain/text/sealed-json.ts'
import type { OutcomeFilter } from '../../../probing/ports.ts'
import { quoted } from '../connection.ts'
import { arrow } from '../native.ts'
import { recordSchema } from '../schemas.ts'

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

/** Rows as LanceDB takes them, each column over as one vector. */
export function recordBatch(rows: readonly RecordRow[]): ArrowTable {
  const { Binary, Float64, Table: Arrow, Utf8, vectorFromArray } = arrow
  const texts = (value: (row: RecordRow) => string | null) => vectorFromArray(rows.map(value), new Utf8())
  const numbers = (value: (row: RecordRow) => number | null) =>
    vectorFromArray(rows.map(value), new Float64())
  return new Arrow(recordSchema, {
    id: texts(({ outcome }) => outcome.id),
    card: texts(({ outcome }) => outcome.card),
    card_hash: texts(({ outcome }) => outcome.cardHash),
    kind: texts(({ outcome }) => outcome.kind),
    origin: texts(({ outcome }) => outcome.origin),
    task: texts(({ outcome }) => outcome.task),
    ending: texts(({ outcome }) => outcome.ending),
    time: numbers(({ outcome }) => instantOf(outcome.time)),
    added: numbers(({ added }) => added),
    seconds: numbers(({ outcome }) => outcome.seconds),
    grade: numbers(({ outcome: { verdict } }) =>
      verdict !== null && 'grade' in verdict ? verdict.grade : null,
    ),
    outcome: texts(({ outcome }) => sealed(JSON.stringify(outcome))),
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
export function conditionOf({ cards, kind, before, origin }: OutcomeFilter): string | null | undefined {
  if (cards?.length === 0) return null
  const conditions = [
    ...(cards === undefined ? [] : [`card IN (${[...new Set(cards)].map(quoted).join(', ')})`]),
    ...(kind === undefined ? [] : [`kind = ${quoted(kind)}`]),
    ...(before === undefined ? [] : [`time < ${instantOf(before)}`]),
    ...(origin === undefined ? [] : [`origin = ${quoted(origin)}`]),
  ]
  return conditions.length === 0 ? undefined : conditions.join(' AND ')
}

/** Newest first; of one instant by id, descending. Each id once. */
export function newestFirst(outcomes: readonly Outcome[]): readonly Outcome[] {
  const known = new Map(outcomes.map((outcome) => [outcome.id, { outcome, time: instantOf(outcome.time) }]))
  return [...known.values()]
    .sort((a, b) => b.time - a.time || (a.outcome.id < b.outcome.id ? 1 : -1))
    .map(({ outcome }) => outcome)
}
