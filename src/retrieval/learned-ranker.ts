import type { BoostedTrees } from './boosted-trees.ts'
import { type CandidateEvidence, candidateFeatures } from './candidate-features.ts'
import type { TokensOf } from './card-tokens.ts'
import type { ScoreList } from './fusion.ts'
import type { TokenMatcher } from './soft-match.ts'

/** A ranking model over features of both retrievers, whose scores mean something across queries. */
export type LearnedRanker = {
  /** Which model, for the record of a run. */
  readonly id: string
  readonly trees: BoostedTrees
  readonly matcher: TokenMatcher
  /** What of a card the matcher reads. */
  readonly tokensOf: TokensOf
  /** Probability that a candidate of this score serves the query: 1 / (1 + exp(-(slope * score + intercept))). */
  readonly calibration: { readonly slope: number; readonly intercept: number }
}

/** Candidates that are scored, the best of the plain fusion: bounds the time of a search. */
const mostScored = 120

/**
 * Scores what both retrievers found, each candidate with a probability of 0..1.
 *
 * @param fused - the plain fusion of the evidence: its best are scored
 */
export function rankByLearned(
  { trees, matcher, calibration }: LearnedRanker,
  evidence: Omit<CandidateEvidence, 'matcher'>,
  fused: ScoreList,
): ScoreList {
  const documents = best(fused, mostScored)
  const rows = candidateFeatures({ ...evidence, matcher }, documents)
  const scores = trees.score(rows, documents.length)
  return new Map(
    documents.map((document, place) => [
      document,
      1 / (1 + Math.exp(-(calibration.slope * scores[place]! + calibration.intercept))),
    ]),
  )
}

function best(fused: ScoreList, most: number): readonly number[] {
  return [...fused.keys()].sort((a, b) => fused.get(b)! - fused.get(a)! || b - a).slice(0, most)
}
