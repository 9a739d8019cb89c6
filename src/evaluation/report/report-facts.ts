import { wholeRow } from '../compare-runs.ts'
import type { Estimates } from '../evaluation-run.ts'
import { measureTitle } from '../measure-title.ts'
import type { PackFacts } from './pack/pack-queries.ts'
import { pairedRow, type ReportInput } from './report-input.ts'
import { type RunPoint, runPoints } from './run-points.ts'

/** Mean, low end, high end, queries; null where nothing was measured. */
export type BriefEstimate = readonly [mean: number, low: number, high: number, queries: number] | null

/** A row of a chart: one entry per measure of the run. */
export type ChartRow = {
  readonly name: string
  readonly estimates: readonly BriefEstimate[]
  /** Means over the queries that both runs have, in the baseline and in this run; null where none is compared. */
  readonly pairs: readonly (readonly [before: number, now: number] | null)[]
}

/** What the page script draws and lists. */
export type ReportFacts = {
  readonly measures: readonly { readonly name: string; readonly title: string }[]
  /** Name of the run that this one is compared with, or null. */
  readonly baseline: string | null
  readonly whole: ChartRow
  readonly parts: readonly ChartRow[]
  readonly points: readonly RunPoint[]
}

/** The same with what the columns of queries hold, as it stands in the page. */
export type PageFacts = ReportFacts & { readonly queries: PackFacts }

/** Gathers what the page script needs. */
export function reportFacts(input: ReportInput): ReportFacts {
  const { run, comparison } = input
  const row = (name: string, part: string, own: Estimates): ChartRow => ({
    name,
    estimates: run.measures.map((measure) => {
      const estimate = own[measure]
      if (estimate === undefined || estimate.queries === 0) return null
      return [estimate.mean, estimate.low, estimate.high, estimate.queries]
    }),
    pairs: run.measures.map((measure) => {
      const pair = pairedRow(comparison, part, measure)
      return pair === undefined ? null : [pair.baseline, pair.candidate]
    }),
  })
  return {
    measures: run.measures.map((name) => ({ name, title: measureTitle(name) })),
    baseline: comparison?.baseline ?? null,
    whole: row('all parts', wholeRow, run.macro),
    parts: run.parts.map(({ name, estimates }) => row(name, name, estimates)),
    points: runPoints(input),
  }
}
