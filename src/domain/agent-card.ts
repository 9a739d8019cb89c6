import type { CardBase } from './card-base.ts'
import type { JsonObject } from './json.ts'
import type { Runtime } from './runtime.ts'

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
