import type { EvaluationRun, RunTiming } from '../runs/evaluation-run.ts'
import { headlineOf, type ReportInput } from './report-input.ts'

/** A run in the scatter of quality by latency. Times in milliseconds. */
export type RunPoint = {
  readonly name: string
  readonly role: 'run' | 'baseline' | 'other'
  readonly mean: number
  readonly low: number
  readonly high: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** This run, then the baseline, then others; a run that lacks the headline measure has no point, nor has one twice. */
export function runPoints({
  run,
  timing,
  baseline,
  baselineTiming,
  otherRuns = [],
}: ReportInput): readonly RunPoint[] {
  const measure = headlineOf(run)
  const point = (
    role: RunPoint['role'],
    { name, macro }: Pick<EvaluationRun, 'name' | 'macro'>,
    { searchMs }: Pick<RunTiming, 'searchMs'>,
  ): RunPoint[] => {
    const estimate = macro[measure]
    if (estimate === undefined) return []
    const { mean, low, high } = estimate
    return [{ name, role, mean, low, high, p50: searchMs.p50, p95: searchMs.p95, p99: searchMs.p99 }]
  }
  const first = [
    ...point('run', run, timing),
    ...(baseline === undefined || baselineTiming === undefined
      ? []
      : point('baseline', baseline, baselineTiming)),
  ]
  const known = new Set([run.name, ...first.map(({ name }) => name)])
  const others = otherRuns.filter((other) => !known.has(other.run.name))
  return [...first, ...others.flatMap((other) => point('other', other.run, other.timing))]
}
