import type { TokensOf } from '../index/card-tokens.ts'
import type { LexicalProbe } from '../index/lexical-probe.ts'
import { type BesideKind, besideWeights, takenBeside, takenByWords, wordWeight } from '../query/beside.ts'
import { answerFeatures } from './answer-features.ts'
import type { BoostedTrees } from './boosted-trees.ts'
import { type CandidateEvidence, candidateFeatures, readerFeatureNames } from './candidate-features.ts'
import type { ScoreList } from './fusion.ts'
import type { TokenSpace } from '../../vectors/embedding/static-embedding.ts'
import type { VerdictThresholds } from './verdict-thresholds.ts'

/** A ranking model over features of the retrievers, whose scores mean something across queries. */
export type LearnedRanker = {
  /** Which model, for the record of a run. */
  readonly id: string
  /** Over `featureNames`, or over `readerFeatureNames`: then it is for searches in which cards were read. */
  readonly trees: BoostedTrees
  readonly matcher: TokenSpace
  /** What of a card the matcher reads. */
  readonly tokensOf: TokensOf
  /** Probability that a candidate of this score serves the query: 1 / (1 + exp(-(slope * score + intercept))). */
  readonly calibration: { readonly slope: number; readonly intercept: number }
  /** Log-odds that any candidate serves, from `answerFeatures`. Absent: the best candidate's probability stands for it. */
  readonly answers?: BoostedTrees
  /** From which log-odds of those an answer fits. @defaultValue {@link plainThresholds} */
  readonly thresholds?: VerdictThresholds
}

/** Whether it looks at readings of cards. */
export const looksAtReadings = ({ trees }: Pick<LearnedRanker, 'trees'>): boolean =>
  trees.features.length === readerFeatureNames.length

/** What a learned ranker makes of the candidates. */
type LearnedRanking = {
  /** Per candidate the probability that it serves, 0..1. */
  readonly scores: ScoreList
  /** Probability that any candidate serves, 0..1. */
  readonly answerable: number
}

/** Candidates that are scored, the best of the plain fusion: bounds the time of a search. */
export const mostScored = 120

/** What texts beside the request make of the same candidates. */
export type ScoredBeside = {
  /** By each text by itself, from {@link scoredByLearned}. */
  readonly scored: readonly { readonly kind: BesideKind; readonly scores: ScoreList }[]
  /** Of the words of the request and of those texts whose words count, as a search weighs them. */
  readonly probe: LexicalProbe
}

/** What is scored. */
type Scored = {
  /** Of the plain fusion: its best are scored. */
  readonly fused: ScoreList
  readonly besides?: ScoredBeside | undefined
}

/** Scores what the retrievers found. */
export function rankByLearned(
  ranker: LearnedRanker,
  evidence: CandidateEvidence,
  { fused, besides }: Scored,
): LearnedRanking {
  const scored = scoredBest(ranker, evidence, fused)
  if (scored.documents.length === 0) return { scores: new Map(), answerable: 0 }
  const probabilities = probabilitiesOf(ranker, evidence, { ...scored, besides })
  return {
    scores: probabilities,
    answerable: ranker.answers
      ? logistic(ranker.answers.score(answerFeatures(scored.rows, scored.scores), 1)[0]!)
      : Math.max(...probabilities.values()),
  }
}

/** As {@link rankByLearned}, without a word on whether any candidate serves. */
export const probabilitiesByLearned = (
  ranker: LearnedRanker,
  evidence: CandidateEvidence,
  { fused, besides }: Scored,
): ScoreList => probabilitiesOf(ranker, evidence, { ...scoredBest(ranker, evidence, fused), besides })

/** Per candidate the probability that it serves, 0..1. */
function probabilitiesOf(
  { calibration }: LearnedRanker,
  evidence: CandidateEvidence,
  { documents, scores, besides }: ReturnType<typeof scoredBest> & Pick<Scored, 'besides'>,
): ScoreList {
  const probabilityOf = (score: number): number => logistic(calibration.slope * score + calibration.intercept)
  const taken = [
    takenByWordsOf(
      besides?.probe ?? evidence.probe,
      documents,
      (besides?.scored ?? []).reduce(
        (weight, { kind }) => weight + besideWeights[kind].words,
        wordWeight(evidence.probe.terms),
      ),
    ),
    ...(besides?.scored ?? []).map((beside) => takenBy(beside, documents, { own: scores, probabilityOf })),
  ]
  const { shiftOf } = evidence.effect
  return new Map(
    documents.map((document, place) => [
      document,
      probabilityOf(taken.reduce((sum, of) => sum + of[place]!, scores[place]! + shiftOf(document))),
    ]),
  )
}

/** Scores of the same candidates for another text, in log-odds. */
export function scoredByLearned(
  ranker: LearnedRanker,
  evidence: CandidateEvidence,
  fused: ScoreList,
): ScoreList {
  const { documents, scores } = scoredBest(ranker, evidence, fused)
  const taken = takenByWordsOf(evidence.probe, documents, wordWeight(evidence.probe.terms))
  return new Map(documents.map((document, place) => [document, scores[place]! + taken[place]!]))
}

const takenByWordsOf = (probe: LexicalProbe, documents: readonly number[], weight: number): Float64Array =>
  takenByWords(
    documents.map((document) => probe.of(document).score),
    weight,
  )

/** What a text beside the request takes from the candidates. */
function takenBy(
  { kind, scores: besides }: ScoredBeside['scored'][number],
  documents: readonly number[],
  {
    own,
    probabilityOf,
  }: { readonly own: ArrayLike<number>; readonly probabilityOf: (score: number) => number },
): Float64Array {
  const scores = documents.map((document) => besides.get(document)!)
  return takenBeside(kind, scores, {
    beside: probabilityOf(Math.max(...scores)),
    request: probabilityOf(Math.max(...Array.from(own))),
  })
}

function scoredBest({ trees }: LearnedRanker, evidence: CandidateEvidence, fused: ScoreList) {
  const documents = best(fused, mostScored)
  const rows = candidateFeatures(evidence, documents)
  return { documents, rows, scores: trees.score(rows, documents.length) }
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

function best(fused: ScoreList, most: number): readonly number[] {
  return [...fused]
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, most)
    .map(([document]) => document)
}
