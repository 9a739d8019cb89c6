import type { Card } from '../../domain/card.ts'
import { sendingOf } from '../../retrieval/vectors-of-cards.ts'
import type { EmbeddingModel } from '../../retrieval/ports.ts'
import { type CatalogChange, type CatalogWriter, NotAgreedError } from '../../store/catalog-writer.ts'
import { allIds, cardsByIds, hashesOf } from './card-rows.ts'
import { readAgainWithoutList } from './models-table.ts'
import { readingStore, type StoreLocation } from './store-location.ts'
import { isCurrent } from './commit/next-head.ts'
import { type Holder, lockStore } from './commit/writer-lock.ts'
import { WrittenStore } from './written-store.ts'

/** How a store is written. */
export type WriterOptions = {
  /** Makes the vectors; null leaves the store without. A store made by another model is embedded anew. */
  readonly model: EmbeddingModel | null
  /**
   * `preview` writes nothing, waits for nobody, and cannot commit: it is for asking what would change.
   * @defaultValue 'commit'
   */
  readonly intent?: 'commit' | 'preview'
  /** Called once when another process holds the store. */
  readonly onWait?: (holder: Holder) => void
  readonly signal?: AbortSignal
  /** Cards of a kind from which its search image is kept in segments, so that a commit writes what changed. @defaultValue 4000 */
  readonly segmentsFrom?: number
}

/** Fewer are packed anew in less time than a person notices. */
const usualSegmentsFrom = 4000

/**
 * Opens a LanceDB store for writing. Nothing is made or changed before the first commit. Tables are changed first and the row `head`,
 * which names one version of each, is written last, in the place of the head that was read: readers see all of a commit or nothing,
 * and of writers that began on the same head one commits. In a local folder a lock lets them wait for each other.
 *
 * @throws StoreError when the store is damaged, written by a newer Audition, or cannot be written
 */
export async function lanceWriter(location: StoreLocation, options: WriterOptions): Promise<CatalogWriter> {
  const { model, intent = 'commit', signal: opening, onWait, segmentsFrom = usualSegmentsFrom } = options
  const unlock = intent === 'preview' ? () => undefined : await lockStore(location, opening, onWait)
  try {
    const store = new WrittenStore(location, intent, segmentsFrom)
    await readingStore(location, () => store.open())
    return writerOf(store, { model, unlock })
  } catch (error) {
    unlock()
    throw error
  }
}

const writerOf = (
  store: WrittenStore,
  { model, unlock }: { readonly model: EmbeddingModel | null; readonly unlock: () => void },
): CatalogWriter => ({
  isCurrent: async () => isCurrent(store.stored.head, model),
  sources: async () => readAgainWithoutList(store.location, (await store.states()).sources),
  reviews: async () => (await store.states()).reviews,
  hashes: async (source) => new Map(await store.ofCards((table) => hashesOf(table, source))),
  ids: () => store.ofCards(allIds),
  cards: (ids) => store.ofCards((table) => cardsByIds(table, ids)),
  async sending(change) {
    if (model?.service === undefined) return null
    return sendingOf(model, await embeddedBy(change, store, model))
  },
  agree: (sending) => model?.service?.agree(sending),
  async commit(change, onProgress = () => undefined, signal) {
    const made = await readyFor(change, store, { model, signal })
    await store.commit({ model: made, change, onProgress, signal })
  },
  async close() {
    try {
      await store.close()
    } finally {
      unlock()
    }
  },
})

/** The model, asked how long its vectors are; none where there is nothing to embed and nobody agreed to ask a service. */
async function readyFor(
  change: CatalogChange,
  store: WrittenStore,
  { model, signal }: { readonly model: EmbeddingModel | null; readonly signal: AbortSignal | undefined },
): Promise<EmbeddingModel | null> {
  const { head } = store.stored
  const stored = head?.embedding?.model === model?.id ? head?.embedding?.dimensions : undefined
  try {
    await model?.service?.ready({ stored, signal, forIndex: true })
    return model
  } catch (error) {
    if (!(error instanceof NotAgreedError) || (await embeddedBy(change, store, model!)).length > 0)
      throw error
    return null
  }
}

/** The cards that a commit embeds: those that it puts; all of them where the vectors are not this model's. */
async function embeddedBy(
  { put, remove, removeSources }: CatalogChange,
  store: WrittenStore,
  model: EmbeddingModel,
): Promise<readonly Card[]> {
  if (isCurrent(store.stored.head, model)) return put
  const gone = new Set([...put.map(({ id }) => id), ...remove])
  const stays = ({ id, source }: { readonly id: string; readonly source: string }) =>
    !gone.has(id) && !removeSources.includes(source)
  const ids = (await store.ofCards(allIds)).filter(stays).map(({ id }) => id)
  return [...put, ...(await store.ofCards((table) => cardsByIds(table, ids)))]
}
