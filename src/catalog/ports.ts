import { RemedyError } from '../domain/remedy-error.ts'
import type { AgentCard } from '../domain/agent-card.ts'
import type { Card } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { McpServerEntry } from '../domain/mcp-server-entry.ts'
import type { Problem } from '../domain/problem.ts'
import type { ToolCard } from '../domain/tool-card.ts'
import type { AskedServer } from '../indexing/asking/asked-server.ts'
import type { SourceReview, Trust } from '../store/source-review.ts'
import type { Seen } from '../trust/seen.ts'
import type { Standing } from '../trust/standing.ts'

export type { McpServerEntry } from '../domain/mcp-server-entry.ts'
export type { Problem } from '../domain/problem.ts'

/** A text a reader looks at. Parsing is lazy and cached, so that recognising and reading parse once. */
export type SourceDocument = {
  /** Absolute path or URL. */
  readonly path: string
  /** How to name it to people: relative to the working folder where that is shorter. */
  readonly label: string
  /** Contents, decoded as UTF-8; `.gz` is already unpacked. */
  readonly text: string
  /** The parsed JSON (comments and trailing commas allowed), or undefined when the text is not JSON. */
  json(): unknown
  /** The parsed single YAML document, or undefined when the text is not YAML. */
  yaml(): unknown
  /** A file that belongs to this one, by its path from the folder of this one; undefined where none can be read. */
  beside(path: string): SourceDocument | undefined
}

/** A card as a reader gives it, before it gets its identity. `key` is unique within the source: see `identity.ts`. */
export type CardDraft = DraftOf<ToolCard> | DraftOf<AgentCard>
type DraftOf<C extends Card> = Omit<C, 'id' | 'source' | 'provenance' | 'flags'> & {
  /** A stable id the publisher gives; the name is used when absent. */
  readonly key?: string
  readonly details?: { readonly [key: string]: string }
}

/** What a reader makes of one document. */
export type ReadResult = {
  readonly cards: readonly CardDraft[]
  /** Servers to harvest: host configurations give these instead of cards. */
  readonly servers: readonly McpServerEntry[]
  readonly problems: readonly Problem[]
  /** A better name for the source than the file's, when the document has one. */
  readonly sourceName?: string
}

/**
 * Turns one format into cards. Never throws on bad input: what is wrong becomes a {@link Problem} with file, field
 * and remedy, and the rest is read. Text is data: it is never executed or fetched.
 */
export type Reader = {
  /** Kebab-case, stored with each card, for example `a2a-card`. */
  readonly name: string
  /** One line for `--help` and the docs, for example "A2A agent cards, protocol 0.2 to 1.0 (JSON)". */
  readonly describes: string
  /**
   * `card`: a file holds one card, and the folder is the source. `catalog`: each file is a source of its own.
   */
  readonly grain: 'card' | 'catalog'
  /** Whether the document is of this format. Cheap checks first; must not claim another reader's files. */
  recognises(document: SourceDocument): boolean
  read(document: SourceDocument): ReadResult
}

/** What a live MCP server answered. */
export type Harvest = {
  /** Name and version the server gives of itself, and its instructions to hosts. */
  readonly server: {
    readonly name: string
    readonly title?: string
    readonly version: string
    readonly instructions?: string
  }
  /** Every page of `tools/list`, as the protocol gives them. */
  readonly tools: readonly JsonObject[]
}

/** Asks MCP servers for their tools. Implemented over the official client. */
export type McpHarvester = {
  /**
   * Starts or connects to the server, lists all its tools and stops it again.
   *
   * @throws HarvestError with a message fit for people, secrets masked, and a remedy
   */
  harvest(entry: McpServerEntry, signal: AbortSignal): Promise<Harvest>
}

type HarvestErrorOptions = ErrorOptions & { readonly output?: string; readonly wasAsked?: boolean }

/** A server could not be asked. Neither the message nor the output holds a secret. */
export class HarvestError extends RemedyError {
  override readonly name = 'HarvestError'
  /** The end of what the server printed, when it printed something; the message has its most telling line. */
  readonly output: string | undefined
  /** Whether it was started or contacted: else asking again costs nothing. */
  readonly wasAsked: boolean
  constructor(message: string, remedy: string, options: HarvestErrorOptions = {}) {
    const { output, wasAsked = false, ...rest } = options
    super(message, remedy, rest)
    this.output = output
    this.wasAsked = wasAsked
  }
}

/** A source as the store remembers it. */
export type SourceState = {
  readonly id: string
  /** File, folder, URL, `config#server`, or part of the bundled catalog, `bundled:profiles`. */
  readonly location: string
  /** Told from its cards, after a damaged store lost where it lies: it may lie deeper than the source does. */
  readonly isLocationGuessed?: true
  readonly reader: string
  /** Hash of what was read, of a live server of what it answered; an equal one means that nothing is new. */
  readonly fingerprint?: string
  /** Of a live server: how it was asked. Absent in stores of an older Audition. */
  readonly asked?: AskedServer
  /** ISO 8601 time of the last run that read the source without failing. */
  readonly indexedAt: string | null
  readonly tools: number
  readonly agents: number
  /** Why the last run could not read it; its old cards stay. */
  readonly failure?: string
  readonly problems: readonly Problem[]
  /** Cards that were read and are not searched until the user accepts them; absent when there is none. */
  readonly held?: HeldCounts
  /** Cards in search that the scan flagged; absent when there is none. */
  readonly flagged?: number
  /** Whether changes of its cards are taken at once; absent in stores of an older Audition. */
  readonly trust?: Trust
  /** Whose words it holds; absent in stores of an older Audition, see `storedStanding`. */
  readonly standing?: Standing
  /** How long its cards are known; absent in stores of an older Audition, and until it was read. */
  readonly seen?: Seen
  /** The version of the scan that looked through all its cards. */
  readonly scan?: number
}

/** Held cards of a source by why they are held; a card of both kinds counts as quarantined. */
export type HeldCounts = { readonly quarantined: number; readonly changed: number }

/** All that one index run changes; committed as a whole or not at all. */
export type CatalogChange = {
  readonly put: readonly Card[]
  readonly remove: readonly string[]
  /** States to write; a source that is not named keeps its own. */
  readonly sources: readonly SourceState[]
  readonly removeSources: readonly string[]
  /** Reviews to write; one that is not named stays. */
  readonly reviews?: readonly SourceReview[]
  /** Keys of reviews to forget. */
  readonly removeReviews?: readonly string[]
}

/** What the index plan needs of the store: its present contents by hash, and one atomic commit. */
export type CatalogWriter = {
  /** Whether the store was ever committed, with the vectors of the configured model: else an empty commit is due. */
  isCurrent(): Promise<boolean>
  sources(): Promise<readonly SourceState[]>
  /** Card id to content hash, of one source. */
  hashes(source: string): Promise<ReadonlyMap<string, string>>
  /** Ids and sources of all cards. */
  ids(): Promise<readonly { readonly id: string; readonly source: string }[]>
  /** Cards by id, in no order; an unknown id is left out. */
  cards(ids: readonly string[]): Promise<readonly Card[]>
  /** What is held, and what the user decided, by source. */
  reviews(): Promise<readonly SourceReview[]>
  /**
   * Readers see the old catalog until this resolves and the new one from then on.
   *
   * @param onProgress - called with the share done, 0..1
   */
  commit(
    change: CatalogChange,
    onProgress?: (share: number, step: string) => void,
    signal?: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/** The state of the store, for `doctor`. */
export type StoreDiagnosis = {
  /** Folder or URL of the store. */
  readonly location: string
  readonly state: 'absent' | 'ready' | 'unreadable'
  /** What is wrong when the state is `unreadable`. */
  readonly detail?: string
  readonly generation: number
  readonly tools: number
  readonly agents: number
  /** Bytes on disk, when the store is local. */
  readonly bytes?: number
  /** The model that made the stored vectors, and the one that is configured; null where there is none. */
  readonly storedModel: string | null
  readonly configuredModel: string | null
  /** Why the configured model cannot be opened; {@link configuredModel} is what was configured then. */
  readonly modelFault?: { readonly message: string; readonly remedy: string }
}

/**
 * Whether a store keeps the commits of several writers apart: needless to ask of a folder, which has a lock; tried at an address, with
 * what was seen when its server ignores the condition of a put, or why it could not be tried.
 */
export type ConditionalPuts =
  | { readonly outcome: 'needless' | 'honoured' }
  | { readonly outcome: 'ignored' | 'failed'; readonly detail: string; readonly remedy: string }

/**
 * Other writers came first: what was planned no longer fits the store. Nothing was changed; whoever planned it reads the store and plans
 * again.
 */
export class OvertakenError extends RemedyError {
  override readonly name = 'OvertakenError'
  /** @param others - what others did, as the end of a sentence that begins with them */
  constructor(others: string) {
    super(
      `Nothing was stored: other processes that write this store ${others}.`,
      'Run it again when the others are done.',
    )
  }
}
