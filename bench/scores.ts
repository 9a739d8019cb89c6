import type { Estimate } from '../src/evaluation/evaluation-run.ts'
import { estimateOf, macroOf, resample } from '../src/evaluation/statistics/bootstrap.ts'
import { seedOf } from '../src/domain/random.ts'

/** Per set one value per query. */
type SetScores = ReadonlyMap<string, readonly number[]>

/** The same per system. */
export type Scores = ReadonlyMap<string, SetScores>

/** The mean over the sets of each set's mean, with its interval. */
export const macro = (scores: SetScores): Estimate =>
  estimateOf(macroOf([...scores].map(([set, values]) => resample([values], { seed: seedOf(set) })[0]!)))

/** Query by query, so that the interval of its mean is that of a paired comparison. */
export const difference = (scores: SetScores, others: SetScores): SetScores =>
  new Map(
    [...scores].map(([set, values]) => [set, values.map((value, index) => value - others.get(set)![index]!)]),
  )

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

export const withInterval = ({ mean: value, low, high }: Estimate): string =>
  `${value.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`
