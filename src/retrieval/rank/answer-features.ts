import { featureNames, readerFeatureNames } from './candidate-features.ts'

/** Candidates that speak for the whole answer. */
const headSize = 5
/** Candidates whose score is this close to the first one's count as its equals. */
const nearness = 1

const isOfQuery = (name: string): boolean => name.startsWith('query-') || name === 'corpus'
const ofCandidates = <Name extends string>(
  names: readonly Name[],
): readonly { name: Name; column: number }[] =>
  names.flatMap((name, column) => (isOfQuery(name) ? [] : [{ name, column }]))

const namesOver = <Name extends string>(names: readonly Name[]) =>
  [
    'score', // of the first
    'score-second', // how far the second, the fifth and the mean of all are behind it
    'score-fifth',
    'score-mean',
    'score-near', // how many are as good as it
    ...names.map((name) => `first-${name}` as const),
    ...ofCandidates(names).map(({ name }) => `best-${name}` as const), // highest among the first five
  ] as const

/** What the first candidates tell about whether any of them serves, in the order of a row's columns. */
export const answerFeatureNames = namesOver(featureNames)

/** The same where cards were read. */
export const readerAnswerFeatureNames = namesOver(readerFeatureNames)

/**
 * One row about a ranking: the evidence of its first candidate, the best among its first five, and how the first stands
 * out. A need that nothing serves has a flat head of candidates that share only a part of it.
 *
 * @param rows - candidates x `featureNames`, or x `readerFeatureNames`, row-major
 * @param scores - one per candidate, at least one, higher is better
 * @returns values of `answerFeatureNames`, or of `readerAnswerFeatureNames`
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
  const width = rows.length / scores.length
  const head = order.slice(0, headSize)
  const cell = (place: number, column: number): number => rows[place * width + column]!
  return Float32Array.from([
    first,
    first - scoreAt(1),
    first - scoreAt(headSize - 1),
    first - sum / scores.length,
    Math.log(near),
    ...rows.subarray(order[0]! * width, (order[0]! + 1) * width),
    ...columnsOfCandidates(width).map(({ column }) => largest(head.map((place) => cell(place, column)))),
  ])
}

const plainColumns = ofCandidates(featureNames)
const readerColumns = ofCandidates(readerFeatureNames)
const columnsOfCandidates = (width: number) => (width === featureNames.length ? plainColumns : readerColumns)

/** NaN when all are missing. */
const largest = (values: readonly number[]): number =>
  values.reduce((best, value) => (Number.isNaN(best) || value > best ? value : best), Number.NaN)
