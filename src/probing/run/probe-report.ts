import { median } from '../../domain/statistics.ts'
import type { Card } from '../../domain/card.ts'
import { type Outcome, successGrade } from '../../domain/outcome.ts'
import type { Spent } from '../budget.ts'
import type { ChangedPermit } from '../settings/grants.ts'
import type { WithheldTool } from '../ports.ts'
import { type TellingTask, weighProbes } from '../../domain/weigh-probes.ts'

/** One execution of a probe that ended. */
export type ProbedRun = {
  readonly outcome: Outcome
  /** The agent's answer, its first 2,000 characters and how many more there were; empty when there was none. */
  readonly answer: string
  /** Why there is no answer; null when there is one. */
  readonly failure: string | null
  /** Whether a transcript is kept by the outcome's id. */
  readonly hasTranscript: boolean
  /** Tools that were kept from the agent's model. */
  readonly withheld: readonly WithheldTool[]
  /** Tools that it would have where it is used, and had not here. */
  readonly missing: readonly string[]
}

/** Why a candidate, or the rest of its tasks, was not run. */
export type NotRun =
  /** The user's settings do not allow what it would start. */
  | {
      readonly kind: 'permission'
      readonly missing: readonly string[]
      readonly display: string
      /** What was allowed before under the names that are missing; absent when nothing was. */
      readonly changed?: readonly ChangedPermit[]
    }
  /** It cannot be run as things stand. */
  | { readonly kind: 'runtime'; readonly message: string; readonly remedy: string }
  /** It is a tool, and the task's arguments do not fit it. The remedy speaks to callers over MCP. */
  | { readonly kind: 'arguments'; readonly message: string; readonly remedy: string }
  /** There is nothing to ask it. */
  | { readonly kind: 'no-task'; readonly message: string; readonly remedy: string }

/** What a probe found of one candidate. */
export type CandidateReport = {
  readonly card: string
  readonly kind: Card['kind']
  /** Executions that ended by themselves or at their limit, in the order of tasks. */
  readonly runs: readonly ProbedRun[]
  /** Runs graded 4 or 5. */
  readonly worked: number
  /** Runs that have a grade: a failed execution has grade 1, an answer that nobody could judge none. */
  readonly graded: number
  /** Mean grade, 1..5; null when none was graded. */
  readonly meanGrade: number | null
  /** Median wall time of its runs; null without any. */
  readonly medianSeconds: number | null
  /** Sums over its runs; null when no run told. */
  readonly tokens: number | null
  readonly cost: number | null
  /** Runs that failed or were stopped at a limit. */
  readonly failed: number
  readonly notRun: NotRun | null
}

/** What one probe found. */
export type ProbeReport = {
  readonly candidates: readonly CandidateReport[]
  /** Tasks that several candidates have a grade on, by how much they told them apart. */
  readonly tasks: readonly TellingTask[]
  /** What stopped it before all was run; null when all was. */
  readonly stopped: 'cancelled' | 'seconds' | 'tokens or cost' | 'judge failed' | null
  /** Executions that were wanted and did not come about, or were stopped by whoever asked or by the budget. */
  readonly left: number
  /** Executions of candidates that needed no more of them; absent where all were wanted. */
  readonly spared?: number
  readonly spent: Spent
}

/** Sums up the runs of one candidate. */
export function candidateReport(
  card: Card,
  runs: readonly ProbedRun[],
  notRun: NotRun | null,
): CandidateReport {
  const outcomes = runs.map(({ outcome }) => outcome)
  const grades = outcomes.flatMap(({ verdict }) => (verdict && 'grade' in verdict ? [verdict.grade] : []))
  return {
    card: card.id,
    kind: card.kind,
    runs,
    worked: grades.filter((grade) => grade >= successGrade).length,
    graded: grades.length,
    meanGrade: grades.length === 0 ? null : grades.reduce<number>((sum, one) => sum + one, 0) / grades.length,
    medianSeconds: median(outcomes.map(({ seconds }) => seconds)),
    tokens: sumOfKnown(outcomes.map(({ tokens }) => tokens)),
    cost: sumOfKnown(outcomes.map(({ cost }) => cost)),
    failed: outcomes.filter(({ ending }) => ending === 'failed' || ending === 'limit').length,
    notRun,
  }
}

function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/**
 * The tasks that at least two candidates have a grade on, in the order they were asked, by how much they told them apart. A task of
 * low discrimination is not worth asking again.
 */
export function tellingTasks(candidates: readonly CandidateReport[]): readonly TellingTask[] {
  const grades = new Map<string, number[]>()
  for (const { runs } of candidates) {
    for (const { outcome } of runs) {
      const { task, verdict } = outcome
      if (verdict === null || !('grade' in verdict)) continue
      grades.set(task, [...(grades.get(task) ?? []), verdict.grade])
    }
  }
  const shared = [...grades].flatMap(([probe, all]) => (all.length < 2 ? [] : [{ probe, grades: all }]))
  return weighProbes(shared).map(({ probe, variance, discrimination }) => ({
    task: probe,
    variance,
    discrimination,
  }))
}
