import { featureNames } from './candidate-features.ts'

/** Candidates that speak for the whole answer. */
const headSize = 5
/** Candidates whose score is this close to the first one's count as its equals. */
const nearness = 1

const isOfQuery = (name: string): boolean => name.startsWith('query-') || name === 'corpus'
const ofCandidates = featureNames.flatMap((name, column) => (isOfQuery(name) ? [] : [{ name, column }]))

/** What the first candidates tell about whether any of them serves, in the order of a row's columns. */
export const answerFeatureNames = [
  'score', // of the first
  'score-second', // how far the second, the fifth and the mean of all are behind it
  'score-fifth',
  'score-mean',
  'score-near', // how many are as good as it
  ...featureNames.map((name) => `first-${name}` as const),
  ...ofCandidates.map(({ name }) => `best-${name}` as const), // highest among the first five
] as const

/**
 * One row about a ranking: the evidence of its first candidate, the best among its first five, and how the first stands
 * out. A need that nothing serves has a flat head of candidates that share only a part of it.
 *
 * @param rows - candidates x `featureNames`, row-major
 * @param scores - one per candidate, at least one, higher is better
 */
export function answerFeatures(rows: Float32Array, scores: ArrayLike<number>): Float32Array {
  const order = Array.from({ length: scores.length }, (_, place) => place).sort(
    (a, b) => scores[b]! - scores[a]! || a - b,
  )
  const scoreAt = (rank: number): number => scores[order[Math.min(rank, order.length - 1)]!]!
  const first = scoreAt(0)
  let sum = 0
  let near = 0
  for (let place = 0; place < scores.length; place++) {
    sum += scores[place]!
    if (scores[place]! > first - nearness) near++
  }
  const width = featureNames.length
  const head = order.slice(0, headSize)
  const cell = (place: number, column: number): number => rows[place * width + column]!
  return Float32Array.from([
    first,
    first - scoreAt(1),
    first - scoreAt(headSize - 1),
    first - sum / scores.length,
    Math.log(near),
    ...featureNames.map((_, column) => cell(order[0]!, column)),
    ...ofCandidates.map(({ column }) => largest(head.map((place) => cell(place, column)))),
  ])
}

/** NaN when all are missing. */
const largest = (values: readonly number[]): number =>
  values.reduce((best, value) => (Number.isNaN(best) || value > best ? value : best), Number.NaN)
