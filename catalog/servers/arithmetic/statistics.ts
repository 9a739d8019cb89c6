import { tidy } from '../shared/rounding.ts'

/** The usual description of a sample. */
export type Summary = {
  readonly count: number
  readonly sum: number
  readonly mean: number
  readonly median: number
  /** Most frequent values, ascending; empty when every value comes once. */
  readonly modes: readonly number[]
  readonly min: number
  readonly max: number
  readonly range: number
  readonly lowerQuartile: number
  readonly upperQuartile: number
  /** Divided by n. */
  readonly populationStandardDeviation: number
  /** Divided by n - 1; null for a single value. */
  readonly sampleStandardDeviation: number | null
}

/**
 * Describes numbers. Quartiles interpolate linearly between neighbours (type 7 of Hyndman and Fan, as spreadsheets do).
 *
 * @param numbers - at least one
 */
export function summarize(numbers: readonly number[]): Summary {
  const sorted = [...numbers].sort((a, b) => a - b)
  const sum = numbers.reduce((total, value) => total + value, 0)
  const mean = sum / numbers.length
  const squares = numbers.reduce((total, value) => total + (value - mean) ** 2, 0)
  const min = sorted[0]!
  const max = sorted[sorted.length - 1]!
  return {
    count: numbers.length,
    sum: tidy(sum),
    mean: tidy(mean),
    median: tidy(quantile(sorted, 0.5)),
    modes: modesOf(sorted),
    min,
    max,
    range: tidy(max - min),
    lowerQuartile: tidy(quantile(sorted, 0.25)),
    upperQuartile: tidy(quantile(sorted, 0.75)),
    populationStandardDeviation: tidy(Math.sqrt(squares / numbers.length)),
    sampleStandardDeviation: numbers.length > 1 ? tidy(Math.sqrt(squares / (numbers.length - 1))) : null,
  }
}

/** @param share - 0..1 */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)]!
  const above = sorted[Math.ceil(position)]!
  return below + (above - below) * (position - Math.floor(position))
}

function modesOf(sorted: readonly number[]): readonly number[] {
  const counts = new Map<number, number>()
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return most === 1 ? [] : [...counts].filter(([, count]) => count === most).map(([value]) => value)
}
