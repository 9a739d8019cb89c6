import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { fileName, fileStem, hasEnding, parentFolder } from '../path-names.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { toolsOf } from '../formats/markdown-agent.ts'
import { detailsOf, eitherOf, field, textOf, textsOf } from '../formats/published-fields.ts'
import { serversWithoutSecrets } from '../server-entries.ts'
import {
  backboneOn,
  fileOf,
  type Framework,
  inOurWords,
  instructionsOf,
  metadataOf,
  providerAndModel,
} from './framework.ts'

/** Fields of an assistant's context that have a place of their own in a card. */
const own = ['model', 'model_name', 'system_prompt', 'prompt', 'tools', 'mcp_servers', 'mcp_config']

/**
 * Reads `langgraph.json`, each graph a card, and assistants: a `graph_id` with the context, or the older
 * `config.configurable`, in which the arguments of `create_agent` stand as data.
 *
 * @see https://docs.langchain.com/langsmith/assistants
 */
const reader: Reader = {
  name: 'langgraph-json',
  describes: 'LangGraph: langgraph.json, and assistants as the Agent Server gives them (JSON)',
  grain: 'catalog',
  recognises: (document) =>
    hasEnding(document.path, 'json') &&
    /"(?:graphs|graph_id)"/.test(document.text) &&
    (graphsOf(document.json()).length > 0 || assistantsIn(document.json()).length > 0),
  read(document) {
    const graphs = graphsOf(document.json())
    const name = fileName(document.path) === 'langgraph.json' ? parentFolder(document.path) : ''
    return {
      cards: [
        ...graphs.map(graphCard),
        ...assistantsIn(document.json()).map((one) => assistantCard(one, document)),
      ],
      servers: [],
      problems: graphs.flatMap((graph) => thinGraph(graph, document)),
      ...field('sourceName', name),
    }
  },
}

type Graph = { readonly name: string; readonly path: string; readonly description: string }

/** Graphs by their name: `./agent.py:graph`, or a map with `path` and perhaps a description. None where one is something else. */
function graphsOf(value: unknown): readonly Graph[] {
  const entries = Object.entries(isJsonObject(value) && isJsonObject(value.graphs) ? value.graphs : {})
  const graphs = entries.map(([name, graph]): Graph => {
    const { path, description } = isJsonObject(graph) ? graph : { path: graph, description: '' }
    return { name, path: textOf(path), description: textOf(description) }
  })
  return graphs.every(({ path }) => /^[\w./@-]+:[\w.]+$/.test(path)) ? graphs : []
}

const graphCard = ({ name, path, description }: Graph): CardDraft => ({
  kind: 'agent',
  agentKind: 'listing',
  key: name,
  name,
  description,
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
  ...detailsOf({ framework: 'LangGraph', graph: path }),
})

const thinGraph = ({ name, path, description }: Graph, { label }: SourceDocument): readonly Problem[] =>
  description === ''
    ? [
        {
          severity: 'warning',
          file: label,
          field: `graphs.${name}`,
          message: 'the graph has no description, and is found by its name alone',
          remedy: `Write "${name}": { "path": "${path}", "description": "..." }.`,
        },
      ]
    : []

const assistantsIn = (value: unknown): readonly JsonObject[] => {
  const all = Array.isArray(value) ? value : [value]
  return all.every(isAssistant) ? all : []
}

const isAssistant = (value: unknown): value is JsonObject =>
  isJsonObject(value) &&
  textOf(value.graph_id) !== '' &&
  ['context', 'config', 'assistant_id'].some((name) => value[name] !== undefined)

function assistantCard(assistant: JsonObject, { path }: SourceDocument): CardDraft {
  const config = isJsonObject(assistant.config) ? assistant.config : {}
  const context = {
    ...(isJsonObject(config.configurable) ? config.configurable : {}),
    ...(isJsonObject(assistant.context) ? assistant.context : {}),
  }
  const [, provider = '', model = textOf(context.model ?? context.model_name)] =
    /^([\w.-]+)[:/](.+)$/.exec(textOf(context.model ?? context.model_name)) ?? []
  const metadata = isJsonObject(assistant.metadata) ? assistant.metadata : {}
  const servers = serversWithoutSecrets(withType(context.mcp_servers))
  return {
    kind: 'agent',
    agentKind: 'profile',
    name: textOf(assistant.name) || fileStem(path),
    ...field('title', textOf(metadata.title)),
    description: textOf(assistant.description) || textOf(metadata.description),
    examples: textsOf(metadata.examples),
    tags: textsOf(metadata.tags),
    backbone: backboneOn(provider, model),
    tools: toolsOf(
      context.tools ?? (isJsonObject(context.mcp_config) ? context.mcp_config.tools : undefined),
    ),
    policy: { ...inOurWords(context, {}, own), ...stepsOf(config.recursion_limit) },
    ...(servers === undefined ? {} : { servers }),
    ...field('instructions', instructionsOf(eitherOf(context, 'system_prompt', 'prompt'))),
    ...detailsOf({ framework: 'LangGraph', graph: assistant.graph_id, id: assistant.assistant_id }),
  }
}

/** Two steps of a graph, the model and its tools, are one turn; the last turn has one. */
const stepsOf = (limit: unknown): JsonObject =>
  typeof limit === 'number' && limit >= 1 ? { max_steps: Math.max(1, Math.floor((limit - 1) / 2)) } : {}

/** Entries of MCP servers in the words of LangChain's adapters and of hosts: `transport: streamable_http` is `type: http`. */
const withType = (servers: JsonValue | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isJsonObject(servers) ? servers : {}).map(([name, entry]) => {
      const { transport, ...rest } = isJsonObject(entry) ? entry : {}
      const type =
        transport === undefined || transport === 'stdio' ? {} : { type: transport === 'sse' ? 'sse' : 'http' }
      return [name, { ...type, ...rest }]
    }),
  )

const withTransport = ({
  type,
  ...entry
}: {
  readonly type?: string | undefined
  readonly url?: string | undefined
}): JsonObject => ({
  transport: entry.url === undefined ? 'stdio' : type === 'sse' ? 'sse' : 'streamable_http',
  ...(entry as JsonObject),
})

export const langgraph: Framework = {
  name: 'langgraph',
  title: 'LangGraph',
  reader,
  write(profile) {
    const { name, description, backbone, tools, policy, instructions, servers } = profile
    const { max_steps: steps, ...rest } = policy
    const { provider, model } = providerAndModel(backbone)
    const entries = Object.entries(servers)
    const assistant = {
      graph_id: 'agent',
      name,
      description,
      context: {
        ...field('model', provider === '' ? model : `${provider}:${model}`),
        ...field('system_prompt', instructions),
        ...(tools.length === 0 ? {} : { tools: tools.map((tool) => tool.name) }),
        ...(entries.length === 0
          ? {}
          : {
              mcp_servers: Object.fromEntries(
                entries.map(([server, entry]) => [server, withTransport(entry)]),
              ),
            }),
        ...inOurWords(rest, { max_tokens: 'max_output_tokens' }, own),
      },
      ...(typeof steps === 'number' ? { config: { recursion_limit: 2 * steps + 1 } } : {}),
      ...metadataOf(profile),
    }
    return {
      files: [{ name: fileOf(profile, 'json'), text: `${JSON.stringify(assistant, null, 2)}\n` }],
      notes: [
        'The graph "agent" of your deployment makes it: create_agent(model, tools, system_prompt) with the values of "context".',
        ...(entries.length === 0
          ? []
          : ['MultiServerMCPClient takes "mcp_servers"; it fills no variable in: do that first.']),
      ],
    }
  },
}
