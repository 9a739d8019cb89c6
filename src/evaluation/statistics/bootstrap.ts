import { grouped } from '../../domain/grouped.ts'
import type { Estimate } from '../evaluation-run.ts'
import { seededRandom } from './seeded-random.ts'

type BootstrapOptions = {
  /** Integer >= 1. More make the interval's ends steadier, not narrower. @defaultValue 2000 */
  readonly resamples?: number
  /** The same seed gives the same interval. @defaultValue 1 */
  readonly seed?: number
}

/** The mean of a sample, and what it becomes when the queries are drawn anew, with replacement. */
export type Resampled = {
  readonly mean: number
  readonly queries: number
  /** One mean per resample, in the order drawn. */
  readonly means: Float64Array
}

const defaults = { resamples: 2000, seed: 1 }

/**
 * The mean of values, one per query, with its 95% percentile bootstrap interval: the 2.5% and 97.5% quantiles of the
 * means of resamples.
 *
 * @returns all zero when there are no values
 * @see Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13
 */
export const bootstrapMean = (values: ArrayLike<number>, options: BootstrapOptions = {}): Estimate =>
  estimateOf(resample([values], options)[0]!)

/**
 * Draws queries anew for several measures at once: every resample holds the same queries for all of them.
 *
 * @param columns - one per measure, each with one value per query, in the same order of queries
 */
export function resample(
  columns: readonly ArrayLike<number>[],
  options: BootstrapOptions = {},
): readonly Resampled[] {
  const { resamples, seed } = { ...defaults, ...options }
  const queries = columns[0]?.length ?? 0
  if (columns.some(({ length }) => length !== queries))
    throw new RangeError(
      `columns have ${columns.map(({ length }) => length).join(', ')} values: not one length`,
    )
  const random = seededRandom(seed)
  const drawn = new Uint32Array(queries)
  const values = columns.map((column) => Float64Array.from(column))
  const means = columns.map(() => new Float64Array(resamples))
  const sums = new Float64Array(2)
  for (let turn = 0; queries > 0 && turn < resamples; turn += 1) {
    random.fillBelow(drawn, queries)
    for (let at = 0; at < values.length; at += 2) {
      // Of an odd number of measures, the last is summed twice.
      sumsOfDrawn([values[at]!, values[at + 1] ?? values[at]!], drawn, sums)
      means[at]![turn] = sums[0]! / queries
      if (at + 1 < values.length) means[at + 1]![turn] = sums[1]! / queries
    }
  }
  return values.map((column, at) => ({ mean: meanOf(column), queries, means: means[at]! }))
}

/**
 * The unweighted mean of parts, each drawn anew within itself (a stratified bootstrap): the parts are those of the
 * benchmark, only their queries are a sample. Parts without queries count for nothing.
 *
 * @param parts - drawn with seeds of their own and the same number of resamples
 */
export const macroOf = (parts: readonly Resampled[]): Resampled => combined(parts, () => 1)

/** The mean over all queries of all parts, each part drawn anew within itself. */
export const microOf = (parts: readonly Resampled[]): Resampled => combined(parts, ({ queries }) => queries)

/** The mean with the interval that its resamples span. */
export function estimateOf({ mean, queries, means }: Resampled): Estimate {
  if (queries === 0) return { mean: 0, low: 0, high: 0, queries: 0 }
  const sorted = means.slice().sort()
  return { mean, low: nearestRank(sorted, 0.025), high: nearestRank(sorted, 0.975), queries }
}

function combined(parts: readonly Resampled[], weightOf: (part: Resampled) => number): Resampled {
  const counted = parts.filter(({ queries }) => queries > 0)
  const total = counted.reduce((sum, part) => sum + weightOf(part), 0)
  const over = (value: (part: Resampled) => number): number =>
    counted.reduce((sum, part) => sum + weightOf(part) * value(part), 0) / total
  const means = new Float64Array(counted[0]?.means.length ?? 0)
  for (let turn = 0; turn < means.length; turn += 1) means[turn] = over((part) => part.means[turn]!)
  return {
    mean: counted.length === 0 ? 0 : over(({ mean }) => mean),
    queries: counted.reduce((sum, { queries }) => sum + queries, 0),
    means,
  }
}

function meanOf(values: Float64Array): number {
  if (values.length === 0) return 0
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * Sums of the values drawn, of two measures in one pass over what was drawn. Each sum is kept in four: one alone would
 * wait for each addition before it starts the next.
 *
 * @param sums - two places for the results
 */
function sumsOfDrawn(
  [first, second]: readonly [Float64Array, Float64Array],
  drawn: Uint32Array,
  sums: Float64Array,
): void {
  let [a, b, c, d] = [0, 0, 0, 0]
  let [e, f, g, h] = [0, 0, 0, 0]
  let index = 0
  for (; index + 3 < drawn.length; index += 4) {
    const p = drawn[index]!
    const q = drawn[index + 1]!
    const r = drawn[index + 2]!
    const s = drawn[index + 3]!
    a += first[p]!
    b += first[q]!
    c += first[r]!
    d += first[s]!
    e += second[p]!
    f += second[q]!
    g += second[r]!
    h += second[s]!
  }
  for (; index < drawn.length; index += 1) {
    a += first[drawn[index]!]!
    e += second[drawn[index]!]!
  }
  sums[0] = a + b + c + d
  sums[1] = e + f + g + h
}

/** Values of one query by measure name; a measure that does not apply to it is absent. */
export type MeasureValues = { readonly [measure: string]: number }

/**
 * Draws the queries of one part anew, for all its measures. Measures over the same queries are drawn together, which
 * costs little more than drawing for one of them.
 *
 * @returns by measure name; a measure that no query has is absent
 */
export function resampleMeasures(
  queries: readonly MeasureValues[],
  measures: readonly string[],
  seed: number,
): ReadonlyMap<string, Resampled> {
  const presence = (measure: string): string => queries.map((values) => (measure in values ? 1 : 0)).join('')
  const sampled = [...grouped(measures, presence).values()].flatMap((together) => {
    const counted = queries.filter((values) => together[0]! in values)
    if (counted.length === 0) return []
    const columns = together.map((measure) => counted.map((values) => values[measure]!))
    return resample(columns, { seed }).map((sample, at) => [together[at]!, sample] as const)
  })
  return new Map(sampled)
}

/**
 * The smallest value that at least this share of the values does not exceed (nearest rank): always one of them.
 *
 * @param values - in any order; not changed
 * @param share - 0..1; 0 gives the smallest value
 * @returns 0 when there are no values
 */
export function quantile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) return 0
  return nearestRank(Float64Array.from(values).sort(), share)
}

/** The same of values that are sorted, smallest first, and not empty. */
function nearestRank(sorted: Float64Array, share: number): number {
  // 0.95 * 20 is a hair above 19 in floating point, and must not become 20.
  const rank = Math.ceil(share * sorted.length - 1e-9)
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]!
}
