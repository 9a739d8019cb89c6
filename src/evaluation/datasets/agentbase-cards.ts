import { identify, keyOf } from '../../catalog/identity.ts'
import type { CardDraft } from '../../catalog/ports.ts'
import { detailsOf, field, textOf, textsOf } from '../../catalog/published-fields.ts'
import type { Card } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'

const source = 'agentbase'

/** What of an agent's record is searched: all it says, or its name and description alone. */
export type AgentText = 'document' | 'description'

/** Card id of an agent of AgentBase, for example of `agt:openaiagents:2518c1@v1.1`. */
export const agentBaseId = (agent: string): string => `${source}/${keyOf(agent)}`

/** Whether a record is one of AgentBase. */
export const isAgentRecord = (record: JsonObject): boolean =>
  typeof record.agent_id === 'string' && typeof record.agent_name === 'string'

/**
 * Agents of AgentSearchBench as cards. The text `document` is what the paper calls agentbase: name, description,
 * category, starter prompts, examples; `description` is its "naive" index text.
 */
export function agentBaseCards(records: readonly JsonObject[], text: AgentText): readonly Card[] {
  const origin = { reader: 'agentsearchbench', location: 'AgentSearchBench-Agents' }
  return identify(
    source,
    records.filter(isAgentRecord).map((record) => ({ draft: draftOf(record, text), origin })),
  ).cards
}

/** Cards of agents of which nothing but the id is known: for rankers that go by past verdicts or platform. */
export function agentsByIdAlone(agents: Iterable<string>): readonly Card[] {
  const origin = { reader: 'agentsearchbench', location: 'judgements' }
  const drafts = [...agents].map(
    (agent): CardDraft => ({ ...bare, key: agent, name: agent, ...platformOf(agent) }),
  )
  return identify(
    source,
    drafts.map((draft) => ({ draft, origin })),
  ).cards
}

const bare = {
  kind: 'agent',
  agentKind: 'listing',
  description: '',
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
} as const

function draftOf(record: JsonObject, text: AgentText): CardDraft {
  const id = textOf(record.agent_id)
  const model = textOf(record.base_model)
  const said: CardDraft = {
    ...bare,
    key: id,
    name: textOf(record.agent_name) || id,
    description: textOf(record.agent_description),
    ...detailsOf({
      platform: record.platform_name,
      url: record.agent_url,
      pricing: record.agent_pricing,
      updated: record.update_time,
    }),
  }
  if (text === 'description') return said
  return {
    ...said,
    examples: examplesOf(record),
    tags: textsOf(record.agent_category),
    backbone: model === '' ? null : { name: model },
  }
}

/** Starter prompts, and the input of the worked example. The tables may hold them as JSON text. */
function examplesOf(record: JsonObject): readonly string[] {
  const usage = objectOf(record.agent_usage)
  const example = objectOf(record.usage_example)
  return textsOf(usage.quick_start, example.input)
}

function objectOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return {}
  try {
    const json: unknown = JSON.parse(value)
    return isJsonObject(json) ? json : {}
  } catch {
    return {} // a text of another form: the rest of the record is read
  }
}

const platformOf = (agent: string) => field('publisher', /^agt:([^:]+):/.exec(agent)?.[1] ?? '')
