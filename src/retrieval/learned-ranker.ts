import { answerFeatures } from './answer-features.ts'
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
  /** Log-odds that any candidate serves, from `answerFeatures`. Absent: the best candidate's probability stands for it. */
  readonly answers?: BoostedTrees
}

/** What a learned ranker makes of the candidates. */
export type LearnedRanking = {
  /** Per candidate the probability that it serves, 0..1. */
  readonly scores: ScoreList
  /** Probability that any candidate serves, 0..1. */
  readonly answerable: number
}

/** Candidates that are scored, the best of the plain fusion: bounds the time of a search. */
const mostScored = 120

/**
 * Scores what both retrievers found.
 *
 * @param fused - the plain fusion of the evidence: its best are scored
 */
export function rankByLearned(
  { trees, matcher, calibration, answers }: LearnedRanker,
  evidence: Omit<CandidateEvidence, 'matcher'>,
  fused: ScoreList,
): LearnedRanking {
  const documents = best(fused, mostScored)
  if (documents.length === 0) return { scores: new Map(), answerable: 0 }
  const rows = candidateFeatures({ ...evidence, matcher }, documents)
  const scores = trees.score(rows, documents.length)
  const probabilities = Array.from(scores, (score) =>
    logistic(calibration.slope * score + calibration.intercept),
  )
  return {
    scores: new Map(documents.map((document, place) => [document, probabilities[place]!])),
    answerable: answers
      ? logistic(answers.score(answerFeatures(rows, scores), 1)[0]!)
      : Math.max(...probabilities),
  }
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

function best(fused: ScoreList, most: number): readonly number[] {
  return [...fused]
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, most)
    .map(([document]) => document)
}
