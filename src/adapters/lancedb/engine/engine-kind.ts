import type { Connection, Table } from '@lancedb/lancedb'
import type { Card, CardKind } from '../../../domain/card.ts'
import { batches } from '../../../domain/grouped.ts'
import { type CatalogSums, countCard, sumsOf } from '../../../retrieval/index/catalog-counts.ts'
import { hasAllParts } from '../../../retrieval/vectors-of-cards.ts'
import { allCards, conditionsOf } from '../card-rows.ts'
import { embedCards } from '../commit/change-kind.ts'
import type { Commit } from '../commit/commit.ts'
import { isCurrent } from '../commit/next-head.ts'
import { nameInTime } from '../pointed-table.ts'
import { cardKinds, cardTables, imagesTable, type VectorShape } from '../schemas.ts'
import { StoreError } from '../store-location.ts'
import { readImage } from '../vectors.ts'
import type { Claim } from './engine-claim.ts'
import { askingFor } from '../engine-connection.ts'
import { makeIndexes, unreadyIndexes } from './engine-indexes.ts'
import { addRows, letGo, schemaOf, tableAt } from './engine-rows.ts'

/** A commit under way, and the tables of cards that it opened, by kind. */
export type EngineWork = Omit<Commit, 'landing'> & {
  readonly claim: Claim
  readonly tables: Map<CardKind, Table>
}

/** A kind of cards after a change: its table, and the sums over all its cards. */
export type KindChanged = { readonly kind: CardKind; readonly name: string; readonly sums: CatalogSums }

/** @returns nothing when the change leaves the kind as it is */
export async function changeKind(work: EngineWork, kind: CardKind): Promise<readonly KindChanged[]> {
  const { change, model, claim } = work
  const { head } = claim.before
  const put = change.put.filter((card) => card.kind === kind)
  const moved = change.put.filter((card) => card.kind !== kind).map(({ id }) => id)
  const leaving = { ids: [...change.remove, ...moved], sources: change.removeSources }
  const name = head?.names[cardTables[kind]]
  if (name === undefined || !isCurrent(head, model) || crosses(work, kind, put.length))
    return [await makeKind(work, kind, { put, leaving })]
  const gone = await goingCards(work, kind, { ...leaving, ids: [...leaving.ids, ...put.map(({ id }) => id)] })
  if (put.length + gone.cards.length === 0) return []
  const sums = sumsOf((await packedSums(work.connection, head!.names[imagesTable]!, kind))!)
  for (const card of gone.cards) countCard(sums, card, -1)
  for (const where of gone.conditions) {
    await claim.beat()
    await asked(work, 'update', () =>
      letGo(gone.table, { where, state: claim.before.engine, number: claim.number }),
    )
  }
  for (const card of put) countCard(sums, card, 1)
  await writeCards(work, gone.table, { kind, cards: put, of: sums.get('n') ?? 0 })
  await makeIndexesOf(work, gone.table, sums)
  return [{ kind, name, sums }]
}

type Leaving = { readonly ids: readonly string[]; readonly sources: readonly string[] }

/** Whether the model reads cards of the kind after the change, and did not before, or the other way round: an upper bound. */
function crosses({ model, claim }: EngineWork, kind: CardKind, put: number): boolean {
  const { head } = claim.before
  if (model === null || head === null) return false
  const isUnread = head.embedding?.unread?.includes(kind) ?? false
  const count = { tool: head.tools, agent: head.agents }[kind]
  return isUnread ? hasAllParts(model, count) : !hasAllParts(model, count + put)
}

/** All cards in a table of their own: the first ones, or after another model came. */
async function makeKind(
  work: EngineWork,
  kind: CardKind,
  { put, leaving }: { readonly put: readonly Card[]; readonly leaving: Leaving },
): Promise<KindChanged> {
  const { connection, claim, model } = work
  const { head, engine } = claim.before
  const former = head?.names[cardTables[kind]]
  const gone = new Set([...leaving.ids, ...put.map(({ id }) => id)])
  const sources = new Set(leaving.sources)
  const known =
    former === undefined ? [] : await allCards(tableAt(await connection.openTable(former), engine))
  const cards = [...known.filter(({ id, source }) => !gone.has(id) && !sources.has(source)), ...put]
  const name = nameInTime(cardTables[kind], new Date())
  const table = await connection.createEmptyTable(name, schemaOf(model))
  work.tables.set(kind, table)
  await writeCards(work, table, { kind, cards, of: cards.length })
  const sums: CatalogSums = new Map()
  for (const card of cards) countCard(sums, card, 1)
  await makeIndexesOf(work, table, sums)
  return { kind, name, sums }
}

/** Cards that a change takes away or replaces, and the conditions that name them. */
async function goingCards(
  work: EngineWork,
  kind: CardKind,
  leaving: Leaving,
): Promise<{
  readonly table: Table
  readonly cards: readonly Card[]
  readonly conditions: readonly string[]
}> {
  const { connection, claim } = work
  const { head, engine } = claim.before
  const table = await connection.openTable(head!.names[cardTables[kind]]!)
  work.tables.set(kind, table)
  const conditions = conditionsOf(leaving)
  const cards = new Map<string, Card>()
  for (const where of conditions)
    for (const card of await allCards(tableAt(table, engine, where))) cards.set(card.id, card)
  return { table, cards: [...cards.values()], conditions }
}

const cardsAtOnce = 5000

/** Adds rows of cards, with their vectors where there is a model. */
async function writeCards(
  work: EngineWork,
  table: Table,
  { kind, cards, of }: { readonly kind: CardKind; readonly cards: readonly Card[]; readonly of: number },
): Promise<void> {
  const { model, claim, signal } = work
  const report = (done: number, what: string): void =>
    work.onProgress(
      (cardKinds.indexOf(kind) + done / Math.max(cards.length, 1)) / cardKinds.length,
      `${what} ${kind}s`,
    )
  const write = async (part: readonly Card[], vectors: readonly Float32Array[] | null): Promise<void> => {
    signal?.throwIfAborted()
    await claim.beat()
    const rows = { cards: part, vectors, shape: model as VectorShape | null, born: claim.number }
    await addRows(table, rows, (adding) => asked(work, 'merge_insert', adding))
  }
  if (model === null) {
    let done = 0
    for (const part of batches(cards, cardsAtOnce)) {
      await write(part, null)
      done += part.length
      report(done, 'writing')
    }
    return
  }
  const byId = new Map(cards.map((card) => [card.id, card]))
  await embedCards(model, cards, {
    cardsOfKind: of,
    atOnce: cardsAtOnce,
    signal,
    put: (rows) =>
      write(
        rows.map(({ id }) => byId.get(id)!),
        rows.map(({ vector }) => vector),
      ),
    onProgress: ({ done }) => report(done, 'embedding'),
  })
}

/** Makes what is missing, and waits for it: a search by words needs its index, and one by vectors is slow without. */
async function makeIndexesOf(work: EngineWork, table: Table, sums: CatalogSums): Promise<void> {
  const { location, model, claim, signal } = work
  const indexable = { hasVectors: model !== null, rows: sums.get('n') ?? 0 }
  if (indexable.rows === 0) return
  const awaited = await asked(work, 'create_index', () => makeIndexes(table, indexable))
  if (awaited.length === 0) return
  const unready = await unreadyIndexes(table, awaited, async () => {
    signal?.throwIfAborted()
    await claim.beat()
  })
  if (!unready.includes('words')) return
  const reason = 'its engine has not made the index of words within ten minutes'
  throw new StoreError(
    `Nothing is committed to ${location}: ${reason}.`,
    'Look in the deployment what its indexers do, and run `audition index` again.',
    { reason },
  )
}

const asked = <T>({ location }: EngineWork, path: string, ask: () => Promise<T>): Promise<T> =>
  askingFor(location, path, ask)

/** What is known of all cards of a kind, as a commit wrote it; null where the table has none of it. */
export async function packedSums(
  connection: Connection,
  name: string,
  kind: CardKind,
): Promise<Uint8Array | null> {
  const table = await connection.openTable(name)
  try {
    const image = await readImage(table, kind, (size) => ({ bytes: new Uint8Array(size) }))
    return image?.bytes ?? null
  } finally {
    table.close()
  }
}
