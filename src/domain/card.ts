import type { AgentCard } from './agent-card.ts'
import type { ToolCard } from './tool-card.ts'

/** What a tool or an agent says of itself, normalised. */
export type Card = ToolCard | AgentCard

/** The two kinds of card; each is searched on its own. */
export type CardKind = Card['kind']
