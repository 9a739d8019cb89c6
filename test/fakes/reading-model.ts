import { boostedTrees } from '../../src/retrieval/rank/boosted-trees.ts'
import { readerFeatureNames } from '../../src/retrieval/rank/candidate-features.ts'
import type { LearnedRanker } from '../../src/retrieval/rank/learned-ranker.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { modelOf } from '../retrieval/arbitrary-trees.ts'
import { type HashedWordsModel, hashedWordsModel } from './hashed-words-model.ts'
import { rankerOver, rankingModel, split, treesOf } from './ranking-model.ts'

type Feature = (typeof readerFeatureNames)[number]

/** A ranker over readings that goes by one feature, in steps of a tenth. */
export function rankerByFeature(name: Feature): LearnedRanker {
  const trees = Array.from({ length: 10 }, (_, step) => ({
    value: 0,
    feature: readerFeatureNames.indexOf(name),
    threshold: step / 10,
    missing: 'left' as const,
    left: { value: -0.2 },
    right: { value: 0.2 },
  }))
  return rankerOver(boostedTrees(modelOf(trees, readerFeatureNames)))
}

/** A model of two parts: words as they are, and what a reader makes of them. */
export type ReadingModel = EmbeddingModel & {
  readonly plain: EmbeddingModel
  /** What the reader read. */
  readonly read: HashedWordsModel['embedded']
}

/** @param synonyms - words that mean another one to the reader alone */
export function readingModel(
  ranker: LearnedRanker,
  synonyms: { readonly [word: string]: string } = {},
): ReadingModel {
  const plain = rankingModel(rankerOver(treesOf(split('cosine', 0.1, { atMost: -1, above: 1 }))))
  const reader = hashedWordsModel(synonyms)
  return {
    id: 'reading-words',
    dimensions: plain.dimensions + reader.dimensions,
    parts: [plain.dimensions, reader.dimensions],
    plain,
    ranker,
    read: reader.embedded,
    async embed(texts, role, signal) {
      const first = await plain.embed(texts, role, signal)
      const second = await reader.embed(texts, role, signal)
      return first.map((own, place) =>
        Float32Array.from([...own, ...second[place]!], (value) => value / Math.SQRT2),
      )
    },
    close: async () => {},
  }
}
