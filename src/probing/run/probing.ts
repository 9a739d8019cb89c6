import { RemedyError } from '../../domain/remedy-error.ts'
import type { Card } from '../../domain/card.ts'
import type { AuditionReport } from './audition.ts'
import type { Budget } from '../budget.ts'
import type { Allowance } from '../settings/grants.ts'
import type { Execution, ExecutionLimits, Launch, Task, TranscriptEvent } from '../ports.ts'
import type { ProbeEvent } from './probe.ts'
import type { NotRun, ProbeReport } from './probe-report.ts'
import type { Settings } from '../settings/settings.ts'
import type { HeldSecrets } from '../record/mask-kept.ts'
import type { Transcript } from '../record/transcripts.ts'

/** Where tasks come from. */
export type TaskChoice =
  /** What each card brings: its examples, calls made of its schema, the answer key of the demonstration. */
  | { readonly kind: 'own'; readonly count: number }
  /** These, for every candidate. */
  | { readonly kind: 'given'; readonly tasks: readonly Task[] }
  /** Short tasks that a language model writes for a goal and these candidates. */
  | { readonly kind: 'written'; readonly goal: string; readonly count: number }

/** What a person allows for one call beyond the settings. Never filled from what a model or a card says. */
export type Allowed = {
  readonly allow?: readonly Allowance[]
  /** Whether sub-agents run in Claude Code where that is installed, whatever the settings say. */
  readonly inHost?: boolean
}

/** What to probe. */
export type ProbeCall = Allowed & {
  readonly cards: readonly Card[]
  readonly tasks: TaskChoice
  /** Instead of the settings' ones, field by field. */
  readonly limits?: Partial<ExecutionLimits>
  readonly budget?: Partial<Budget>
  readonly signal?: AbortSignal
  readonly onEvent?: (event: ProbeEvent) => void
}

/** What to run once, for its answer. */
type RunCall = Allowed & {
  readonly card: Card
  readonly task: Task
  readonly limits?: Partial<ExecutionLimits>
  readonly signal?: AbortSignal
  readonly onEvent?: (event: TranscriptEvent) => void
}

/** What came of a run. */
export type RunReport =
  | {
      readonly kind: 'ran'
      readonly execution: Execution
      /** Id of the outcome when the user's settings record runs, else null. */
      readonly recorded: string | null
    }
  | { readonly kind: 'not-run'; readonly why: NotRun }
  | { readonly kind: 'stopped' }

/** What running a card would start. */
export type Plan = {
  readonly card: Card
  /** Null when that cannot be said; `notRun` says why. */
  readonly launch: Launch | null
  /** Null when it may start. */
  readonly notRun: NotRun | null
  /** What it would be asked, of the choice that was given. */
  readonly tasks: readonly Task[]
}

/** Running candidates, under what the user allows. */
export type Probing = {
  /**
   * Runs candidates on tasks, judges them and adds to their track record.
   *
   * @throws SettingsError when the settings cannot be read
   * @throws ProbingError when tasks are to be written and no language model is configured
   */
  probe(call: ProbeCall): Promise<ProbeReport>
  /** The same of candidates that do the same tasks: it ends as soon as the best of them is sure, and says how sure. */
  audition(call: ProbeCall): Promise<AuditionReport>
  /** What a probe would start. Starts nothing; tasks that a model would write are not written. */
  plan(call: Pick<ProbeCall, 'cards' | 'tasks' | 'allow' | 'inHost'>): Promise<readonly Plan[]>
  run(call: RunCall): Promise<RunReport>
  /**
   * Counts what is kept of runs and holds a secret that is known now: a value of a launch of these cards, or a token by its shape.
   *
   * @param write - whether they are masked there
   */
  maskKept(call: { readonly cards: readonly Card[]; readonly write: boolean }): Promise<HeldSecrets>
  /** Null when no transcript is kept of the outcome. */
  transcript(outcome: string): Promise<Transcript | null>
  /** The file of a transcript. */
  transcriptFile(outcome: string): string
  settings(): Promise<Settings & { readonly file: string }>
  /** Changes the user's `allow` list; what it is now. @throws SettingsError */
  changeAllow(change: {
    readonly add?: readonly Allowance[]
    readonly remove?: readonly string[]
  }): Promise<readonly Allowance[]>
}

/** A probe that cannot be made as things stand. */
export class ProbingError extends RemedyError {
  override readonly name = 'ProbingError'
}
