import type { Card } from '../domain/card.ts'
import { type Dataset, DatasetError, type DatasetPart } from './datasets/dataset.ts'
import type { RunSettings } from './evaluation-run.ts'
import { memorySnapshot } from '../retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../retrieval/ports.ts'
import type { Standings } from '../trust/standing.ts'

/** What cards become searchable with. */
type CorpusMakeup = {
  /** Embeds the cards; null searches by words alone. */
  readonly model: EmbeddingModel | null
  /** Whose words the sources of the cards hold. */
  readonly standingOf: Standings
}

/** What each part of a dataset is searched in. Built when first asked for. */
type Corpora = {
  of(part: DatasetPart): Promise<CatalogSnapshot>
}

/**
 * @param makeup - `index`: the user's own, for the corpus of that name
 * @throws DatasetError when a part has no cards of its own, or no index is at hand
 */
export function corporaOf(
  dataset: Dataset,
  corpus: RunSettings['corpus'],
  { index, ...makeup }: CorpusMakeup & { readonly index?: CatalogSnapshot | undefined },
): Corpora {
  if (corpus === 'index') {
    if (index === undefined)
      throw new Error('The corpus "index" was asked for without a snapshot of the index.')
    return { of: async () => index }
  }
  const bare = dataset.parts.find(({ cards, queries }) => cards.length === 0 && queries.length > 0)
  if (bare !== undefined) {
    throw new DatasetError(
      `${dataset.name}: part "${bare.name}" has queries but no cards to search.`,
      'Ask your own index instead: --corpus index.',
    )
  }
  return corpus === 'own' ? ownCorpora(makeup) : joinedCorpus(dataset.parts, makeup)
}

/** One corpus at a time is held; parts that share their cards and follow each other share the corpus. */
function ownCorpora({ model, standingOf }: CorpusMakeup): Corpora {
  let held: { readonly cards: readonly Card[]; readonly snapshot: Promise<CatalogSnapshot> } | undefined
  return {
    of(part) {
      if (held?.cards !== part.cards)
        held = { cards: part.cards, snapshot: memorySnapshot(part.cards, model, { standingOf }) }
      return held.snapshot
    },
  }
}

function joinedCorpus(parts: readonly DatasetPart[], { model, standingOf }: CorpusMakeup): Corpora {
  let snapshot: Promise<CatalogSnapshot> | undefined
  return {
    of() {
      snapshot ??= memorySnapshot(distinctById(parts.flatMap(({ cards }) => cards)), model, { standingOf })
      return snapshot
    },
  }
}

/** Parts over the same catalog have the same cards. */
const distinctById = (cards: readonly Card[]): readonly Card[] => [
  ...new Map(cards.map((card) => [card.id, card])).values(),
]

/** Documents embedded at once: between two such batches a run can be stopped. */
const documentsAtOnce = 256

/** A model that is told of queries before they are searched, so that many are embedded at once. */
export type BatchedModel = EmbeddingModel & {
  /** Embeds the queries of a batch; forgets those of the batch before. */
  prepare(queries: readonly string[]): Promise<void>
}

/**
 * Puts batches before a model. A query that was not prepared is embedded alone.
 *
 * @param signal - stops between two batches of documents
 */
export function embedInBatches(model: EmbeddingModel, signal?: AbortSignal): BatchedModel {
  let prepared: ReadonlyMap<string, Float32Array> = new Map()
  const inSteps = async <T>(
    all: readonly T[],
    embed: (some: readonly T[]) => Promise<readonly Float32Array[]>,
    ownSignal = signal,
  ): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = []
    for (let start = 0; start < all.length; start += documentsAtOnce) {
      ownSignal?.throwIfAborted()
      vectors.push(...(await embed(all.slice(start, start + documentsAtOnce))))
    }
    return vectors
  }
  return {
    id: model.id,
    dimensions: model.dimensions,
    ...(model.parts ? { parts: model.parts } : {}),
    ...(model.plain ? { plain: model.plain } : {}),
    ...(model.mostCards === undefined ? {} : { mostCards: model.mostCards }),
    ...(model.ranker ? { ranker: model.ranker } : {}),
    ...(model.embedInstructed
      ? { embedInstructed: (query, instruction) => model.embedInstructed!(query, instruction, signal) }
      : {}),
    ...(model.embedCards ? { embedCards: (cards) => inSteps(cards, (some) => model.embedCards!(some)) } : {}),
    async prepare(queries) {
      const distinct = [...new Set(queries)]
      const vectors = await model.embed(distinct, 'query', signal)
      prepared = new Map(distinct.map((text, at) => [text, vectors[at]!]))
    },
    async embed(texts, role, ownSignal = signal) {
      if (role === 'query') {
        const known = texts.flatMap((text) => prepared.get(text) ?? [])
        return known.length === texts.length ? known : model.embed(texts, role, ownSignal)
      }
      return inSteps(texts, (some) => model.embed(some, role, ownSignal), ownSignal)
    },
    close: () => model.close(),
  }
}
