import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type CardOfRecord, firstRecord, readCatalog, RefusedRecord } from '../formats/json-lines.ts'
import type { CardDraft, Reader } from '../ports.ts'
import { detailsOf, textOf, textsOf } from '../formats/published-fields.ts'
import { structuredText } from '../formats/structured-text.ts'

/**
 * Reads AgentBase, the agents of AgentSearchBench: records with `agent_id`, `agent_name`, `agent_description` and more
 * (JSON Lines or one JSON array).
 *
 * @see AgentSearchBench: A Benchmark for AI Agent Search in the Wild, 2026
 */
export const agentbaseJsonl: Reader = {
  name: 'agentbase-jsonl',
  describes: 'AgentBase, the agents of AgentSearchBench (JSON Lines or one JSON array)',
  grain: 'catalog',
  recognises: (document) => isAgentRecord(firstRecord(document)),
  read: (document) => readCatalog(document, cardOf),
}

/** Whether a record is one of AgentBase. */
export const isAgentRecord = (record: unknown): boolean =>
  isJsonObject(record) && typeof record.agent_id === 'string' && typeof record.agent_name === 'string'

const cardOf: CardOfRecord = (record) => {
  const id = textOf(record.agent_id)
  if (id !== '') return { ...agentDraft(record), key: id }
  return new RefusedRecord({
    field: 'agent_id',
    message: 'the record has no agent_id',
    remedy: 'Give every record its "agent_id".',
  })
}

/** An agent of which nothing is said. */
export const bareAgent = {
  kind: 'agent',
  agentKind: 'listing',
  description: '',
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
} as const

/** The card of a record: its name, description, category, starter prompts and examples. */
export function agentDraft(record: JsonObject): CardDraft {
  const model = textOf(record.base_model)
  return {
    ...describedAgent(record),
    examples: examplesOf(record),
    tags: textsOf(record.agent_category),
    backbone: model === '' ? null : { name: model },
  }
}

/** The same by name and description alone. */
export function describedAgent(record: JsonObject): CardDraft & { readonly kind: 'agent' } {
  const id = textOf(record.agent_id)
  return {
    ...bareAgent,
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
}

/** Starter prompts, and the input of the worked example. The tables may hold them as text. */
function examplesOf(record: JsonObject): readonly string[] {
  const usage = objectOf(record.agent_usage)
  const example = objectOf(record.usage_example)
  return textsOf(usage.quick_start, example.input)
}

/** A text of another form says nothing here: the rest of the record is read. */
function objectOf(value: unknown): JsonObject {
  const object = typeof value === 'string' ? structuredText(value) : value
  return isJsonObject(object) ? object : {}
}
