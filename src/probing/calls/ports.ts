import type { ToolAnnotations, ToolCard } from '../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Launch, WithheldTool } from '../ports.ts'
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
  /** It says so of the arguments: another call of the same tool may work. */
  readonly blamesCaller: boolean
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
  /** The tool of a card; why it is withheld where it is not as it was indexed; null when the server has it no more. */
  tool(card: ToolCard, signal: AbortSignal): Promise<LiveTool | { readonly withheld: WithheldTool } | null>
  /**
   * @throws BoundReached when it took too long or sent too much; the signal's reason; HarvestError when the server is gone, of which
   *   {@link isGone} tells then
   */
  call(
    tool: string,
    args: JsonObject,
    options: {
      readonly seconds: number
      readonly signal: AbortSignal
      readonly onProgress?: (progress: CallProgress) => void
    },
  ): Promise<ToolResult>
  isGone(): boolean
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
