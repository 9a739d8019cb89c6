import type { Comparison, EvaluationRun, RunTiming } from '../evaluation-run.ts'
import type { Finding } from '../self/findings.ts'

/** Another run to set this one beside: its headline and its times are enough. */
export type OtherRun = {
  readonly run: Pick<EvaluationRun, 'name' | 'macro'>
  readonly timing: Pick<RunTiming, 'searchMs'>
}

/** What a report is made of. */
export type ReportInput = {
  readonly run: EvaluationRun
  readonly timing: RunTiming
  /** The run this one is measured against: for bars per part, and for each query's change. */
  readonly baseline?: EvaluationRun
  readonly baselineTiming?: RunTiming
  /** Differences with their p-values, and the largest wins and losses. */
  readonly comparison?: Comparison
  /** Of the user's own index: what keeps its cards from being found, worst first. */
  readonly findings?: readonly Finding[]
  /** More points for quality by latency. */
  readonly otherRuns?: readonly OtherRun[]
}

/** The measure a run is known by: the first it lists. */
export const headlineOf = (run: Pick<EvaluationRun, 'measures'>): string => run.measures[0] ?? ''
