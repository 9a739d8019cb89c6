import type { CardKind } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Reference } from '../probing/ports.ts'

/** How tasks are made: AgentSearchBench's three kinds, and ToolRet's queries with instructions. */
export const taskKinds = ['single', 'multi', 'description', 'toolret'] as const
export type TaskKind = (typeof taskKinds)[number]

/** One of the tasks that a larger one is made of. */
type TaskPart = { readonly query: string; readonly expected: readonly string[] }

/** A line of a file of tasks: own queries with judgements, as `audition evaluate` reads them, and what else is known of the task. */
export type GeneratedTask = {
  readonly id: string
  readonly query: string
  /** Cards that serve, with their grades: whole numbers from 1. */
  readonly expected: { readonly [card: string]: number }
  /** What is looked for. */
  readonly kind: CardKind
  readonly group: TaskKind
  /** The model that wrote it, as AUDITION_LLM names it, or `templates`. */
  readonly by: string
  /** For Completeness: cards of each part, any of which serves. */
  readonly needs?: readonly (readonly string[])[]
  readonly instruction?: string
  /** `true`: the instruction was written with the expected cards in view, and gives them away. */
  readonly targetInView?: true
  /** Arguments of the call by which a tool does it. */
  readonly arguments?: JsonObject
  /** The known answer, in words. */
  readonly expect?: string
  /** The same, to be checked without a model. */
  readonly reference?: Reference
  readonly parts?: readonly TaskPart[]
  /** What a good answer to the whole has, and the parts that ask for it, by their places from 0. */
  readonly rubric?: readonly { readonly criterion: string; readonly parts: readonly number[] }[]
}

/** Why something that was written is no task. */
export const dropReasons = {
  'no-answer': 'the writer gave nothing that can be used',
  'names-a-card': 'it names a card',
  'copies-the-card': "it repeats the card's words",
  suspicious: 'the scan of texts found something in it',
  'not-self-contained': 'it cannot be done without asking back, after one rewrite',
  'no-verdict': 'the judge gave no verdict',
  'bad-arguments': "its arguments break the tool's inputSchema",
  duplicate: 'it says what another task says',
  'none-solves': 'no executed candidate solves it',
  'every-solves': 'every executed candidate solves it',
  'not-entailed': 'the merged request does not ask for each of its parts',
  'far-from-centre': 'its query lies far from the centre of its pool',
  'too-few-parts': 'too few queries are left to make it of',
  'not-nearest': 'another query lies nearer to the centre of its cluster',
} as const
export type DropReason = keyof typeof dropReasons

/** Something that became no task. */
export type Dropped = {
  readonly reason: DropReason
  /** The card, or what else it was made for. */
  readonly of: string
  /** As it was written; absent where nothing was. */
  readonly text?: string
  /** What exactly was found. */
  readonly why?: string
}
