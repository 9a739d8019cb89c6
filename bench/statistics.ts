import { quantile } from '../src/evaluation/statistics/bootstrap.ts'

/** The middle value; of an even number of values the lower of the two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Latencies of one pass over the queries, in milliseconds. */
export type Percentiles = { readonly p50: number; readonly p95: number; readonly p99: number }

export const percentiles = (milliseconds: readonly number[]): Percentiles => ({
  p50: quantile(milliseconds, 0.5),
  p95: quantile(milliseconds, 0.95),
  p99: quantile(milliseconds, 0.99),
})

/** The median over repeats of each percentile: a burst of other work on the machine spoils one repeat, not the figure. */
export const medianPercentiles = (repeats: readonly Percentiles[]): Percentiles => ({
  p50: median(repeats.map(({ p50 }) => p50)),
  p95: median(repeats.map(({ p95 }) => p95)),
  p99: median(repeats.map(({ p99 }) => p99)),
})
