import type { RunTiming } from './runs/evaluation-run.ts'
import { quantile } from './statistics/quantile.ts'

/** Milliseconds that a run spent, as it counts them. */
export type Spent = { indexingMs: number; readonly searchMs: number[] }

/** The times of a run, from what it counted. Microseconds are kept: finer ones are noise. */
export function timingOf(startedAt: string, totalMs: number, { indexingMs, searchMs }: Spent): RunTiming {
  const at = (share: number): number => rounded(quantile(searchMs, share))
  return {
    startedAt,
    totalMs: rounded(totalMs),
    indexingMs: rounded(indexingMs),
    searchMs: {
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      sum: rounded(searchMs.reduce((sum, ms) => sum + ms, 0)),
    },
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000
