import type { Estimates } from '../evaluation-run.ts'
import { measureTitle } from '../measure-title.ts'
import type { PackFacts } from './pack/pack-queries.ts'
import type { ReportInput } from './report-input.ts'
import { type RunPoint, runPoints } from './run-points.ts'

/** Mean, low end, high end, queries; null where nothing was measured. */
export type BriefEstimate = readonly [mean: number, low: number, high: number, queries: number] | null

/** A row of a chart: one entry per measure of the run. */
export type ChartRow = {
  readonly name: string
  readonly estimates: readonly BriefEstimate[]
  /** The baseline's mean. */
  readonly baseline: readonly (number | null)[]
}

/** What the page script draws and lists. */
export type ReportFacts = {
  readonly measures: readonly { readonly name: string; readonly title: string }[]
  /** The baseline's name, or null. */
  readonly baseline: string | null
  readonly whole: ChartRow
  readonly parts: readonly ChartRow[]
  readonly points: readonly RunPoint[]
}

/** The same with what the columns of queries hold, as it stands in the page. */
export type PageFacts = ReportFacts & { readonly queries: PackFacts }

/** Gathers what the page script needs. */
export function reportFacts(input: ReportInput): ReportFacts {
  const { run, baseline } = input
  const before = new Map(baseline?.parts.map(({ name, estimates }) => [name, estimates]))
  const row = (name: string, now: Estimates, then: Estimates | undefined): ChartRow => ({
    name,
    estimates: run.measures.map((measure) => {
      const estimate = now[measure]
      if (estimate === undefined || estimate.queries === 0) return null
      return [estimate.mean, estimate.low, estimate.high, estimate.queries]
    }),
    baseline: run.measures.map((measure) => then?.[measure]?.mean ?? null),
  })
  return {
    measures: run.measures.map((name) => ({ name, title: measureTitle(name) })),
    baseline: baseline?.name ?? null,
    whole: row('all parts', run.macro, baseline?.macro),
    parts: run.parts.map(({ name, estimates }) => row(name, estimates, before.get(name))),
    points: runPoints(input),
  }
}
