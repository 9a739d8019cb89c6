import { contentHash } from '../../src/catalog/identity.ts'
import type { CatalogWriter } from '../../src/store/catalog-writer.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import type { SourceReview } from '../../src/store/source-review.ts'
import { changesStanding, standingsOf } from '../../src/trust/standing.ts'
import type { Card } from '../../src/domain/card.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import {
  type CatalogReader,
  type CatalogSnapshot,
  type EmbeddingModel,
  NoIndexError,
} from '../../src/retrieval/ports.ts'

/** A catalog that is written and read in memory: one writer at a time, any number of readers. */
export type MemoryCatalog = {
  writer(model?: EmbeddingModel | null): Promise<CatalogWriter>
  reader(): CatalogReader
}

type State = {
  readonly cards: ReadonlyMap<string, Card>
  readonly sources: ReadonlyMap<string, SourceState>
  readonly reviews: ReadonlyMap<string, SourceReview>
  readonly model: EmbeddingModel | null
  readonly snapshot: CatalogSnapshot
}

/** The simplest thing that keeps the catalog's contract: the index plan is tested over it. */
export function memoryCatalog(): MemoryCatalog {
  let state: State | null = null
  let turn: Promise<void> = Promise.resolve()

  return {
    async writer(model = null) {
      const before = turn
      let leave = (): void => undefined
      turn = new Promise((resolve) => {
        leave = resolve
      })
      await before
      return {
        isCurrent: async () => state !== null && (state.model?.id ?? null) === (model?.id ?? null),
        sources: async () => ordered(state),
        hashes: async (source) =>
          new Map(
            [...(state?.cards.values() ?? [])]
              .filter((card) => card.source === source)
              .map((card) => [card.id, contentHash(card)]),
          ),
        ids: async () => [...(state?.cards.values() ?? [])].map(({ id, source }) => ({ id, source })),
        cards: async (ids) => ids.flatMap((id) => state?.cards.get(id) ?? []),
        reviews: async () => reviewsOf(state),
        async commit(change, onProgress = () => undefined, signal) {
          const gone = new Set(change.removeSources)
          const removed = new Set(change.remove)
          const kept = [...(state?.cards ?? [])].filter(
            ([id, card]) => !gone.has(card.source) && !removed.has(id),
          )
          const cards = new Map([...kept, ...change.put.map((card) => [card.id, card] as const)])
          const sources = new Map([...(state?.sources ?? [])].filter(([id]) => !gone.has(id)))
          for (const source of change.sources) sources.set(source.id, source)
          const forgotten = new Set(change.removeReviews)
          const reviews = new Map([...(state?.reviews ?? [])].filter(([key]) => !forgotten.has(key)))
          for (const review of change.reviews ?? []) reviews.set(review.key, review)
          onProgress(0.5, 'writing')
          const isChanged =
            state === null ||
            (state.model?.id ?? null) !== (model?.id ?? null) ||
            change.put.length > 0 ||
            kept.length < state.cards.size ||
            changesStanding(ordered(state), change.sources)
          const generation = (state?.snapshot.generation ?? 0) + 1
          const snapshot =
            state && !isChanged
              ? state.snapshot
              : await memorySnapshot([...cards.values()], model, {
                  generation,
                  standingOf: standingsOf([...sources.values()]),
                })
          signal?.throwIfAborted()
          state = { cards, sources, reviews, model, snapshot }
          onProgress(1, 'done')
        },
        close: async () => leave(),
      }
    },
    reader: () => ({
      async snapshot() {
        if (state === null) throw new NoIndexError()
        return state.snapshot
      },
      sources: async () => ordered(state),
      reviews: async () => reviewsOf(state),
      close: async () => {},
    }),
  }
}

const ordered = (state: State | null): readonly SourceState[] =>
  [...(state?.sources.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))

const reviewsOf = (state: State | null): readonly SourceReview[] =>
  [...(state?.reviews.values() ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1))
