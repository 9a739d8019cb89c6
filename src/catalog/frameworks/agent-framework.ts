import type { ToolReference } from '../../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { fileStem, isYamlPath } from '../path-names.ts'
import type { CardDraft, Reader } from '../ports.ts'
import { policyOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, refused, textOf, textsOf } from '../formats/published-fields.ts'
import { serversWithoutSecrets } from '../server-entries.ts'
import {
  backboneOn,
  fileOf,
  type Framework,
  inOurWords,
  inTheirWords,
  metadataOf,
  providerAndModel,
  sourceOfTool,
  yamlOf,
} from './framework.ts'

/** Options of a model by our names. */
const words = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  max_output_tokens: 'maxOutputTokens',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  stop_sequences: 'stopSequences',
}
/** Providers as Agent Framework writes them, by the names that ids of models begin with. */
const providers: { readonly [name: string]: string } = {
  openai: 'OpenAI',
  azure: 'AzureOpenAI',
  anthropic: 'Anthropic',
  ollama: 'Ollama',
}
const providerNamed = (published: string): string =>
  Object.keys(providers).find((name) => providers[name] === published) ?? published.toLowerCase()

/**
 * Reads declarative agents of Microsoft's Agent Framework: `kind: Prompt` with instructions, a model and tools. A
 * model given by an expression (`=Env.MODEL`) is not known before the run, so the card has no backbone then.
 *
 * @see https://github.com/microsoft/agent-framework, folder declarative-agents
 */
const reader: Reader = {
  name: 'agent-framework-yaml',
  describes: 'Microsoft Agent Framework declarative agents, kind: Prompt (YAML)',
  grain: 'card',
  recognises(document) {
    if (!isYamlPath(document.path) || !/^kind\s*:\s*["']?Prompt["']?\s*$/m.test(document.text)) return false
    const agent = document.yaml()
    return isJsonObject(agent) && ['name', 'instructions', 'model'].some((name) => agent[name] !== undefined)
  },
  read(document) {
    const agent = document.yaml()
    if (!isJsonObject(agent)) return { cards: [], servers: [], problems: [] }
    if (textOf(agent.instructions) === '' && textOf(agent.description) === '') {
      return refused({
        file: document.label,
        field: 'instructions',
        message: 'the agent has neither instructions nor a description',
        remedy: 'Say in "description" what it does and in "instructions" how.',
      })
    }
    return { cards: [cardOf(agent, fileStem(document.path))], servers: [], problems: [] }
  },
}

function cardOf(agent: JsonObject, stem: string): CardDraft {
  const model = isJsonObject(agent.model) ? agent.model : {}
  const tools = (Array.isArray(agent.tools) ? agent.tools : []).filter(isJsonObject)
  const servers = serversOf(tools)
  const metadata = isJsonObject(agent.metadata) ? agent.metadata : {}
  return {
    kind: 'agent',
    agentKind: 'profile',
    name: textOf(agent.name) || stem,
    ...field('title', textOf(agent.displayName)),
    description: textOf(agent.description),
    examples: textsOf(metadata.examples),
    tags: textsOf(metadata.tags),
    ...field(
      'publisher',
      Array.isArray(metadata.authors) ? textOf(metadata.authors[0]) : textOf(metadata.author),
    ),
    backbone: isExpression(textOf(model.id))
      ? null
      : backboneOn(providerNamed(textOf(model.provider)), textOf(model.id)),
    tools: tools.flatMap(referencesOf),
    policy: {
      ...inOurWords(model.options, words),
      ...policyOf(agent, ['inputs', 'outputs', 'inputSchema', 'outputSchema', 'template']),
    },
    ...(servers === undefined ? {} : { servers }),
    ...field(
      'instructions',
      [agent.instructions, agent.additionalInstructions].map(textOf).join('\n\n').trim(),
    ),
    ...detailsOf({ framework: 'Agent Framework', model: expressionOf(model.id), provider: model.provider }),
  }
}

const isExpression = (text: string): boolean => text.startsWith('=')

const expressionOf = (id: unknown): string => (isExpression(textOf(id)) ? textOf(id) : '')

/** A server's allowed tools by name, each with the server's description; another tool is itself. */
function referencesOf(tool: JsonObject): readonly ToolReference[] {
  const description = textOf(tool.description)
  const allowed = textsOf(tool.allowedTools)
  const name = textOf(tool.name) || textOf(tool.serverName) || textOf(tool.kind)
  const names = allowed.length > 0 ? allowed : [name]
  return names
    .filter((each) => each !== '')
    .map((each) => ({
      name: each,
      ...field('description', description),
      ...field('id', allowed.length > 0 && name !== '' ? `${name}/${each}` : ''),
    }))
}

function serversOf(tools: readonly JsonObject[]): JsonObject | undefined {
  const entries = tools.flatMap((tool): [string, JsonValue][] => {
    const name = textOf(tool.name) || textOf(tool.serverName)
    const url = textOf(tool.url) || textOf(tool.serverUrl)
    return tool.kind === 'mcp' && name !== '' && url !== '' ? [[name, { type: 'http', url }]] : []
  })
  return serversWithoutSecrets(Object.fromEntries(entries))
}

export const agentFramework: Framework = {
  name: 'agent-framework',
  title: 'Agent Framework',
  reader,
  write(profile) {
    const { name, title, description, backbone, tools, policy, instructions, servers } = profile
    const { title: _, ...beside } = profile
    const { provider, model } = providerAndModel(backbone)
    const options = inTheirWords(policy, words)
    const called = Object.entries(servers).flatMap(([server, { url }]) =>
      url === undefined ? [] : [{ server, url }],
    )
    const isOf = (server: string) => (tool: (typeof tools)[number]) => sourceOfTool(tool) === server
    const functions = tools.filter((tool) => !called.some(({ server }) => isOf(server)(tool)))
    const wanted = [
      ...called.map(({ server, url }) => ({
        kind: 'mcp',
        name: server,
        url,
        ...(tools.some(isOf(server))
          ? { allowedTools: tools.filter(isOf(server)).map((tool) => tool.name) }
          : {}),
      })),
      ...functions.map((tool) => ({
        kind: 'function',
        name: tool.name,
        ...field('description', tool.description ?? ''),
      })),
    ]
    const agent = {
      kind: 'Prompt',
      name,
      ...field('displayName', title ?? ''),
      description,
      ...field('instructions', instructions),
      ...(backbone === null && Object.keys(options).length === 0
        ? {}
        : {
            model: {
              ...field('id', model),
              ...field('provider', providers[provider] ?? provider),
              ...(Object.keys(options).length === 0 ? {} : { options }),
            },
          }),
      ...(wanted.length === 0 ? {} : { tools: wanted }),
      ...metadataOf(beside),
    }
    return {
      files: [{ name: fileOf(profile, 'yaml'), text: yamlOf(agent) }],
      notes: [
        ...(backbone === null
          ? []
          : ['The key of the model stands in "connection", which a profile does not have.']),
        ...(functions.length === 0
          ? []
          : [`Bind the functions in code: ${functions.map((tool) => tool.name).join(', ')}.`]),
      ],
    }
  },
}
