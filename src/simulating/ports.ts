import type { ToolCard } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { CallProgress, ToolResult } from '../probing/calls/ports.ts'

/** What a call of a tool gave. */
export type ToolAnswer = Pick<ToolResult, 'content' | 'structured' | 'failed'>

/** Where an answer that is kept comes from. */
type Origin = Exclude<AnsweredBy, 'fault' | 'nobody'>

/** An answer that is kept, for the same call in the same state. */
export type KeptAnswer = {
  readonly tool: string
  /** Secrets masked. */
  readonly arguments: JsonObject
  /** Keyed hash of the arguments as they were; only where something is masked. */
  readonly secrets?: string
  /** Key of the state that the call was made in. */
  readonly state: string
  readonly answer: ToolAnswer
  readonly from: Origin
  /** The model that played the tool, as AUDITION_LLM names it. */
  readonly model?: string
}

/** Answers of the tools of one server. */
export type AnswerStore = {
  /** What was kept of this call in this state: of the real tool where there is such, else the newest. */
  find(call: Pick<KeptAnswer, 'tool' | 'arguments' | 'state'>): KeptAnswer | undefined
  /** The newest answer of the real tool to this call, whatever the state was: for a session that changed nothing. */
  findReal(call: Pick<KeptAnswer, 'tool' | 'arguments'>): KeptAnswer | undefined
  /** The newest answers of the real tool, at most so many. */
  examples(tool: string, count: number): readonly KeptAnswer[]
  /** Keeps an answer, secrets masked: what {@link find} gives from now on. */
  keep(answer: KeptAnswer): Promise<KeptAnswer>
}

/** A call of the session that was answered before. */
export type PastCall = {
  readonly tool: string
  readonly arguments: JsonObject
  readonly answer: ToolAnswer
  /** Whether it may have left something behind. */
  readonly changes: boolean
}

/** What a model is asked to answer as the tool would. */
export type Imitation = {
  readonly server: string
  readonly tool: ToolCard
  readonly arguments: JsonObject
  /** What happened in the session before, oldest first. */
  readonly history: readonly PastCall[]
  /** Answers of the real tool to other calls. */
  readonly examples: readonly KeptAnswer[]
  /** What was wrong with the answer before. */
  readonly fault?: string
}

/** A language model that answers as a tool would. */
export type ToolImitator = {
  /** As AUDITION_LLM names it. */
  readonly model: string
  /** @returns null when the model gives nothing that can be read. @throws LanguageModelError */
  imitate(asked: Imitation, signal?: AbortSignal): Promise<ToolAnswer | null>
}

/** Where an answer that a caller gets comes from. */
export type AnsweredBy =
  | 'real'
  /** A language model that played the tool. */
  | 'model'
  /** The tool's schema. */
  | 'made-up'
  /** A fault that was asked for. */
  | 'fault'
  /** Nothing answered: the arguments do not fit, or there is no recording. */
  | 'nobody'

/** An answer of a simulated tool. */
export type SimulatedAnswer = ToolAnswer & {
  readonly from: AnsweredBy
  readonly model?: string
}

/** What goes wrong on purpose. Shares of calls are of 0..1, and together at most 1. */
export type Faults = {
  /** Milliseconds that each call waits. @defaultValue 0 */
  readonly latency?: number
  /** Calls that fail. */
  readonly errors?: number
  /** Calls whose answer holds nothing. */
  readonly empty?: number
  /** Calls whose answer is not as the tool's output schema promises. */
  readonly 'wrong-schema'?: number
}

/** How a server is simulated. */
export type SimulateOptions = {
  /**
   * `replay`: only what is kept is answered. `record`: the real tools are called, as far as the user allows, and what they give is kept.
   *
   * @defaultValue 'simulate': what is kept, then the language model, then what the schemas say
   */
  readonly mode?: 'simulate' | 'replay' | 'record'
  /** What goes wrong on purpose, also as a line: `latency=200ms,errors=0.1`. @defaultValue nothing */
  readonly faults?: Faults | string
  /** Of the faults. Integer. @defaultValue 1 */
  readonly seed?: number
  /** Whether the language model may be asked. @defaultValue true */
  readonly model?: boolean
}

/** One caller's talk with a simulated server: what is created in it is there later, and in no other. */
export type SimulatedSession = {
  /**
   * Calls are answered in the state that the changes before them left.
   *
   * @throws UnknownToolError; the reason of the signal
   */
  call(
    tool: string,
    args: JsonObject,
    options?: {
      readonly signal?: AbortSignal
      readonly onProgress?: ((progress: CallProgress) => void) | undefined
    },
  ): Promise<SimulatedAnswer>
}

/** A server that stands for another one. Nothing of the other is started, unless it was opened to record. */
export type SimulatedServer = {
  /** The source of the index that it stands for. */
  readonly source: string
  /** Cards of its tools, in the order of their names. */
  readonly tools: readonly ToolCard[]
  /** Whether calls are real ones, with effects, that are kept. */
  readonly records: boolean
  session(): SimulatedSession
}

/** The server has no such tool. */
export class UnknownToolError extends RemedyError {
  override readonly name = 'UnknownToolError'
  constructor(tool: string) {
    super(`Tool ${JSON.stringify(tool)} is not known`, 'Take a name of `tools`.')
  }
}

/** By this simulated servers and their results are known: a capability of theirs, and a member of `_meta`. */
export const simulatedMark = 'audition/simulated'

/** A tool as its own server lists it. */
export function listedTool(card: ToolCard): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations = {} } = card
  const hints = Object.entries(annotations).map(([hint, value]) => [`${hint}Hint`, value])
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    // The protocol knows no other results.
    ...(outputSchema?.type === 'object' ? { outputSchema } : {}),
    ...(hints.length === 0 ? {} : { annotations: Object.fromEntries(hints) as JsonObject }),
  }
}
