import { seededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import { endOfQuery, type GradedRows } from './graded-rows.ts'

/** What a row at this rank, counted from 0, is worth. */
export const discount = (rank: number): number => 1 / Math.log2(rank + 2)

/** The rows of each query in an order that has nothing to do with the input's: it decides between equal scores. */
export function drawnOrder(rows: GradedRows, seed: number): Uint32Array {
  const random = seededRandom(seed)
  const order = Uint32Array.from(rows.grades, (_, row) => row)
  for (let query = 0; query < rows.groups.length; query += 1) {
    const start = rows.groups[query]!
    const count = endOfQuery(rows, query) - start
    for (let left = count; left > 1; left -= 1) {
      const chosen = start + random.below(left)
      const last = start + left - 1
      const moved = order[last]!
      order[last] = order[chosen]!
      order[chosen] = moved
    }
  }
  return order
}

/** Per query the discounted gain of the best order's first `depth` rows; 0 when nothing is relevant. */
export function idealGains(rows: GradedRows, depth: number): Float64Array {
  return Float64Array.from(rows.groups, (start, query) => {
    const grades = rows.grades.slice(start, endOfQuery(rows, query)).sort()
    let sum = 0
    for (let rank = 0; rank < Math.min(depth, grades.length); rank += 1)
      sum += grades[grades.length - 1 - rank]! * discount(rank)
    return sum
  })
}

/** Discounted gain of the `depth` rows with the highest scores, ties as in `order`. */
export function gainOfFirst(
  depth: number,
  scores: Float64Array,
  order: Uint32Array,
  grades: Float32Array,
): number {
  const best: number[] = []
  for (const row of order) {
    const score = scores[row]!
    if (best.length === depth && score <= scores[best[depth - 1]!]!) continue
    if (best.length === depth) best.pop()
    let place = best.length
    for (; place > 0 && score > scores[best[place - 1]!]!; place -= 1) best[place] = best[place - 1]!
    best[place] = row
  }
  let sum = 0
  for (let rank = 0; rank < best.length; rank += 1) sum += grades[best[rank]!]! * discount(rank)
  return sum
}
