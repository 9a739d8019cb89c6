import { identify, keyOf } from '../../../../src/catalog/identity.ts'
import { agentDrafts, type Components } from '../../../../src/catalog/readers/agentselect-json.ts'
import type { Card } from '../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'

const source = 'agentselect'

/** Card id of an agent, for example of `PartII_agent_7`. */
export const agentSelectId = (agent: string): string => `${source}/${keyOf(agent)}`

/** The agents as cards, and what was wrong with them. */
export type SelectAgents = {
  readonly cards: readonly Card[]
  /** Agents whose model is the id of an agent: the generator's mistakes, left out. */
  readonly dirty: ReadonlySet<string>
  /** Distinct tool names that the table of tools does not know. */
  readonly unknownTools: number
}

/** Capability profiles of AgentSelect as cards; see `agentDrafts`. */
export function selectAgents(agents: JsonObject, components: Components): SelectAgents {
  const { drafts, dirty, unknownTools } = agentDrafts(agents, components)
  const origin = { reader: 'agentselect', location: 'agents/merge.json' }
  const { cards } = identify(
    source,
    drafts.map((draft) => ({ draft, origin })),
  )
  return { cards, dirty, unknownTools }
}
