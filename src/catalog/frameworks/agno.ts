import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { ToolReference } from '../../domain/card.ts'
import { fileStem, hasEnding, isYamlPath } from '../path-names.ts'
import type { CardDraft, Reader, SourceDocument } from '../ports.ts'
import { detailsOf, field, refused, textOf, textsOf } from '../formats/published-fields.ts'
import {
  backboneOn,
  fileOf,
  type Framework,
  inOurWords,
  inTheirWords,
  instructionsOf,
  metadataOf,
  providerAndModel,
  sameWords,
  sourceOfTool,
  yamlOf,
} from './framework.ts'

/** Fields of sessions, memory and knowledge, of older and newer versions. */
const sessions = [
  'add_history_to_messages',
  'add_history_to_context',
  'num_history_runs',
  'read_chat_history',
  'read_tool_call_history',
  'enable_agentic_memory',
  'enable_user_memories',
  'update_memory_on_run',
  'enable_session_summaries',
  'knowledge_base',
  'search_knowledge',
]
const policyWords = sameWords(
  ...sessions,
  'tool_call_limit',
  'tool_choice',
  'markdown',
  'reasoning',
  'retries',
  'show_tool_calls',
  'add_datetime_to_context',
  'add_datetime_to_instructions',
)
const modelWords = {
  max_output_tokens: 'max_tokens',
  ...sameWords('temperature', 'top_p', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty'),
}
/** Parts in which some write fields of the agent. */
const sections = ['agent', 'memory', 'storage', 'configuration', 'config']
const own = [
  'id',
  'agent_id',
  'name',
  'description',
  'model',
  'tools',
  'instructions',
  'metadata',
  ...sections,
]

/**
 * Reads agents of Agno as YAML or JSON: the fields that its Agent has, flat or in sections.
 *
 * @see AgentSelect, ICML 2026, table 1; https://docs.agno.com/reference
 */
const reader: Reader = {
  name: 'agno-agent',
  describes: 'Agno agents: model, instructions, tools, history, memory (YAML, JSON)',
  grain: 'card',
  recognises(document) {
    if (!/model|memory|history/.test(document.text)) return false
    const agent = agentIn(document)
    if (agent === undefined || agent.kind !== undefined || agent.profile !== undefined) return false
    const { model } = agent
    const isModel = isJsonObject(model) && textOf(model.id) !== '' && textOf(model.provider) !== ''
    const says = ['instructions', 'description'].some((name) => agent[name] !== undefined)
    return (
      (isModel && says) || (model !== undefined && says && sessions.some((name) => agent[name] !== undefined))
    )
  },
  read(document) {
    const agent = agentIn(document) ?? {}
    const instructions = instructionsOf(agent.instructions)
    if (instructions === '' && textOf(agent.description) === '')
      return refused({
        file: document.label,
        field: 'instructions',
        message: 'the agent has neither instructions nor a description',
        remedy: 'Say in "description" what it does and in "instructions" how.',
      })
    return { cards: [cardOf(agent, document)], servers: [], problems: [] }
  },
}

/** The fields of the agent, those of sections among them; undefined for what is no map. */
function agentIn(document: SourceDocument): JsonObject | undefined {
  const value = isYamlPath(document.path)
    ? document.yaml()
    : hasEnding(document.path, 'json')
      ? document.json()
      : undefined
  if (!isJsonObject(value)) return undefined
  const parts = sections.map((name) => value[name]).filter(isJsonObject)
  return Object.assign({}, ...parts, value) as JsonObject
}

function cardOf(agent: JsonObject, { path }: SourceDocument): CardDraft {
  const model = isJsonObject(agent.model) ? agent.model : {}
  const [, provider = '', id = textOf(agent.model)] = /^([\w.-]+):(.+)$/.exec(textOf(agent.model)) ?? []
  const backbone = backboneOn(
    textOf(model.provider).toLowerCase() || provider,
    textOf(model.id) || textOf(model.name) || id,
  )
  const metadata = isJsonObject(agent.metadata) ? agent.metadata : {}
  const published = Object.fromEntries(
    Object.entries(agent).filter(([name, value]) => !(sections.includes(name) && isJsonObject(value))),
  )
  return {
    kind: 'agent',
    agentKind: 'profile',
    name: textOf(agent.name) || fileStem(path),
    ...field('title', textOf(metadata.title)),
    description: textOf(agent.description),
    examples: textsOf(metadata.examples),
    tags: textsOf(metadata.tags),
    backbone: backbone && {
      ...backbone,
      ...field('name', textOf(model.name)),
      ...field('description', textOf(model.description)),
    },
    tools: (Array.isArray(agent.tools) ? agent.tools : []).flatMap(toolOf),
    policy: {
      ...inOurWords(model, modelWords, ['id', 'name', 'provider', 'description']),
      ...inOurWords(published, policyWords, own),
    },
    ...field('instructions', instructionsOf(agent.instructions)),
    ...detailsOf({ framework: 'Agno', id: agent.id ?? agent.agent_id }),
  }
}

function toolOf(tool: unknown): readonly ToolReference[] {
  const { name, description, toolkit }: { readonly [field: string]: unknown } = isJsonObject(tool)
    ? tool
    : { name: tool }
  const said = textOf(name)
  if (said === '') return []
  const source = textOf(toolkit)
  return [
    {
      name: said,
      ...field('description', textOf(description)),
      ...field('id', source && `${source}/${said}`),
    },
  ]
}

export const agno: Framework = {
  name: 'agno',
  title: 'Agno',
  reader,
  write(profile) {
    const { name, description, backbone, tools, policy, instructions, servers } = profile
    const { provider, model } = providerAndModel(backbone)
    const agent = {
      name,
      description,
      ...(backbone === null
        ? {}
        : {
            model: {
              ...(backbone.name === model ? {} : { name: backbone.name }),
              id: model,
              ...field('provider', provider),
              ...field('description', backbone.description ?? ''),
              ...inTheirWords(policy, modelWords),
            },
          }),
      ...(instructions === '' ? {} : { instructions }),
      ...(tools.length === 0
        ? {}
        : {
            tools: tools.map((tool) => ({
              name: tool.name,
              ...field('description', tool.description ?? ''),
              ...field('toolkit', sourceOfTool(tool)),
            })),
          }),
      ...inTheirWords(policy, policyWords),
      ...metadataOf(profile),
    }
    const started = Object.keys(servers)
    return {
      files: [{ name: fileOf(profile, 'yaml'), text: yamlOf(agent) }],
      notes: [
        ...(started.length === 0
          ? []
          : [`Agno starts no MCP server by a file: give the agent MCPTools for ${started.join(', ')}.`]),
        ...(tools.length > 0 && started.length === 0
          ? ['Agno looks tools up in its registry: register them by these names.']
          : []),
      ],
    }
  },
}
