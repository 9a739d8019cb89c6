import type { Table } from '@lancedb/lancedb'
import { contentHash } from '../../../catalog/identity.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { sealed } from '../../../domain/text/sealed-json.ts'
import { normalTag, wordsOfCard } from '../../../retrieval/index/catalog-counts.ts'
import { bytesOfRounded, roundedVector } from '../../../vectors/rounded-vector.ts'
import type { CardRows } from '../card-rows.ts'
import { arrow } from '../native.ts'
import { type EngineState, type VectorShape, among, quoted } from '../schemas.ts'
import { floatColumn } from '../vectors.ts'
import type { CardColumns } from '../../../retrieval/index/card-columns.ts'
import type { CardFilter } from '../../../retrieval/index/card-filter.ts'

const { Binary, Bool, Field, FixedSizeList, Float32, Float64, List, Schema, Utf8, Struct } = arrow

/** What a row has in place of the commit that it went with, as long as it is there. */
const staying = Number.MAX_SAFE_INTEGER

/**
 * A card in an engine. `row` is its own key, since a card that changed is there twice for a while; `words` are what full text is searched
 * in, the terms as Audition makes them; `rounded` is the whole vector in 8 bits, `vector` the first part of it, which the engine searches.
 */
export const schemaOf = (shape: VectorShape | null) =>
  new Schema([
    ...['row', 'id', 'source', 'hash', 'card', 'words'].map((name) => new Field(name, new Utf8(), false)),
    ...['server', 'agent_kind'].map((name) => new Field(name, new Utf8(), true)),
    new Field('tags', new List(new Field('item', new Utf8(), true)), false),
    ...['runnable', 'read_only'].map((name) => new Field(name, new Bool(), false)),
    ...['born', 'gone'].map((name) => new Field(name, new Float64(), false)),
    ...(shape === null ? [] : vectorFields(shape)),
  ])

const vectorFields = (shape: VectorShape) => [
  new Field('rounded', new Binary(), true),
  new Field(
    'vector',
    new FixedSizeList(searchedLength(shape), new Field('item', new Float32(), true)),
    false,
  ),
]

/** How much of a vector the engine searches. */
export const searchedLength = ({ dimensions, parts }: VectorShape): number => parts?.[0] ?? dimensions

/** Rows of one request: some megabytes. */
const rowsAtOnce = 1000

export type NewRows = {
  readonly cards: readonly Card[]
  /** Of the cards in their order; null where there is no model. */
  readonly vectors: readonly Float32Array[] | null
  readonly shape: VectorShape | null
  /** Number of the commit. */
  readonly born: number
}

/** Adds rows; what was added before by the same commit is replaced, so that it may be done twice. */
export async function addRows(
  table: Table,
  { cards, vectors, shape, born }: NewRows,
  ask: (write: () => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < cards.length; from += rowsAtOnce) {
    const part = cards.slice(from, from + rowsAtOnce)
    const rows = rowsOf(part, { shape, born, vectors: vectors?.slice(from, from + rowsAtOnce) ?? null })
    await ask(() => table.mergeInsert('row').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows))
  }
}

function rowsOf(cards: readonly Card[], { vectors, shape, born }: Omit<NewRows, 'cards'>) {
  const { makeData, RecordBatch, Table: ArrowTable, vectorFromArray } = arrow
  const schema = schemaOf(shape)
  const texts = (of: (card: Card) => string | null) => vectorFromArray(cards.map(of), new Utf8()).data[0]!
  const flags = (of: (card: Card) => boolean) => vectorFromArray(cards.map(of), new Bool()).data[0]!
  const numbers = (value: number) =>
    vectorFromArray(
      Array.from(cards, () => value),
      new Float64(),
    ).data[0]!
  const children = [
    texts(({ id }) => `${born}/${id}`),
    texts(({ id }) => id),
    texts(({ source }) => source),
    texts(contentHash),
    texts((card) => sealed(JSON.stringify(card))),
    texts((card) => wordsOfCard(card).join(' ')),
    texts((card) => (card.kind === 'tool' ? (card.server ?? null) : null)),
    texts((card) => (card.kind === 'agent' ? card.agentKind : null)),
    vectorFromArray(
      cards.map(({ tags }) => tags.map((tag) => normalTag(tag))),
      new List(new Field('item', new Utf8(), true)),
    ).data[0]!,
    flags(({ runtime }) => runtime !== undefined && runtime !== null),
    flags((card) => card.kind === 'tool' && card.annotations?.readOnly === true),
    numbers(born),
    numbers(staying),
    ...(shape === null || vectors === null ? [] : vectorColumns(vectors, shape)),
  ]
  const data = makeData({ type: new Struct(schema.fields), length: cards.length, nullCount: 0, children })
  return new ArrowTable(schema, new RecordBatch(schema, data))
}

function vectorColumns(vectors: readonly Float32Array[], shape: VectorShape) {
  const length = searchedLength(shape)
  const rounded = vectors.map((vector) => {
    const own = roundedVector(vector, shape.parts ?? [shape.dimensions])
    return own && bytesOfRounded(own)
  })
  const searched = vectors.map((vector, at) =>
    rounded[at] ? vector.subarray(0, length) : new Float32Array(length),
  )
  return [arrow.vectorFromArray(rounded, new Binary()).data[0]!, floatColumn(searched, length)]
}

/** The condition for rows that count at a state of the store. */
export function countingAt({ at, dead }: Pick<EngineState, 'at' | 'dead'>): string {
  const numbers = `(${dead.map(({ number }) => number).join(', ')})`
  const isDead = (column: string): string => (dead.length === 0 ? 'false' : `${column} IN ${numbers}`)
  return `born <= ${at} AND NOT (${isDead('born')}) AND (gone > ${at} OR ${isDead('gone')})`
}

/** A table as it is at a state of the store. What asks for rows of it asks for those that count. */
export const tableAt = (table: Table, state: EngineState, where = 'true'): CardRows => ({
  query: () => table.query().where(`(${where}) AND ${countingAt(state)}`),
})

/** Lets rows go with a commit. */
export const letGo = (
  table: Table,
  { where, state, number }: { readonly where: string; readonly state: EngineState; readonly number: number },
) => table.update({ where: `(${where}) AND ${countingAt(state)}`, values: { gone: number } })

/** Takes back what commits wrote that are dead. */
export async function takeBack(table: Table, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  const list = `(${numbers.join(', ')})`
  await table.delete(`born IN ${list}`)
  await table.update({ where: `gone IN ${list}`, values: { gone: staying } })
}

/** Forgets rows that went with a commit or before it. */
export const forgetGone = (table: Table, number: number, dead: EngineState['dead']) =>
  table.delete([`gone <= ${number}`, ...dead.map((one) => `gone <> ${one.number}`)].join(' AND '))

/**
 * A filter as the engine's SQL: the same cards as `CardColumns.admit` admits.
 *
 * @param values - what words for servers mean
 */
export function filterSql(
  filter: CardFilter,
  { kind, values }: { readonly kind: CardKind; readonly values: CardColumns['values'] },
): string {
  const { sources, tags, agentKinds, servers, hasRuntime, readOnly, exclude, only } = filter
  const { table, meant } = values.servers
  const conditions = [
    sources?.length ? `source ${among(sources)}` : null,
    tags?.length ? `array_has_any(tags, [${tags.map((tag) => quoted(normalTag(tag))).join(', ')}])` : null,
    kind === 'agent' && agentKinds?.length ? `agent_kind ${among(agentKinds)}` : null,
    kind === 'tool' && servers?.length
      ? amongOrNone(
          'server',
          servers.flatMap(meant).map((place) => table.at(place)),
        )
      : null,
    hasRuntime === undefined ? null : `runnable = ${hasRuntime}`,
    readOnly === undefined ? null : `read_only = ${readOnly}`,
    exclude?.length ? `NOT (id ${among(exclude)})` : null,
    only === undefined ? null : amongOrNone('id', only),
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? 'true' : conditions.join(' AND ')
}

const amongOrNone = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} ${among(values)}`
