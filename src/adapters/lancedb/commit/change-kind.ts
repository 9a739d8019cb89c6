import type { Table } from '@lancedb/lancedb'
import type { Card } from '../../../domain/card.ts'
import { batches } from '../../../domain/grouped.ts'
import { once } from '../../../domain/once.ts'
import { quantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import { hasAllParts, vectorsOfCards } from '../../../retrieval/index/vectors-of-cards.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { allCards, conditionsOf, putCards, type Removal, removeRows } from '../card-rows.ts'
import { idsThere } from '../places-in.ts'
import { cardKinds, conditionsFor, quoted } from '../schemas.ts'
import { readingStore } from '../store-location.ts'
import { putVectors, type VectorRow } from '../vectors.ts'
import type { CardsOfKind, KindChange, KindVectors, KindWork } from './kind-work.ts'
import { writeIndex } from './write-index.ts'

/** Numbers of vectors per write, 64 MB: each write is a piece of the table. */
const vectorValues = 2 ** 24

/** A kind after a change. */
type ChangedKind = {
  readonly cards: number
  /** SHA-256 of its search image, in hex. */
  readonly digest: string
}

/** Changes the cards of one kind, then its vectors and its search image. */
export async function changeKind(work: KindWork, change: KindChange): Promise<ChangedKind> {
  const { location, tables, kind, model, onProgress, signal } = work
  const { put, removal } = change
  const report = (share: number, what: string): void =>
    onProgress((cardKinds.indexOf(kind) + share) / cardKinds.length, `${what} ${kind}s`)
  const rows = await tables.cards(kind)
  await removeRows(rows, conditionsOf(removal), signal)
  const there = await readingStore(location, () =>
    idsThere(
      rows,
      put.map(({ id }) => id),
    ),
  )
  await putCards(rows, put, { there, onProgress: (share) => report(share * 0.3, 'writing'), signal })
  await tables.settleCards(kind)
  const count = await rows.countRows()
  const all = once(() => readingStore(location, () => allCards(rows)))
  const onEmbedded = ({ done, of }: Done): void => {
    const share = 0.3 + (done / of) * 0.4
    if (model?.parts && hasAllParts(model, count))
      onProgress((cardKinds.indexOf(kind) + share) / cardKinds.length, `reading ${done} of ${of} cards`)
    else report(share, 'embedding')
  }
  const vectors =
    model && (await embedKind({ ...work, model, onEmbedded }, { put, removal, there, count, all }))
  signal?.throwIfAborted()
  const onPacked = (share: number): void => report(0.7 + share * 0.3, 'indexing')
  const digest = await writeIndex({ ...work, onPacked }, { ...change, rows, count, all, vectors })
  signal?.throwIfAborted()
  return { cards: count, digest }
}

/** How many cards of a commit have vectors already. */
type Done = { readonly done: number; readonly of: number }

/**
 * Embeds the cards that are new or changed; all of them with another model than the last commit's, and where there are now more or less
 * than the model reads.
 */
async function embedKind(
  {
    location,
    tables,
    kind,
    head,
    model,
    embedded,
    onEmbedded,
    signal,
  }: KindWork & { readonly model: EmbeddingModel; readonly onEmbedded: (done: Done) => void },
  {
    put,
    removal,
    there,
    count,
    all,
  }: Omit<KindChange, 'standingOf'> & CardsOfKind & { readonly there: ReadonlySet<string> },
): Promise<KindVectors> {
  const { model: former, unread = [] } = head?.embedding ?? {}
  const isAlike = former === model.id && unread.includes(kind) !== hasAllParts(model, count)
  const known = isAlike ? await tables.vectors(kind) : null
  const table = known ?? (await tables.makeVectors(kind, model))
  if (known) await removeVectors(known, removal, signal)
  const made = quantisedVectors(model.dimensions, model.parts)
  // Vectors that are replaced are looked up first: a damaged table shows here.
  const keep = async (rows: readonly VectorRow[]): Promise<void> => {
    await readingStore(location, () => putVectors(table, model, { rows, there: known ? there : new Set() }))
    for (const { id, vector } of rows) made.add(id, vector)
  }
  const wanted = known ? put : await all()
  const ready = wanted.flatMap(({ id }) => {
    const vector = embedded?.get(id)
    return vector === undefined ? [] : [{ id, vector }]
  })
  const atOnce = Math.ceil(vectorValues / model.dimensions)
  for (const rows of batches(ready, atOnce)) await keep(rows)
  const isReady = new Set(ready.map(({ id }) => id))
  const rest = wanted.filter(({ id }) => !isReady.has(id))
  const take = async (rows: readonly VectorRow[]): Promise<void> => {
    for (const { id, vector } of rows) embedded?.set(id, vector)
    await keep(rows)
  }
  await embedCards(model, rest, { cardsOfKind: count, atOnce, put: take, onProgress: onEmbedded, signal })
  return { table, isNew: known === null, made }
}

const batchEmbed = 64

/** Embeds cards, and hands the vectors over some at a time. */
export async function embedCards(
  model: EmbeddingModel,
  cards: readonly Card[],
  {
    cardsOfKind,
    atOnce,
    put,
    onProgress,
    signal,
  }: {
    /** How many there are, with those that have vectors already. */
    readonly cardsOfKind: number
    readonly atOnce: number
    /** Adds or replaces vectors by card id. */
    readonly put: (rows: readonly VectorRow[]) => Promise<void>
    readonly onProgress: (done: Done) => void
    readonly signal: AbortSignal | undefined
  },
): Promise<void> {
  let done = 0
  for (const rows of batches(cards, atOnce)) {
    const embedded: VectorRow[] = []
    for (const batch of batches(rows, batchEmbed)) {
      signal?.throwIfAborted()
      const vectors = await vectorsOfCards(model, batch, { cardsOfKind, signal })
      batch.forEach(({ id }, index) => {
        embedded.push({ id, vector: vectors[index]! })
      })
      done += batch.length
      onProgress({ done, of: cards.length })
    }
    await put(embedded)
  }
}

/** Removes the vectors of cards that must go. */
export function removeVectors(
  table: Table,
  { ids, sources }: Removal,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ofSources = sources.map((source) => `starts_with(id, ${quoted(`${source}/`)})`)
  return removeRows(table, [...conditionsFor('id', ids), ...ofSources], signal)
}
