import type { Card } from '../../../domain/card.ts'
import { batches } from '../../../domain/grouped.ts'
import { once } from '../../../domain/once.ts'
import { quantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import { hasAllParts, vectorsOfCards } from '../../../retrieval/vectors-of-cards.ts'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { allCards, conditionsOf, putCards, type Removal } from '../card-rows.ts'
import {
  cardKinds,
  cardSchema,
  cardTables,
  conditionsFor,
  quoted,
  vectorSchema,
  vectorTables,
} from '../schemas.ts'
import { readingStore } from '../store-location.ts'
import { type VectorRow, vectorRows } from '../vectors.ts'
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
  const changing = await tables.change(cardTables[kind], {
    schema: cardSchema,
    former: 'kept',
    gone: conditionsOf(removal),
    coming: put.map(({ id }) => id),
  })
  const { there } = changing
  await putCards(changing, put, { onProgress: (share) => report(share * 0.3, 'writing'), signal })
  await changing.done()
  const rows = await changing.read()
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
  const isKnown = isAlike && tables.hasVectors(kind)
  const wanted = isKnown ? put : await all()
  const changing = await tables.change(vectorTables[kind], {
    schema: vectorSchema(model),
    former: isKnown ? 'kept' : 'dropped',
    gone: vectorsOf(removal),
    coming: wanted.map(({ id }) => id),
    there: isKnown ? there : new Set<string>(),
  })
  const made = quantisedVectors(model.dimensions, model.parts)
  // Vectors that are replaced are looked up first: a damaged table shows here.
  const keep = async (rows: readonly VectorRow[]): Promise<void> => {
    // An addition refuses vectors that are none, which a merge takes: a model may have made some.
    const isNew = ({ id, vector }: VectorRow): boolean =>
      !changing.there.has(id) && vector.every(Number.isFinite)
    const [fresh, others] = [rows.filter(isNew), rows.filter((row) => !isNew(row))]
    await readingStore(location, async () => {
      if (fresh.length > 0) await changing.put(vectorRows(model, fresh))
      if (others.length > 0) await changing.replace(vectorRows(model, others))
    })
    for (const { id, vector } of rows) made.add(id, vector)
  }
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
  await changing.done()
  return { table: await changing.read(), isNew: !isKnown, made }
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

/** Conditions for the vectors of cards that must go. */
export const vectorsOf = ({ ids, sources }: Removal): readonly string[] => [
  ...conditionsFor('id', ids),
  ...sources.map((source) => `starts_with(id, ${quoted(`${source}/`)})`),
]
