/**
 * What words count beside a learned ranker, in log-odds. A vector is a mean, and the words that are matched one by one are
 * the first 48: of a request in the middle of a long story both tell little, and words as much as ever. Chosen on stories
 * around requests of families that the ranker was trained without: docs/decisions/0005-static-embedding.md.
 */
const wordWeights = {
  /** Terms of a request up to which words count as the ranker weighs them. */
  from: 40,
  /** Added for each further term, and what is added at most. */
  perTerm: 0.2,
  most: 9,
} as const

/** What words count for a request of so many terms. */
export const wordWeight = (terms: number): number =>
  Math.min(wordWeights.most, wordWeights.perTerm * Math.max(0, terms - wordWeights.from))

/**
 * What words take from the log-odds of candidates, 0 or less: nothing from the best of them.
 *
 * @param scores - of the candidates by words, >= 0
 */
export function takenByWords(scores: readonly number[], weight: number): Float64Array {
  const best = Math.max(0, ...scores)
  return Float64Array.from(scores, (score) => (best > 0 ? weight * (score / best - 1) : 0))
}
