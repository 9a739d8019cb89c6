import type { PassPair, PassRow, PassRun } from '../evaluation/pass-rate.ts'
import type { ExecutionLimits, Task } from '../probing/ports.ts'
import type { Budget } from '../probing/budget.ts'
import type { ProbeEvent } from '../probing/run/probe.ts'
import type { ProbeReport } from '../probing/run/probe-report.ts'

/** How the tools of a task are chosen: those that it is known to need, the first of a search for it, or none. */
export const toolsets = ['given', 'retrieved', 'none'] as const
export type ToolsetName = (typeof toolsets)[number]

/** A task, and the ids of the tools that it needs. */
export type ToolTask = Task & { readonly expected: readonly string[] }

/** What a model is to do. */
export type PassRateRequest = {
  /** No two of the same text. */
  readonly tasks: readonly ToolTask[]
  readonly toolsets: readonly ToolsetName[]
  /** Tools that a search gives. Integer >= 1. */
  readonly k: number
  /** Whether simulated servers stand for the real ones: nothing is started. @defaultValue false */
  readonly simulate?: boolean
  /** Whether real tools are called that do not declare to be read-only. @defaultValue false */
  readonly mayChange?: boolean
  readonly limits?: Partial<ExecutionLimits>
  readonly budget?: Partial<Budget>
  readonly signal?: AbortSignal
  readonly onEvent?: (event: ProbeEvent) => void
}

/** What it did. Nothing of it enters the track record. */
export type PassRateReport = Pick<ProbeReport, 'stopped' | 'left' | 'spent'> & {
  /** As the user wrote it. */
  readonly model: string
  /** `real`, or `simulated`. */
  readonly servers: 'real' | 'simulated'
  readonly rows: readonly PassRow[]
  readonly pairs: readonly PassPair[]
  /** Share of the tasks for which the search gave every tool they need; null where nothing was searched. */
  readonly completeness: number | null
  /** Servers that may not be started: what the search gave of them was left out. */
  readonly leftOut: readonly string[]
  /** Tasks with a known answer for which a simulated server made something up, that need not agree with it. */
  readonly knownAnswers: number
  readonly runs: readonly (PassRun & {
    readonly tools: readonly string[]
    readonly grade: number | null
    readonly reason: string | null
    readonly answer: string
  })[]
}

/** What to know where tasks with known answers are done on simulated tools. */
export const mayNotFit = (tasks: string): string =>
  `Known answers of ${tasks} may not fit what simulated tools answer: what was not recorded is invented. Such a task can count as unsolved though it was done well.`
