import type { Problem } from '../catalog/ports.ts'
import type { Finding } from '../domain/finding.ts'
import type { Sending } from '../store/catalog-writer.ts'
import type { TooManyToRead } from '../store/diagnosis.ts'
import type { HeldCounts } from '../store/source-state.ts'
import type { LaunchDifference } from '../trust/launches/bound-launch.ts'
import type { EnrichmentReport } from './enrich-cards.ts'

/**
 * Which MCP servers may be started to list their tools: all, those that were agreed to (in this run, or when they were last asked by
 * the same launch), or none.
 */
export type Harvesting = 'allowed' | 'agreed' | 'unwanted'

/**
 * Why a server was not asked for its tools: none was to be, nobody agreed to start it, somebody agreed to another launch of it, a person
 * did not want it to be, it belongs to another project, it answered a short while ago, or it failed a short while ago.
 */
export type NotAsked =
  | 'unwanted'
  | 'not agreed'
  | 'launch changed'
  | 'declined'
  | 'other project'
  | 'unchanged'
  | 'failed before'

/** What `index` is asked to read. */
export type IndexOptions = {
  /** Files, folders, URLs, or parts of the bundled catalog (`bundled:` for all that searches have of it). */
  readonly locations: readonly string[]
  /**
   * Those of them that nobody named: it is no news when they give nothing, and of the bundled catalog only what is wanted is
   * read. One that was named is switched on. @defaultValue none
   */
  readonly found?: readonly string[]
  /** Name for the source, when one location is given. */
  readonly as?: string
  /** Whether MCP servers of host configurations may be started. @defaultValue 'allowed' */
  readonly harvest?: Harvesting
  /** With `agreed`: digests of the launches that somebody agreed to now; see `BoundLaunch`. */
  readonly agreed?: readonly string[]
  /** Digests of entries that the person does not want to be started, to be remembered. */
  readonly declined?: readonly string[]
  /** Whether MCP servers are asked that answered, or failed, a short while ago. @defaultValue false */
  readonly refresh?: boolean
  /**
   * A run beside something else, such as serving: what cannot even be started there, for want of a variable or a program, stays as it was
   * and is no failure. @defaultValue false
   */
  readonly isBackground?: boolean
  /** Longest wait for one MCP server, in milliseconds. @defaultValue 30000 */
  readonly harvestTimeoutMs?: number
  /** With models that others run, asked before many cards are sent to one, and before any is enriched. @defaultValue nobody agrees, and the run fails */
  readonly agreeToSend?: (sending: Sending) => boolean | Promise<boolean>
  /** Has the language model write of cards of few words when to use them, a request and tags. @defaultValue false */
  readonly enrich?: boolean
  /** Report what would change, change nothing. @defaultValue false */
  readonly dryRun?: boolean
  /** New cards from which those that were read are committed before others are read. @defaultValue 50000 */
  readonly portionCards?: number
  readonly onProgress?: (event: IndexProgress) => void
  readonly signal?: AbortSignal
}

/** Progress of an index run, for a bar or a log. */
export type IndexProgress =
  | { readonly step: 'discover'; readonly sources: number }
  | { readonly step: 'read'; readonly source: string; readonly done: number; readonly total: number }
  | { readonly step: 'write'; readonly share: number; readonly what: string }
  /** A portion of a long run is committed: the index holds so many cards, and keeps them if the run is stopped. */
  | { readonly step: 'committed'; readonly cards: number }

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
  readonly failure?: {
    readonly message: string
    readonly remedy: string
    /** The end of what a server printed. */
    readonly output?: string
  }
  readonly problems: readonly Problem[]
  /** Language models that it describes, and tasks of which it has their outcomes; absent where it is no such file. */
  readonly models?: { readonly cards: number; readonly tasks: number }
  /** Why a server was not asked for its tools: its old cards were kept. */
  readonly notAsked?: NotAsked
  /** What is not the same in its launch since somebody agreed to it; with `launch changed`. */
  readonly launchChanged?: LaunchDifference
  /** ISO 8601 time from which a server that failed is asked again. */
  readonly againAfter?: string
  /** Files and folders of it that could not be read: the old cards from there were kept. Absent when there is none. */
  readonly unread?: readonly string[]
  /** Cards of the source that are held, those of earlier runs too; absent when there is none. */
  readonly held?: HeldCounts
  /** What the scan found in cards that it looked through in this run, held or served; absent when it found nothing. */
  readonly findings?: readonly { readonly card: string; readonly findings: readonly Finding[] }[]
  /** Cards that are held for a change; absent when there is none, or when the source was not read. */
  readonly changes?: readonly HeldChange[]
  /** What a live server said its version was, when it says another now. */
  readonly version?: { readonly before: string; readonly now: string }
}

/** A card that is held for a change. */
export type HeldChange = {
  readonly card: string
  /** What changed: what it says, its name, or the server that gives it. */
  readonly change: 'text' | 'name' | 'server'
  /** The card that stays in search until the change is accepted. */
  readonly replaces?: string
}

/** What an index run did. */
export type IndexReport = {
  /** With a model that others run: what was sent to it, or would be. Absent when nothing is. */
  readonly sending?: Sending
  /** With `enrich`: what was sent to the language model, or would be. Absent when nothing is. */
  readonly enriching?: Sending
  readonly enrichment?: EnrichmentReport
  readonly sources: readonly SourceReport[]
  /** What is wrong at the locations, beside what is wrong with a source. */
  readonly problems: readonly Problem[]
  /** Cards of the bundled catalog that left search, since the user has sources of their own now; absent when none did. */
  readonly bundledCardsLeft?: number
  /** Those of them that are the agents of the demonstration, which come back by a name of their own, `bundled:demo`; absent when none is. */
  readonly demoCardsLeft?: number
  /** MCP servers that were never read and belong to other projects: they were not asked; absent when there is none. */
  readonly ofOtherProjects?: number
  readonly tools: number
  readonly agents: number
  /** Kinds of which there are more cards than the model's reader reads: they are searched without it. Absent when there is none. */
  readonly tooManyToRead?: TooManyToRead
  readonly seconds: number
}
