import type { EmbeddingField, StaticWeights } from './static-embedding.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What training learned of a two-tower embedding, before it is quantised. */
export type LearnedWeights = {
  readonly vocabulary: Vocabulary
  readonly dimensions: number
  /** vocabulary x dimensions, row-major. */
  readonly table: Float32Array
  /** Logarithm of how much each token counts, per tower. */
  readonly queryWeights: Float32Array
  readonly documentWeights: Float32Array
  readonly queryLimit: number
  readonly fields: readonly EmbeddingField[]
}

/** Rounds each token's vector to 8 bits with a scale of its own: the largest value becomes 127. */
export function quantise(learned: LearnedWeights): StaticWeights {
  const { vocabulary, dimensions, table, queryWeights, documentWeights, queryLimit, fields } = learned
  const rows = new Int8Array(vocabulary.size * dimensions)
  const scales = new Float32Array(vocabulary.size)
  for (let token = 0; token < vocabulary.size; token++) {
    const start = token * dimensions
    let largest = 0
    for (let at = start; at < start + dimensions; at++) largest = Math.max(largest, Math.abs(table[at]!))
    scales[token] = largest / 127
    if (largest === 0) continue
    for (let at = start; at < start + dimensions; at++) rows[at] = Math.round((127 * table[at]!) / largest)
  }
  const factors = (weights: Float32Array): Float32Array =>
    scales.map((scale, token) => scale * Math.exp(weights[token]!))
  return {
    dimensions,
    vocabulary,
    rows,
    queryFactors: factors(queryWeights),
    documentFactors: factors(documentWeights),
    queryLimit,
    fields,
  }
}
