import { slot } from './histogram.ts'

/** Sums over the rows of a node. */
export type Sums = { readonly first: number; readonly second: number; readonly rows: number }

/** What a node's value must lie between, so that the tree keeps the monotone constraints. */
export type Bounds = { readonly lower: number; readonly upper: number }

export type Split = {
  readonly feature: number
  /** Bins up to this one go left; the last value bin when only missing values go right. */
  readonly bin: number
  readonly missingRight: boolean
  /** Twice by how much the loss falls in second-order approximation. > 0 */
  readonly gain: number
  readonly left: Sums
  readonly right: Sums
}

export type SplitRules = {
  readonly lambdaL2: number
  readonly minimumRows: number
  readonly monotone: readonly (-1 | 0 | 1)[]
}

/** Sum of the second derivatives that a leaf needs: below it, the Newton step is noise. */
const minimumSecond = 1e-3
/** A smaller gain is rounding. */
const minimumGain = 1e-9

/** The Newton step, kept within bounds. */
export const newtonValue = ({ first, second }: Sums, { lower, upper }: Bounds, lambdaL2: number): number =>
  Math.min(upper, Math.max(lower, -first / (second + lambdaL2)))

/** Twice by how much a node's loss falls when its value goes from 0 to `value`. */
const gainOf = ({ first, second }: Sums, value: number, lambdaL2: number): number =>
  -(2 * first + (second + lambdaL2) * value) * value

type Node = {
  readonly sums: Sums
  readonly bounds: Bounds
  readonly histogram: Float64Array
}

/**
 * The split of a node that lowers the loss most: each feature, each place between two bins, missing values on either
 * side. Missing values that no row has go where more rows go. Of equal splits the first is taken.
 *
 * @param places - where each feature's bins start in the histogram; the last bin of a feature is that of missing values
 * @param features - numbers of the features that may be asked
 * @returns undefined when nothing is gained
 * @see Chen & Guestrin, KDD 2016, section 2.2 and algorithm 3
 */
export function findSplit(
  node: Node,
  places: Uint32Array,
  features: readonly number[],
  rules: SplitRules,
): Split | undefined {
  const own = gainOf(node.sums, newtonValue(node.sums, node.bounds, rules.lambdaL2), rules.lambdaL2)
  let best: Split | undefined
  const consider = (split: Omit<Split, 'gain'>, direction: -1 | 0 | 1): void => {
    const gain = splitGain(split, direction, node.bounds, rules) - own
    if (gain > (best?.gain ?? minimumGain)) best = { ...split, gain }
  }
  for (const feature of features) {
    const start = places[feature]!
    const missingBin = (places[feature + 1]! - start) / slot - 1
    const missing = sumsAt(node.histogram, start + slot * missingBin)
    const direction = rules.monotone[feature]!
    let left = { first: 0, second: 0, rows: 0 }
    for (let bin = 0; bin < missingBin; bin += 1) {
      const inBin = sumsAt(node.histogram, start + slot * bin)
      if (inBin.rows === 0) continue
      left = plus(left, inBin)
      const isLast = left.rows + missing.rows === node.sums.rows
      if (isLast && missing.rows === 0) break
      const right = minus(node.sums, left)
      const missingRight = missing.rows > 0 || right.rows > left.rows
      // Known against missing is no matter of order.
      consider(
        { feature, bin: isLast ? missingBin - 1 : bin, missingRight, left, right },
        isLast ? 0 : direction,
      )
      if (missing.rows === 0 || isLast) continue
      const withMissing = plus(left, missing)
      consider(
        { feature, bin, missingRight: false, left: withMissing, right: minus(node.sums, withMissing) },
        direction,
      )
    }
  }
  return best
}

/** Gain of both children together; -Infinity for a split that is not allowed. */
function splitGain(
  { left, right }: { readonly left: Sums; readonly right: Sums },
  direction: -1 | 0 | 1,
  bounds: Bounds,
  { lambdaL2, minimumRows }: SplitRules,
): number {
  if (left.rows < minimumRows || right.rows < minimumRows) return Number.NEGATIVE_INFINITY
  if (left.second < minimumSecond || right.second < minimumSecond) return Number.NEGATIVE_INFINITY
  const leftValue = newtonValue(left, bounds, lambdaL2)
  const rightValue = newtonValue(right, bounds, lambdaL2)
  if (direction * (rightValue - leftValue) < 0) return Number.NEGATIVE_INFINITY
  return gainOf(left, leftValue, lambdaL2) + gainOf(right, rightValue, lambdaL2)
}

/**
 * Bounds of the two children. A constrained feature parts the values at the middle of the two: everything that later
 * grows on the lower side stays below it, everything on the upper side above.
 */
export function boundsOfChildren(
  { feature, left, right, bin }: Split,
  bounds: Bounds,
  { monotone, lambdaL2 }: SplitRules,
  lastBin: number,
): { readonly left: Bounds; readonly right: Bounds } {
  const direction = monotone[feature]!
  if (direction === 0 || bin === lastBin) return { left: bounds, right: bounds }
  const middle = (newtonValue(left, bounds, lambdaL2) + newtonValue(right, bounds, lambdaL2)) / 2
  const below = { lower: bounds.lower, upper: middle }
  const above = { lower: middle, upper: bounds.upper }
  return direction === 1 ? { left: below, right: above } : { left: above, right: below }
}

const sumsAt = (histogram: Float64Array, at: number): Sums => ({
  first: histogram[at]!,
  second: histogram[at + 1]!,
  rows: histogram[at + 2]!,
})

const plus = (a: Sums, b: Sums): Sums => ({
  first: a.first + b.first,
  second: a.second + b.second,
  rows: a.rows + b.rows,
})

const minus = (a: Sums, b: Sums): Sums => ({
  first: a.first - b.first,
  second: a.second - b.second,
  rows: a.rows - b.rows,
})
