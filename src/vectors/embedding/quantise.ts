import type { EmbeddingField, StaticWeights } from './static-embedding.ts'
import { type LearnedVectors, quantiseVectors } from './token-vectors.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What training learned of a two-tower embedding, before it is quantised. */
export type LearnedWeights = LearnedVectors & {
  readonly vocabulary: Vocabulary
  readonly queryLimit: number
  readonly fields: readonly EmbeddingField[]
}

/** Rounds the vectors to 8 bits. */
export const quantise = (learned: LearnedWeights): StaticWeights => {
  const { vocabulary, queryLimit, fields } = learned
  return { ...quantiseVectors(learned), vocabulary, queryLimit, fields }
}
