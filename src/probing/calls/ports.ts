import type { ToolAnnotations, ToolCard } from '../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Launch, WithheldTool } from '../ports.ts'
import type { NotRun } from '../run/probe-report.ts'
import type { Settings } from '../settings/settings.ts'

/** How far a call is, as its server says. */
export type CallProgress = {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** What a call gave. What it holds is what strangers said: known secrets masked, nothing else changed. */
export type ToolResult = {
  /** Blocks of the protocol: texts, images, audio, links, resources. */
  readonly content: readonly JsonObject[]
  readonly structured?: JsonValue
  /** The tool, or its server, says that it failed. */
  readonly failed: boolean
  /** Why its failure says nothing of the tool: it blames the arguments, or asked its caller for what is not passed on. */
  readonly excuse: 'arguments' | 'refused' | null
}

/** A tool as its server lists it now. */
export type LiveTool = {
  readonly name: string
  readonly annotations: ToolAnnotations
  readonly inputSchema?: JsonObject
  readonly outputSchema?: JsonObject
}

/** A server that runs, or is connected to, and stays so for the calls that follow. */
export type LiveServer = {
  /**
   * The tool of a card; why it is withheld where it is not as it was indexed; null when the server has it no more.
   *
   * @throws NoAnswer, or the signal's reason
   */
  tool(card: ToolCard, signal: AbortSignal): Promise<LiveTool | { readonly withheld: WithheldTool } | null>
  /** @throws NoAnswer, or the signal's reason */
  call(
    tool: string,
    args: JsonObject,
    options: {
      readonly seconds: number
      readonly signal: AbortSignal
      readonly onProgress?: (progress: CallProgress) => void
      /** Told when the server came to this call, if it was at another one before. */
      readonly onTurn?: () => void
    },
  ): Promise<ToolResult>
}

/** A server did not answer: it took too long, sent too much, or is gone. The message is for people, secrets masked. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly isLate: boolean
  /** Another server would be asked now, and its own time was not what this call used up. */
  readonly isLost: boolean
  /** Other calls were under way, any of which may be why. */
  readonly isDoubtful: boolean
  constructor(
    cause: Error,
    said: { readonly isLate: boolean; readonly isLost: boolean; readonly isDoubtful: boolean },
  ) {
    super(cause.message, { cause })
    this.isLate = said.isLate
    this.isLost = said.isLost
    this.isDoubtful = said.isDoubtful
  }
}

/** Servers that are kept open between calls. */
export type LiveServers = {
  /**
   * Uses the server of a card that was opened before, as long as nothing that decides what it starts was changed since; null when there
   * is none. It is not closed while it is in use.
   */
  reuse<T>(card: ToolCard, settingsFile: string, use: (server: LiveServer) => Promise<T>): Promise<T | null>
  /** Uses the server of a card, starting it by what was allowed unless it runs. @throws HarvestError, RuntimeError */
  open<T>(asked: OpenServer, use: (server: LiveServer) => Promise<T>): Promise<T>
  /** Ends all. */
  close(): Promise<void>
}

/** A server that is wanted, and how it may be started. */
export type OpenServer = {
  readonly card: ToolCard
  readonly launch: Launch
  readonly settings: Settings
  readonly settingsFile: string
  readonly signal: AbortSignal
}

/** What a call came to. */
export type CallReport =
  | { readonly kind: 'result'; readonly result: ToolResult; readonly tool: LiveTool }
  /** The server did not answer as the protocol asks, in time, or at all; whether the tool did what it does is not known. */
  | {
      readonly kind: 'no-answer'
      readonly message: string
      readonly isLate: boolean
      /** Other calls of the same server were under way, any of which may be why. */
      readonly isDoubtful: boolean
    }
  | { readonly kind: 'arguments'; readonly faults: readonly string[] }
  /** The result is not what the tool promises. */
  | { readonly kind: 'misshapen'; readonly faults: readonly string[] }
  | { readonly kind: 'withheld'; readonly tool: WithheldTool }
  /** Its server has it no more. */
  | { readonly kind: 'gone' }
  /** It does not say of itself that it changes nothing. */
  | { readonly kind: 'may-change' }
  | { readonly kind: 'not-run'; readonly why: NotRun }
