import type { CardFlag } from './finding.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Runtime } from './runtime.ts'

/** What a tool or an agent says of itself, normalised. */
export type Card = ToolCard | AgentCard

/** The two kinds of card; each is searched on its own. */
export type CardKind = Card['kind']

/** What every card has. */
export type CardBase = {
  /** `source/key`, unique in the store. */
  readonly id: string
  /** The source the card came from. Holds no slash. */
  readonly source: string
  /** The name as published, for example `get_user_by_id` or `Lease reviewer`. */
  readonly name: string
  /** A human-readable name where the publisher gives one. */
  readonly title?: string
  /** As published; may be empty. */
  readonly description: string
  /** Example requests in a user's words; may be empty. */
  readonly examples: readonly string[]
  /** Categories and keywords as published; may be empty. */
  readonly tags: readonly string[]
  /** Who publishes it, as far as the source says: the unit of the per-publisher cap. */
  readonly publisher?: string
  readonly provenance: Provenance
  /** What a model wrote where the card says little. Ours, not the publisher's. */
  readonly enrichment?: Enrichment
  /** What the scan at import found; absent when it found nothing. Ours, not the publisher's. */
  readonly flags?: readonly CardFlag[]
}

/** What a model wrote of a card of few words: the card is found by it too, with little weight. */
export type Enrichment = {
  /** The model that wrote it, as AUDITION_LLM names it. */
  readonly model: string
  readonly whenToUse: string
  /** A request that the card may serve. */
  readonly example: string
  readonly tags: readonly string[]
}

/** Says whose words an enrichment is. */
export const writtenBy = ({ model }: Enrichment): string => `written by ${model}, not by the card's author`

/** Where a card was read. */
export type Provenance = {
  /** The reader's name, for example `claude-subagent`. */
  readonly reader: string
  /** File path or URL. */
  readonly location: string
  /** Repository, licence, version and whatever else the source states and a person may want to see. */
  readonly details?: { readonly [key: string]: string }
}

/** What a tool says of itself, normalised from any of the formats that are read. */
export type ToolCard = CardBase & {
  readonly kind: 'tool'
  /** The MCP server, API or system the tool belongs to. */
  readonly server?: string
  /** Inputs, flattened for search and for reading; `inputSchema` is what a caller obeys. */
  readonly parameters: readonly Parameter[]
  /** JSON Schema of the arguments, as published. */
  readonly inputSchema?: JsonObject
  /** JSON Schema of the result, as published. */
  readonly outputSchema?: JsonObject
  /** MCP annotations; an absent one is unknown, never assumed. */
  readonly annotations?: ToolAnnotations
  /** The documentation as published, where it is more than the fields above. */
  readonly documentation?: JsonValue
  readonly runtime?: Runtime
}

/** One input of a tool. Nested inputs have dotted names: `address.city`. */
export type Parameter = {
  readonly name: string
  readonly description: string
  readonly type?: string
  readonly required: boolean
}

/** What an MCP tool declares of its effects. Claims of the publisher, not facts. */
export type ToolAnnotations = {
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

/** What an agent is made as; a filter of search. */
export type AgentKind =
  | 'profile' // a capability profile of ours (M, T, C)
  | 'subagent' // Claude Code sub-agent, Copilot agent: a prompt for a host
  | 'skill' // Claude skill
  | 'a2a' // remote agent behind the A2A protocol
  | 'toolkit' // an MCP server or plugin: tools without a backbone
  | 'listing' // known by description only: products, GPTs, prompts

/**
 * What an agent says of itself: a capability profile `(M, T, C)`. Ranked on M and T and its texts, run with C.
 *
 * @see AgentSelect, ICML 2026, section 3
 */
export type AgentCard = CardBase & {
  readonly kind: 'agent'
  readonly agentKind: AgentKind
  /** M. Null when the agent names none: a toolkit, or a prompt that runs on the host's model. */
  readonly backbone: Backbone | null
  /** T. Empty when the agent has none or states none. */
  readonly tools: readonly ToolReference[]
  /** C: runtime policy (memory, session, temperature ...). Stored and returned, never ranked. */
  readonly policy: JsonObject
  /** MCP servers the agent needs, for profiles that can be run. */
  readonly servers?: JsonObject
  /** The system prompt; may be long. */
  readonly instructions?: string
  readonly runtime?: Runtime
}

/** M, the model an agent runs on. */
export type Backbone = { readonly name: string; readonly id?: string; readonly description?: string }

/** A tool an agent owns: by name, and by card id when the card is in the store. */
export type ToolReference = { readonly name: string; readonly description?: string; readonly id?: string }
