import { identify, keyOf } from '../../../../src/catalog/identity.ts'
import type { CardDraft } from '../../../../src/catalog/ports.ts'
import { field } from '../../../../src/catalog/formats/published-fields.ts'
import {
  agentDraft,
  bareAgent,
  describedAgent,
  isAgentRecord,
} from '../../../../src/catalog/readers/agentbase-jsonl.ts'
import type { Card } from '../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'

const source = 'agentbase'

/** What of an agent's record is searched: all it says, or its name and description alone. */
export type AgentText = 'document' | 'description'

/** Card id of an agent of AgentBase, for example of `agt:openaiagents:2518c1@v1.1`. */
export const agentBaseId = (agent: string): string => `${source}/${keyOf(agent)}`

/**
 * Agents of AgentSearchBench as cards. The text `document` is what the paper calls agentbase: name, description,
 * category, starter prompts, examples; `description` is its "naive" index text.
 */
export function agentBaseCards(records: readonly JsonObject[], text: AgentText): readonly Card[] {
  const origin = { reader: 'agentsearchbench', location: 'AgentSearchBench-Agents' }
  const draftOf = text === 'description' ? describedAgent : agentDraft
  return identify(
    source,
    records.filter(isAgentRecord).map((record) => ({ draft: draftOf(record), origin })),
  ).cards
}

/** Cards of agents of which nothing but the id is known: for rankers that go by past verdicts or platform. */
export function agentsByIdAlone(agents: Iterable<string>): readonly Card[] {
  const origin = { reader: 'agentsearchbench', location: 'judgements' }
  const drafts = [...agents].map(
    (agent): CardDraft => ({ ...bareAgent, key: agent, name: agent, ...platformOf(agent) }),
  )
  return identify(
    source,
    drafts.map((draft) => ({ draft, origin })),
  ).cards
}

const platformOf = (agent: string) => field('publisher', /^agt:([^:]+):/.exec(agent)?.[1] ?? '')
