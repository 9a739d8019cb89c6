import type { Problem } from './ports.ts'

/** What `index` is asked to read. */
export type IndexOptions = {
  /** Files, folders or URLs. */
  readonly locations: readonly string[]
  /** Name for the source, when one location is given. */
  readonly as?: string
  /** Whether MCP servers of host configurations may be started to list their tools. @defaultValue true */
  readonly harvest?: boolean
  /** Longest wait for one MCP server, in milliseconds. @defaultValue 30000 */
  readonly harvestTimeoutMs?: number
  /** Report what would change, change nothing. @defaultValue false */
  readonly dryRun?: boolean
  readonly onProgress?: (event: IndexProgress) => void
  readonly signal?: AbortSignal
}

/** Progress of an index run, for a bar or a log. */
export type IndexProgress =
  | { readonly step: 'discover'; readonly sources: number }
  | { readonly step: 'read'; readonly source: string; readonly done: number; readonly total: number }
  | { readonly step: 'write'; readonly share: number; readonly what: string }

/** What an index run did to one source. */
export type SourceReport = {
  readonly source: string
  readonly location: string
  readonly reader: string
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
  /** Set when the source could not be read and its old cards were kept. */
  readonly failure?: { readonly message: string; readonly remedy: string }
  readonly problems: readonly Problem[]
}

/** What an index run did. */
export type IndexReport = {
  readonly sources: readonly SourceReport[]
  /** Locations of which nothing could be read. */
  readonly problems: readonly Problem[]
  readonly tools: number
  readonly agents: number
  readonly seconds: number
}
