import type { CardKind } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { Budget } from '../probing/run/budget.ts'
import type { Allowance } from '../probing/settings/grants.ts'
import type { TaskEstimate } from './desk.ts'
import type { TaskKind } from './generated-task.ts'
import type { TaskProgress } from './shop.ts'

/** What a caller asks for. */
export type MakeTasksRequest = {
  /** A source or a server of the index. @defaultValue all of it */
  readonly of?: string
  /** Candidates for a job, in place of {@link of}: tasks are of the job, each for one of them, with the others in view. */
  readonly contest?: { readonly job: string; readonly candidates: readonly string[] }
  /** @defaultValue both */
  readonly cardKind?: CardKind
  /** @defaultValue 'single' */
  readonly kind?: TaskKind
  /** Tasks wanted. @defaultValue 20 */
  readonly count?: number
  /** `model` is that of AUDITION_LLM, and templates where there is none. @defaultValue 'model' */
  readonly writer?: 'model' | 'templates'
  /** Whether tasks may name the cards they are for. @defaultValue false */
  readonly names?: boolean
  /** Integer. @defaultValue 1 */
  readonly seed?: number
  /** Runs the candidates of each task, within what the user allows and this once. @defaultValue nothing is run */
  readonly execute?: { readonly allow?: readonly Allowance[] }
  /** In place of the settings' one, field by field. */
  readonly budget?: Partial<Budget>
  /** Asked before a language model is. @defaultValue nobody agrees */
  readonly agree?: (estimate: TaskEstimate) => boolean | Promise<boolean>
  readonly onProgress?: (progress: TaskProgress) => void
  readonly signal?: AbortSignal
}

/** A language model would be asked, and nobody agreed to that. Nothing was sent. */
export class NotAgreedToAskError extends RemedyError {
  override readonly name = 'NotAgreedToAskError'
  constructor({ questions, host }: TaskEstimate, isContest: boolean) {
    super(
      `About ${questions} questions would be sent to ${host}, and nobody agreed to that.`,
      `Add --yes to send them, or ${isContest ? 'give --tasks and a file' : '--templates to make tasks without a model'}.`,
    )
  }
}

/** What was named has no card of the kind that was asked for. */
export class NothingToMakeError extends RemedyError {
  override readonly name = 'NothingToMakeError'
  constructor(of: string | undefined, kind: CardKind | undefined) {
    super(
      `${of === undefined ? 'The index' : `"${of}"`} has no ${kind ?? 'card'} to make tasks for.`,
      'Name another source, as `audition sources` lists them, or leave out --for.',
    )
  }
}
