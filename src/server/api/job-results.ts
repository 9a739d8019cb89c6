import type { Progress } from '../../domain/progress.ts'
import type { ComposedProfile, Composition } from '../../assembling/composition.ts'
import type { Findability } from '../../evaluation/findability/findability.ts'
import type { EvaluationRun } from '../../evaluation/evaluation-run.ts'
import type { SearchFinding } from '../../evaluation/self/findings.ts'
import type { IndexProgress, IndexReport } from '../../indexing/index-report.ts'
import type { PlannedServer } from '../../indexing/planned-servers.ts'
import type { ProbeEvent } from '../../probing/run/probe.ts'
import type { ProbedView } from './probe-standing.ts'

/** What jobs give, by their kind. */
export type JobResults = {
  readonly plan: IndexPlan
  readonly index: IndexReport
  readonly probe: ProbedView
  readonly compose: ComposedView
  readonly evaluate: EvaluatedView
  readonly findable: Findability
}
export type ApiJobKind = keyof JobResults

/** What they tell on the way. */
export type JobSteps = {
  readonly plan: Pick<IndexPlan, 'found'> & Progress
  readonly index: IndexProgress
  readonly probe: ProbeEvent
  readonly compose: never
  readonly evaluate: Progress
  readonly findable: Progress
}

/** What an index run would read and start. */
export type IndexPlan = {
  /** What hosts have. */
  readonly found: readonly {
    readonly path: string
    readonly what: string
    readonly scope: string
    readonly host: string
  }[]
  /** What holds what is started, in one line. */
  readonly within: string
  readonly servers: readonly (Pick<PlannedServer, 'digest' | 'said' | 'change'> & {
    readonly name: string
    readonly config: string
    readonly starts: string
  })[]
}

/** A composition, with its tools in short. */
export type ComposedView = Omit<Composition, 'profiles'> & {
  readonly profiles: readonly (Omit<ComposedProfile, 'tools'> & {
    readonly tools: readonly {
      readonly id: string
      readonly name: string
      readonly description: string
      /** Names of the rules by which the scan flagged it. */
      readonly flags: readonly string[]
    }[]
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
  readonly findings: readonly SearchFinding[]
}
