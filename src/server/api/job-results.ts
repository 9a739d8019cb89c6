import type { ComposedProfile, Composition } from '../../assembling/composition.ts'
import type { Findability } from '../../evaluation/findability/findability.ts'
import type { EvaluationRun } from '../../evaluation/runs/evaluation-run.ts'
import type { Finding } from '../../evaluation/self/findings.ts'
import type { IndexProgress, IndexReport } from '../../indexing/index-report.ts'
import type { ProbeEvent } from '../../probing/run/probe.ts'
import type { ProbedView } from './probe-standing.ts'

/** What jobs give, by their kind. */
export type JobResults = {
  readonly index: IndexReport
  readonly probe: ProbedView
  readonly compose: ComposedView
  readonly evaluate: EvaluatedView
  readonly findable: Findability
}
export type JobKind = keyof JobResults

/** What they tell on the way. */
export type JobSteps = {
  readonly index: IndexProgress
  readonly probe: ProbeEvent
  readonly compose: never
  readonly evaluate: { readonly done: number; readonly total: number }
  readonly findable: { readonly done: number; readonly total: number }
}

/** A composition, with its tools in short. */
export type ComposedView = Omit<Composition, 'profiles'> & {
  readonly profiles: readonly (Omit<ComposedProfile, 'tools'> & {
    readonly tools: readonly { readonly id: string; readonly name: string; readonly description: string }[]
  })[]
}

/** What an evaluation gave, in short; the report has the rest. */
export type EvaluatedView = {
  readonly dataset: string
  /** Absent when no query could be made, or nothing could be kept. */
  readonly run?: { readonly dataset: string; readonly run: string }
  readonly macro?: EvaluationRun['macro']
  readonly failures: readonly string[]
  /** Of one's own index: what keeps its cards from being found, worst first. */
  readonly findings: readonly Finding[]
}
