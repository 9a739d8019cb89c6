import type { CardKind, Card } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { Budget } from '../probing/budget.ts'
import type { Allowance } from '../probing/settings/grants.ts'
import type { TaskEstimate } from './desk.ts'
import type { TaskKind } from './generated-task.ts'
import type { TaskProgress, TaskOrder } from './shop.ts'
import { embeddingText } from '../retrieval/text/card-texts.ts'
import { leastSingles } from './multi.ts'
import type { TaskWriter } from './ports.ts'

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

/** Of each task: how many single tasks it takes, and what is asked beside these. A merged task has three parts to check. */
const takes: { readonly [kind in TaskKind]: { readonly singles: number; readonly besides: number } } = {
  single: { singles: 1, besides: 0 },
  multi: { singles: 1, besides: 4 },
  description: { singles: 100, besides: 101 },
  toolret: { singles: 2, besides: 1 },
}
/** A single task is written and judged, and one in three is written and judged once more. */
const asksOfSingle = 2.7
/** Cards that are shown when a task is written: the target and four others. */
const shown = 5
/** Tokens of a question without its cards, of an answer, and most of a card. */
const [frame, answer, mostOfCard] = [450, 120, 400]

/** Null where nothing leaves this machine. */
export function estimateOf(
  { kind, count, targets }: TaskOrder,
  writer: TaskWriter,
  isExecuted: boolean,
): TaskEstimate | null {
  if (writer.host === null) return null
  const { singles, besides } = takes[kind]
  const perDescription = Math.min(singles, targets.length)
  const merged = kind === 'multi' ? Math.max(count, leastSingles) : count
  const written = kind === 'description' ? Math.min(count * perDescription, targets.length) : merged * singles
  const calls = isExecuted ? written * (shown - 1) : 0
  const asked = kind === 'description' ? count * (perDescription + 1) : count * besides
  const ofCard = targets.reduce((sum, card) => sum + tokensOf(card), 0) / Math.max(1, targets.length)
  const questions = Math.ceil(written * asksOfSingle + asked + calls)
  const input = Math.ceil(questions * frame + (written * shown + calls) * ofCard)
  const output = questions * answer
  const cost = writer.costOf({ input, output })
  const { name: model, host } = writer
  return { model, host, questions, tokens: input + output, ...(cost === undefined ? {} : { cost }) }
}

const tokensOf = (card: Card): number => Math.min(mostOfCard, Math.ceil(embeddingText(card).length / 4))
