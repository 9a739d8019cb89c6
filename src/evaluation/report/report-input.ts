import type { Comparison, EvaluationRun, RunTiming } from '../runs/evaluation-run.ts'
import type { Finding } from '../self/findings.ts'

/** Another run to set this one beside: its headline and its times are enough. */
type OtherRun = {
  readonly run: Pick<EvaluationRun, 'name' | 'macro'>
  readonly timing: Pick<RunTiming, 'searchMs'>
}

/** What a report is made of. */
export type ReportInput = {
  readonly run: EvaluationRun
  readonly timing: RunTiming
  /** The run this one is measured against: for each query's change. Means over it go by `comparison`. */
  readonly baseline?: EvaluationRun
  readonly baselineTiming?: RunTiming
  /** Differences with their p-values, and the largest wins and losses. */
  readonly comparison?: Comparison
  /** Of the user's own index: what keeps its cards from being found, worst first. */
  readonly findings?: readonly Finding[]
  /** More points for quality by latency. */
  readonly otherRuns?: readonly OtherRun[]
}

/**
 * How both runs did by one measure in one part, or over all (`wholeRow`), over the queries that both have: a baseline's
 * own means are over other queries when only some were run again.
 */
export const pairedRow = (
  comparison: Comparison | undefined,
  part: string,
  measure: string,
): Comparison['rows'][number] | undefined =>
  comparison?.rows.find((row) => row.part === part && row.measure === measure)

/** The measure a run is known by: the first it lists. */
export const headlineOf = (run: Pick<EvaluationRun, 'measures'>): string => run.measures[0] ?? ''
