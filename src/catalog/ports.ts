import { RemedyError } from '../domain/remedy-error.ts'
import type { AgentCard, Card, ToolCard } from '../domain/card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ModelList } from '../domain/model-card.ts'
import type { McpServerEntry } from '../domain/runtime.ts'
import type { Problem } from '../domain/problem.ts'

export type { McpServerEntry } from '../domain/runtime.ts'
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
  /** What it says of language models, where it is such a file. */
  readonly models?: ModelList
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
