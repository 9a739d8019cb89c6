import type { Card } from '../domain/card.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { BriefOutcome, Ending, Outcome, Verdict } from '../domain/outcome.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import type { BoundLaunch } from '../trust/launches/bound-launch.ts'
import type { Withheld } from '../trust/review/check-live-tools.ts'

/** Something to do for a candidate. */
export type Task = {
  /** In plain words, as a user would say it. */
  readonly text: string
  /** Arguments of the call; needed to run a tool, ignored by agents. */
  readonly arguments?: JsonObject
  /** What a right answer has; without one a reference judge refuses. */
  readonly reference?: Reference
  /** A good answer, shown to a judge that is a model. It decides nothing by itself. */
  readonly golden?: string
}

/** How to tell a right answer without a model. */
export type Reference =
  /** The answer is this text, but for case and white space. */
  | { readonly kind: 'exact'; readonly text: string }
  /** The answer states this fact, not as part of another word or number. */
  | { readonly kind: 'states'; readonly text: string }
  /** The last (or only) number of the answer is this one. `tolerance` is absolute. */
  | { readonly kind: 'number'; readonly value: number; readonly tolerance?: number }
  | { readonly kind: 'pattern'; readonly regex: string; readonly flags?: string }
  /** The answer is (or holds, in a fenced block) JSON that the schema admits. */
  | { readonly kind: 'json-schema'; readonly schema: JsonObject }
  /** A JSON path (RFC 9535) of the answer gives this value; numbers within `tolerance`. */
  | {
      readonly kind: 'json-path'
      readonly path: string
      readonly value: JsonValue
      readonly tolerance?: number
    }
  /** The answer lists these items, in any order; partial lists get partial grades. */
  | { readonly kind: 'set'; readonly items: readonly string[] }

/** What one execution may use. Whatever is reached first stops it. */
export type ExecutionLimits = {
  /** Wall time, seconds > 0. @defaultValue 60 */
  readonly seconds: number
  /** Of answer, transcript and protocol together. @defaultValue 4 MiB */
  readonly outputBytes: number
  /** Turns of a model, or calls of tools, whichever the executor counts. Integer >= 1. @defaultValue 12 */
  readonly steps: number
  /** Of models, both ways; null for no limit. @defaultValue 50,000 */
  readonly tokens: number | null
  /** US dollars; null for no limit. Only runtimes with known prices count. @defaultValue null */
  readonly cost: number | null
}

export const defaultLimits: ExecutionLimits = {
  seconds: 60,
  outputBytes: 4 * 1024 * 1024,
  steps: 12,
  tokens: 50_000,
  cost: null,
}

/** A tool that a server offers and that was kept from the agent's model; see `docs/security.md`. */
export type WithheldTool = {
  /** Its name: the server's word, printable, at most 128 characters. */
  readonly tool: string
  /** Why, in a word; see {@link Withheld}. */
  readonly because: Withheld['because']
  /** The source that has the server's cards; null when the catalog does not know the server. */
  readonly source: string | null
  /** Why, and what to do, for people. */
  readonly text: string
}

/** One thing that happened in an execution; `at` is seconds since its start. */
export type TranscriptEvent = {
  readonly at: number
} /** `missing`: tools that it would have where it is used, and has not here. */ & (
  | { readonly kind: 'status'; readonly text: string; readonly missing?: readonly string[] }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly tool: string; readonly arguments: JsonValue }
  | {
      readonly kind: 'tool-result'
      readonly tool: string
      readonly text: string
      readonly failed: boolean
      readonly seconds: number
    }
  | ({ readonly kind: 'tool-withheld' } & WithheldTool)
  /** What a process said on stderr, its last part. */
  | { readonly kind: 'log'; readonly text: string }
)

/** What an execution gave. Text is the agent's: data, with known secrets masked. */
export type Execution = {
  readonly ending: Ending
  /** The final answer; empty when there was none. */
  readonly answer: string
  /** Structured answer where the protocol has one. */
  readonly structured?: JsonValue
  /** Why it did not answer, fit for people. Null when it answered. */
  readonly failure: string | null
  readonly transcript: readonly TranscriptEvent[]
  readonly seconds: number
  readonly outputBytes: number
  readonly tokens: { readonly input: number; readonly output: number } | null
  readonly cost: number | null
  /** The language model that it ran on, `provider/name`; absent where that is not known. */
  readonly model?: string
}

/** What running a card would start, for people to read and for the user's `allow` list to match. */
export type Launch = {
  /**
   * What is allowed or not, as one line: `command:<absolute program> <args>`, `mcp:<config>#<server>`, `a2a:<origin>`, `chat:<origin>`,
   * `profile:<absolute file>`, `subagent:<absolute file>`. Never holds a secret.
   */
  readonly permit: string
  /** Further permits it needs: the servers that a profile attaches, the origin of its model. */
  readonly needs: readonly string[]
  /**
   * What of the launch a permit stands for, by the permit: whoever allowed it allowed that and nothing else by its name. A permit that is
   * not here says all itself, such as an origin.
   */
  readonly binds?: { readonly [permit: string]: BoundLaunch }
  /** The exact command line or address, secrets masked. */
  readonly display: string
  /** What holds the processes that it starts: the sandbox and the limits, in one line; absent when it starts none. */
  readonly within?: string
  /** For the rate limit per host; null when nothing leaves this machine. */
  readonly host: string | null
  /** Why it cannot be started although it may be allowed: the sandbox that its permit names does not work. */
  readonly fault?: { readonly message: string; readonly remedy: string }
}

/** Runs cards of one sort. Real processes, real protocols. */
export type Executor = {
  /** Kebab-case: `mcp-tool`, `a2a`, `profile`, `claude-subagent`, `command`, `openai-chat`. */
  readonly name: string
  /** Whether a card is of its sort; cheap, reads no file. */
  accepts(card: Card): boolean
  /**
   * What running the card would start. Starts nothing.
   *
   * @throws RuntimeError when it cannot be run: a file is gone, an entry is missing, a model is not configured
   */
  plan(card: Card): Promise<Launch>
  /** Values that its launch fills in and that must not be kept. @throws RuntimeError as `plan` */
  secretsOf?(card: Card): Promise<readonly string[]>
  /**
   * Runs the card once. What goes wrong with the agent is an ending, never an exception. When the promise settles, every process
   * it started is gone and every connection closed.
   *
   * @throws RuntimeError as `plan`
   */
  execute(
    card: Card,
    task: Task,
    options: {
      readonly limits: ExecutionLimits
      readonly signal: AbortSignal
      /** What was allowed: another launch is not made. @defaultValue whatever it is now */
      readonly launch?: Pick<Launch, 'permit' | 'needs' | 'binds'>
      readonly onEvent?: (event: TranscriptEvent) => void
    },
  ): Promise<Execution>
}

/** A card cannot be run as things stand. The message never holds a secret. */
export class RuntimeError extends RemedyError {
  override readonly name: string = 'RuntimeError'
}

/** The arguments of a task do not fit the tool. How to give others, the command line says in its own words. */
export class ArgumentsError extends RuntimeError {
  override readonly name = 'ArgumentsError'
}

/** Grades an answer 1 to 5, or says why it does not. */
export type Judge = {
  /** Stands with each verdict: `reference`, `llm:<spec>`. */
  readonly name: string
  /** An answer that was not given is not judged: an execution that failed has grade 1 without a judge. */
  judge(task: Task, execution: Execution, signal?: AbortSignal): Promise<Verdict>
}

/** Reads the answers of several candidates to one task side by side, and says which is better. */
export type AnswerComparer = {
  /** `llm:<spec>`. */
  readonly name: string
  /**
   * @returns a place per answer, from 1 for the best; equal ones share the mean of their places. Null when no order can be had
   * @throws LanguageModelError when the model cannot be asked
   */
  compare(task: Task, answers: readonly string[], signal?: AbortSignal): Promise<readonly number[] | null>
}

/** Where outcomes are kept. Append-only, shared by processes. */
export type TrackRecord = {
  /** Resolves when the outcomes are durable: a `kill -9` after that loses none. */
  add(outcomes: readonly Outcome[]): Promise<void>
  /** Resolves when outcomes can be added: asked before runs that cost time and money. @throws Error when they cannot */
  requireWritable(): Promise<void>
  /** Newest first. */
  list(filter?: OutcomeFilter): Promise<readonly Outcome[]>
  /** The same in short, and several times as fast. */
  brief(filter?: OutcomeFilter): Promise<readonly BriefOutcome[]>
  /** Puts these in the place of those of their ids, where older versions do not keep them; ids that are not there stay so. */
  replace(outcomes: readonly Outcome[]): Promise<void>
  /** Forgets; the number of outcomes that are gone. */
  forget(filter: OutcomeFilter): Promise<number>
  close(): Promise<void>
}

/** Conditions are joined by "and". */
export type OutcomeFilter = {
  readonly cards?: readonly string[]
  readonly kind?: Card['kind']
  /** ISO 8601; earlier ones only. */
  readonly before?: string
  readonly origin?: Outcome['origin']
  /** Leaves out what nobody judged: calls and runs for callers. */
  readonly withoutUses?: true
  /** At most so many, the newest. */
  readonly limit?: number
}

/** Probes that somebody wants written. */
export type WantedProbes = {
  /** In the user's words. */
  readonly goal: string
  readonly candidates: readonly Card[]
  /** Fewer may come. */
  readonly count: number
}

/** Writes tasks for candidates, by a language model. Costs money: called only when asked for. */
export type ProbeWriter = {
  readonly model: string
  write(wanted: WantedProbes, signal?: AbortSignal): Promise<readonly string[]>
}
