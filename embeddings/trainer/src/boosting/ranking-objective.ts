import { discount, drawnOrder, gainOfFirst, idealGains } from './discounted-gain.ts'
import { endOfQuery, type GradedRows } from './graded-rows.ts'
import type { Derivatives } from './histogram.ts'
import type { Objective } from './objective.ts'

/** Rows of one query at most: a row's place must leave room for its score in a whole number. */
const mostRowsPerQuery = 2 ** 20

/** Where quality is read off, whatever the truncation that is learned by. */
const qualityDepth = 10

/**
 * LambdaMART on nDCG@k, the grade as gain. Of each pair of rows with different grades, one of them among the first k,
 * the better one is pushed up and the other down: by the logistic loss of their scores' difference, times what nDCG
 * would change if they changed places (below the first k, too, a rank is worth 1 / log2(rank + 1)). A query's pushes
 * are scaled so that their sum grows with its logarithm only: queries with many pairs do not drown the others. Rows
 * of equal score stand in an order drawn once, not in that of the input.
 *
 * @see Burges, MSR-TR-2010-82, sections 6 and 7; Järvelin & Kekäläinen, TOIS 2002
 */
export const rankingObjective: Objective = {
  measure: `ndcg@${qualityDepth}`,
  complaint(rows) {
    const query = rows.groups.findIndex(
      (start, number) => endOfQuery(rows, number) - start > mostRowsPerQuery,
    )
    return query < 0 ? undefined : `query ${query} has more rows than can be ranked, ${mostRowsPerQuery}.`
  },
  initial: () => 0,
  derivatives(rows, { truncation, seed }) {
    const order = drawnOrder(rows, seed)
    const ideals = idealGains(rows, truncation)
    const work = pairWork(rows)
    return (scores, queries, into) => {
      for (const query of queries) {
        const start = rows.groups[query]!
        const end = endOfQuery(rows, query)
        into.first.fill(0, start, end)
        into.second.fill(0, start, end)
        const weight = rows.weights?.[query] ?? 1
        if (ideals[query] === 0 || weight === 0) continue
        const sorted = sortByScore(scores, order.subarray(start, end), work)
        derive(sorted, { rows, scores, truncation, ideal: ideals[query]!, weight, into, work })
      }
    }
  },
  quality(rows, { seed }) {
    const order = drawnOrder(rows, seed)
    const ideals = idealGains(rows, qualityDepth)
    return (scores) => {
      let sum = 0
      let weights = 0
      for (let query = 0; query < rows.groups.length; query += 1) {
        if (ideals[query] === 0) continue
        const weight = rows.weights?.[query] ?? 1
        const own = order.subarray(rows.groups[query]!, endOfQuery(rows, query))
        sum += (weight * gainOfFirst(qualityDepth, scores, own, rows.grades)) / ideals[query]!
        weights += weight
      }
      return weights === 0 ? 0 : sum / weights
    }
  },
}

/** Memory for one query at a time. */
type PairWork = {
  readonly keys: Float64Array
  readonly sorted: Uint32Array
  readonly discounts: Float64Array
  /** By rank, as all that follow. */
  readonly grades: Float64Array
  readonly scores: Float64Array
  readonly first: Float64Array
  readonly second: Float64Array
  /** Ranks of the rows with a grade above 0. */
  readonly relevant: Uint32Array
}

function pairWork(rows: GradedRows): PairWork {
  let longest = 0
  for (let query = 0; query < rows.groups.length; query += 1)
    longest = Math.max(longest, endOfQuery(rows, query) - rows.groups[query]!)
  return {
    keys: new Float64Array(longest),
    sorted: new Uint32Array(longest),
    discounts: Float64Array.from({ length: longest }, (_, rank) => discount(rank)),
    grades: new Float64Array(longest),
    scores: new Float64Array(longest),
    first: new Float64Array(longest),
    second: new Float64Array(longest),
    relevant: new Uint32Array(longest),
  }
}

const asFloat = new Float32Array(1)
const asBits = new Uint32Array(asFloat.buffer)

/**
 * Rows by score descending, taken as a 32-bit number, ties as in `order`. Score and place go into one whole number of
 * at most 52 bits, since numbers are sorted many times faster than with a function that compares.
 */
function sortByScore(scores: Float64Array, order: Uint32Array, { keys, sorted }: PairWork): Uint32Array {
  for (let place = 0; place < order.length; place += 1) {
    asFloat[0] = scores[order[place]!]! + 0
    const bits = asBits[0]!
    // The bits of a negative number ascend as it falls, those of a positive one as it grows.
    const descending = bits >= 0x80000000 ? bits : 0x7fffffff - bits
    keys[place] = descending * mostRowsPerQuery + place
  }
  const own = keys.subarray(0, order.length).sort()
  for (let rank = 0; rank < own.length; rank += 1)
    sorted[rank] = order[own[rank]! - Math.floor(own[rank]! / mostRowsPerQuery) * mostRowsPerQuery]!
  return sorted.subarray(0, order.length)
}

type Query = {
  readonly rows: GradedRows
  readonly scores: Float64Array
  readonly truncation: number
  /** Discounted gain of the best order. > 0 */
  readonly ideal: number
  readonly weight: number
  readonly into: Derivatives
  readonly work: PairWork
}

/** Writes the derivatives of one query's rows, given in their present order. */
function derive(
  sorted: Uint32Array,
  { rows, scores: allScores, truncation, ideal, weight, into, work }: Query,
): void {
  const { grades, scores, relevant, discounts, first, second } = work
  const count = sorted.length
  let relevantRows = 0
  for (let rank = 0; rank < count; rank += 1) {
    const grade = rows.grades[sorted[rank]!]!
    grades[rank] = grade
    scores[rank] = allScores[sorted[rank]!]!
    first[rank] = 0
    second[rank] = 0
    if (grade === 0) continue
    relevant[relevantRows] = rank
    relevantRows += 1
  }
  let pushes = 0
  const push = (upper: number, lower: number): void => {
    const difference = grades[upper]! - grades[lower]!
    if (difference === 0) return
    const change = (Math.abs(difference) * (discounts[upper]! - discounts[lower]!)) / ideal
    const sign = difference > 0 ? 1 : -1
    const wrong = 1 / (1 + Math.exp(sign * (scores[upper]! - scores[lower]!)))
    const force = change * wrong
    const bend = force * (1 - wrong)
    first[upper]! -= sign * force
    first[lower]! += sign * force
    second[upper]! += bend
    second[lower]! += bend
    pushes += 2 * force
  }
  const firstRows = Math.min(truncation, count)
  for (let upper = 0, below = 0; upper < firstRows; upper += 1) {
    while (below < relevantRows && relevant[below]! <= upper) below += 1
    // Most rows are not relevant, and two of those are no pair.
    if (grades[upper] === 0) for (let at = below; at < relevantRows; at += 1) push(upper, relevant[at]!)
    else for (let lower = upper + 1; lower < count; lower += 1) push(upper, lower)
  }
  const scale = pushes === 0 ? 0 : (weight * Math.log2(1 + pushes)) / pushes
  for (let rank = 0; rank < count; rank += 1) {
    into.first[sorted[rank]!] = first[rank]! * scale
    into.second[sorted[rank]!] = second[rank]! * scale
  }
}
