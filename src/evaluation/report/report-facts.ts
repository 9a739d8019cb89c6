import { beginningOf } from '../../domain/text/cut.ts'
import { grouped } from '../../domain/grouped.ts'
import { printable } from '../../domain/text/printable.ts'
import { curvesOf, type RunCurves } from './curves.ts'
import { measureTitle } from '../measures/measures.ts'
import { headlineOf } from './numbers.ts'
import { shownId } from './pack-queries.ts'
import type { QueryFacts } from './report-queries.ts'
import type { Comparison, Estimate, EvaluationRun, RunTiming } from '../evaluation-run.ts'
import { type SearchFinding, findingTitles } from '../self/findings.ts'
import { quantile } from '../statistics/bootstrap.ts'

/** A run to set another beside: its headline and its times are enough. */
type TimedRun = {
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
  readonly findings?: readonly SearchFinding[]
  /** More points for quality by latency. */
  readonly otherRuns?: readonly TimedRun[]
}

/** Findings of one kind with one remedy. */
export type FindingGroup = {
  readonly title: string
  readonly remedy: string
  /** Of the run; `findings` holds those that the page shows. */
  readonly count: number
  readonly findings: readonly SearchFinding[]
}

/** What a report shows but the queries. Texts are printable, and no markup. */
export type ReportFacts = {
  readonly run: Omit<EvaluationRun, 'outcomes'>
  readonly timing: RunTiming
  /** Measures as people write them. */
  readonly titles: { readonly [measure: string]: string }
  readonly tokens: { readonly p50: number; readonly p95: number }
  readonly matches: { readonly good: number; readonly weak: number; readonly none: number }
  readonly comparison?: Comparison
  readonly findings?: readonly FindingGroup[]
  readonly points: readonly RunPoint[]
  readonly curves: RunCurves
  readonly queries: QueryFacts
}

/** Findings of a kind that the page holds, and letters of what each says: an index may have thousands. */
const heldFindings = 200
const messageLetters = 400

const groupsOf = (findings: readonly SearchFinding[]): readonly FindingGroup[] =>
  [...grouped(findings, ({ kind, remedy }) => `${kind} ${remedy}`).values()].map((all) => {
    const [{ kind, remedy }] = all as readonly [SearchFinding]
    const held = all.slice(0, heldFindings)
    const shown = held.map((one) => ({ ...one, message: beginningOf(one.message, messageLetters) }))
    return { title: findingTitles[kind], remedy, count: all.length, findings: shown }
  })

function compared(comparison: Comparison): Comparison {
  const named = (queries: Comparison['wins']): Comparison['wins'] =>
    queries.map((query) => ({ ...query, id: shownId(query.id) }))
  return { ...comparison, regressions: named(comparison.regressions), wins: named(comparison.wins) }
}

/** A value of plain data whose texts, names of fields included, may be shown as they are. */
function shown<Value>(value: Value): Value
function shown(value: unknown): unknown {
  if (typeof value === 'string') return printable(value)
  if (Array.isArray(value)) return value.map((one) => shown<unknown>(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [printable(name), shown<unknown>(one)]),
  )
}

/** Gathers what a report shows. */
export function reportFacts(input: ReportInput, queries: QueryFacts): ReportFacts {
  const { timing, comparison, findings } = input
  const { outcomes, ...run } = input.run
  const tokens = Float64Array.from(outcomes, (outcome) => outcome.tokens)
  const count = (match: string): number => outcomes.filter((outcome) => outcome.match === match).length
  return shown({
    run,
    timing,
    titles: Object.fromEntries(run.measures.map((name) => [name, measureTitle(name)])),
    tokens: { p50: quantile(tokens, 0.5), p95: quantile(tokens, 0.95) },
    matches: { good: count('good'), weak: count('weak'), none: count('none') },
    ...(comparison === undefined ? {} : { comparison: compared(comparison) }),
    ...(findings === undefined ? {} : { findings: groupsOf(findings) }),
    points: runPoints(input),
    curves: curvesOf(input.run),
    queries,
  })
}

/** A run in the scatter of quality by latency. Times in milliseconds. */
type RunPoint = {
  readonly name: string
  readonly role: 'run' | 'baseline' | 'other'
} & Estimate &
  RunTiming['searchMs']

/** This run, then the baseline, then others; a run that lacks the headline measure has no point, nor has one twice. */
function runPoints(input: ReportInput): readonly RunPoint[] {
  const { run, baseline, baselineTiming, otherRuns = [] } = input
  const roles: (TimedRun & Pick<RunPoint, 'role'>)[] = [{ ...input, role: 'run' }]
  if (baseline && baselineTiming) roles.push({ run: baseline, timing: baselineTiming, role: 'baseline' })
  const known = new Set(roles.map((one) => one.run.name))
  for (const other of otherRuns) if (!known.has(other.run.name)) roles.push({ ...other, role: 'other' })
  return roles.flatMap(({ run: { name, macro }, timing: { searchMs }, role }) => {
    const estimate = macro[headlineOf(run)]
    return estimate === undefined ? [] : [{ name, role, ...estimate, ...searchMs }]
  })
}
