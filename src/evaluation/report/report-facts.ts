import { grouped } from '../../domain/grouped.ts'
import { printable } from '../../domain/text/printable.ts'
import { wholeRow } from '../compare/compare-runs.ts'
import type { Comparison, EvaluationRun, Estimates, RunTiming } from '../runs/evaluation-run.ts'
import { measureTitle } from '../runs/measure-title.ts'
import { findingTitles } from '../self/finding-titles.ts'
import type { Finding } from '../self/findings.ts'
import { quantile } from '../statistics/quantile.ts'
import type { QueryFacts } from './queries/packed-queries.ts'
import { shownId } from './queries/pack-queries.ts'
import { pairedRow, type ReportInput } from './report-input.ts'
import { type RunPoint, runPoints } from './run-points.ts'

/** Findings of one kind with one remedy. */
export type FindingGroup = {
  readonly title: string
  readonly remedy: string
  /** Of the run; `findings` holds those that the page shows. */
  readonly count: number
  readonly findings: readonly Finding[]
}

/** A part, or all of them: its means, and how it did in both runs where they are compared, by measure. */
type PartFacts = {
  readonly name: string
  readonly category?: string
  readonly estimates: Estimates
  readonly pairs: { readonly [measure: string]: readonly [before: number, now: number] }
}

/** What a report shows but the queries. Texts are printable, and no markup. */
export type ReportFacts = {
  readonly run: Omit<EvaluationRun, 'outcomes' | 'parts'>
  readonly timing: RunTiming
  readonly whole: PartFacts
  readonly parts: readonly PartFacts[]
  /** Measures as people write them. */
  readonly titles: { readonly [measure: string]: string }
  readonly tokens: { readonly p50: number; readonly p95: number }
  readonly matches: { readonly good: number; readonly weak: number; readonly none: number }
  readonly comparison?: Comparison
  readonly findings?: readonly FindingGroup[]
  readonly points: readonly RunPoint[]
  readonly queries: QueryFacts
}

/** Findings of a kind that the page holds, and letters of what each says: an index may have thousands. */
const heldFindings = 200
const messageLetters = 400

const groupsOf = (findings: readonly Finding[]): readonly FindingGroup[] =>
  [...grouped(findings, ({ kind, remedy }) => `${kind} ${remedy}`).values()].map((all) => {
    const [{ kind, remedy }] = all as readonly [Finding]
    const held = all.slice(0, heldFindings)
    const shown = held.map((one) => ({ ...one, message: one.message.slice(0, messageLetters) }))
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
  const { outcomes, parts, ...run } = input.run
  const tokens = Float64Array.from(outcomes, (outcome) => outcome.tokens)
  const pairsOf = (part: string): PartFacts['pairs'] =>
    Object.fromEntries(
      run.measures.flatMap((measure) => {
        const row = pairedRow(comparison, part, measure)
        return row === undefined ? [] : [[measure, [row.baseline, row.candidate] as const]]
      }),
    )
  const count = (match: string): number => outcomes.filter((outcome) => outcome.match === match).length
  return shown({
    run,
    timing,
    whole: { name: 'all parts', estimates: run.macro, pairs: pairsOf(wholeRow) },
    parts: parts.map((part) => ({ ...part, pairs: pairsOf(part.name) })),
    titles: Object.fromEntries(run.measures.map((name) => [name, measureTitle(name)])),
    tokens: { p50: quantile(tokens, 0.5), p95: quantile(tokens, 0.95) },
    matches: { good: count('good'), weak: count('weak'), none: count('none') },
    ...(comparison === undefined ? {} : { comparison: compared(comparison) }),
    ...(findings === undefined ? {} : { findings: groupsOf(findings) }),
    points: runPoints(input),
    queries,
  })
}
