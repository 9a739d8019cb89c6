import type { Query, Table } from '@lancedb/lancedb'
import { contentHash } from '../../catalog/identity.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import { batches } from '../../domain/grouped.ts'
import { parseSealed, sealed } from '../../domain/text/sealed-json.ts'
import type { CatalogChange } from '../../store/catalog-writer.ts'
import { type arrow, lancedb } from './native.ts'
import { addressesOf, idsThere } from './places-in.ts'
import { among, cardSchema, conditionsFor, quoted } from './schemas.ts'

/** Rows and characters per write, and rows per reading: large enough to be fast, small enough for Ctrl-C and memory. */
const replacedAtOnce = { rows: 5000, characters: 16 * 1024 * 1024 } as const
/** Each addition is a piece of the table: many small ones would be written anew soon. */
const addedAtOnce = { rows: 50_000, characters: 128 * 1024 * 1024 } as const
const batchPlaces = 500

/** Rows of cards to be read: a table, or those of it that count. */
export type CardRows = Pick<Table, 'query'>

/** Cards of one kind that must go, all of them in its table. */
export type Removal = { readonly ids: readonly string[]; readonly sources: readonly string[] }

/** What of a kind's table a change takes away: what it removes, and cards that are of the other kind from now on. */
export async function removalOf(
  tables: { former(kind: CardKind): Promise<Table> },
  kind: CardKind,
  change: CatalogChange,
): Promise<Removal> {
  const moved = change.put.filter((card) => card.kind !== kind).map(({ id }) => id)
  const wanted = [...new Set([...change.remove, ...moved])]
  if (wanted.length + change.removeSources.length === 0) return { ids: [], sources: [] }
  const table = await tables.former(kind)
  const there = await idsThere(table, wanted)
  const sources = change.removeSources.length === 0 ? new Set() : await sourcesThere(table)
  return {
    ids: wanted.filter((id) => there.has(id)),
    sources: change.removeSources.filter((id) => sources.has(id)),
  }
}

async function sourcesThere(table: Table): Promise<ReadonlySet<unknown>> {
  const rows = await table.query().select(['source']).toArrow()
  return new Set(rows.getChild('source') ?? [])
}

/** Conditions for cards by id and by source. */
export const conditionsOf = ({ ids, sources }: Removal): readonly string[] => [
  ...conditionsFor('id', ids),
  ...conditionsFor('source', sources),
]

/** Removes the rows that any of some conditions names. */
export async function removeRows(
  table: Table,
  conditions: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const where of conditions) {
    signal?.throwIfAborted()
    await table.delete(where)
  }
}

type Rows = InstanceType<typeof arrow.Table>

/** A table that rows come into. */
export type ComingRows = {
  /** Ids of rows that come whose places are taken, and which replace what is there. */
  readonly there: ReadonlySet<string>
  put(rows: Rows): Promise<void>
  /** Puts rows in the place of those of their ids. */
  replace(rows: Rows): Promise<void>
}

/** Puts cards into a table, some at a time: those that it has, and others, which no look at all rows is needed for. */
export async function putCards(
  table: ComingRows,
  cards: readonly Card[],
  {
    onProgress,
    signal,
  }: {
    readonly onProgress: (share: number) => void
    readonly signal: AbortSignal | undefined
  },
): Promise<void> {
  let done = 0
  const advance = (rows: readonly CardRow[]): void => {
    done += rows.length
    onProgress(done / cards.length)
    signal?.throwIfAborted()
  }
  signal?.throwIfAborted()
  const inTable = (rows: CardRow[]) => lancedb.makeArrowTable(rows, { schema: cardSchema })
  for (const rows of rowBatches(
    cards.filter(({ id }) => table.there.has(id)),
    replacedAtOnce,
  )) {
    await table.replace(inTable(rows))
    advance(rows)
  }
  for (const rows of rowBatches(
    cards.filter(({ id }) => !table.there.has(id)),
    addedAtOnce,
  )) {
    await table.put(inTable(rows))
    advance(rows)
  }
}

type CardRow = { readonly id: string; readonly source: string; readonly hash: string; readonly card: string }

/** Rows are made batch by batch, since the JSON of a whole catalog is large. */
function* rowBatches(
  cards: readonly Card[],
  most: typeof replacedAtOnce | typeof addedAtOnce,
): Generator<CardRow[]> {
  let rows: CardRow[] = []
  let characters = 0
  for (const card of cards) {
    const row = {
      id: card.id,
      source: card.source,
      hash: contentHash(card),
      card: sealed(JSON.stringify(card)),
    }
    if (rows.length > 0 && (rows.length === most.rows || characters + row.card.length > most.characters)) {
      yield rows
      rows = []
      characters = 0
    }
    rows.push(row)
    characters += row.card.length
  }
  if (rows.length > 0) yield rows
}

/** Cards are fetched by id. */
export async function indexIds(table: Table): Promise<void> {
  if ((await table.listIndices()).length > 0 || (await table.countRows()) === 0) return
  await table.createIndex('id', { config: lancedb.Index.btree() })
}

/** Card id to content hash, of one source. */
export const hashesOf = (table: CardRows, source: string): Promise<readonly (readonly [string, string])[]> =>
  pairs(table.query().where(`source = ${quoted(source)}`), 'hash')

/** From so many ids on a whole column is read sooner than they are found. */
const manyIds = 500

/** Card id to content hash, in no order; an unknown id is left out. */
export async function hashesByIds(
  table: CardRows,
  ids: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  if (ids.length === 0) return []
  const query = table.query()
  const rows = await pairs(ids.length < manyIds ? query.where(`id ${among(ids)}`) : query, 'hash')
  const wanted = new Set(ids)
  return rows.filter(([id]) => wanted.has(id))
}

/** Ids and sources of all cards of a table. */
export async function allIds(table: CardRows): Promise<{ readonly id: string; readonly source: string }[]> {
  const rows = await pairs(table.query(), 'source')
  return rows.map(([id, source]) => ({ id, source }))
}

/** Ids and another column of what a query finds. */
async function pairs(
  query: Query,
  column: 'hash' | 'source',
): Promise<readonly (readonly [string, string])[]> {
  const rows = await query.select(['id', column]).toArrow()
  const [ids, values] = [rows.getChild('id')!, rows.getChild(column)!]
  return Array.from(
    { length: rows.numRows },
    (_, row) => [ids.get(row) as string, values.get(row) as string] as const,
  )
}

/** A card of a row. @throws Error when it was changed after it was written */
export const cardIn = (text: string): Card => parseSealed(text) as Card

/** All cards of a table. */
export async function allCards(table: CardRows): Promise<Card[]> {
  const rows = await table.query().select(['card']).toArrow()
  const column = rows.getChild('card')
  return Array.from({ length: rows.numRows }, (_, index) => cardIn(column?.get(index) as string))
}

/** The same, so many at a time. */
export async function* cardBatches(table: CardRows, size: number): AsyncGenerator<readonly Card[]> {
  let cards: Card[] = []
  for await (const batch of table.query().select(['card']))
    for (const text of batch.getChild('card')!) {
      cards.push(cardIn(text as string))
      if (cards.length < size) continue
      yield cards
      cards = []
    }
  if (cards.length > 0) yield cards
}

/** Cards by id, in no order; an unknown id is left out. */
export async function cardsByIds(table: CardRows, ids: readonly string[]): Promise<Card[]> {
  const found: Card[] = []
  for (const where of conditionsFor('id', ids)) {
    const rows = (await table.query().where(where).select(['card']).toArray()) as { card: string }[]
    for (const { card } of rows) found.push(cardIn(card))
  }
  return found
}

/** A card, and the row of its table that holds it, from 0. */
type CardPlace = { readonly id: string; readonly row: number }

/**
 * Cards by row, which takes a fraction of the time that looking for their ids does; those that are not where they should be are
 * looked for. In no order; an unknown id is left out.
 */
export async function cardsAt(table: Table, wanted: readonly CardPlace[]): Promise<Card[]> {
  const found: Card[] = []
  for (const batch of batches(wanted, batchPlaces)) {
    const ids = new Set(batch.map(({ id }) => id))
    const cards = await cardsInRows(
      table,
      batch.map(({ row }) => row),
    )
    for (const card of cards) if (ids.delete(card.id)) found.push(card)
    found.push(...(await cardsByIds(table, [...ids])))
  }
  return found
}

/** Rows beyond the end are an error, and so is what cannot be read: whoever looks for the ids then says which. */
async function cardsInRows(table: Table, rows: readonly number[]): Promise<readonly Card[]> {
  try {
    const addresses = await addressesOf(table)
    const taken = (await table
      .takeRowIds(rows.map((row) => addresses[row]!))
      .select(['card'])
      .toArray()) as { card: string }[]
    return taken.map(({ card }) => cardIn(card))
  } catch {
    return []
  }
}
