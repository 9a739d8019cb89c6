import type { Backbone, ToolReference } from '../../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { fileStem, isYamlPath } from '../path-names.ts'
import type { CardDraft, Reader } from '../ports.ts'
import { policyOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, refused, textOf, textsOf } from '../formats/published-fields.ts'
import { serversWithoutSecrets } from '../server-entries.ts'

/**
 * Reads declarative agents of Microsoft's Agent Framework: `kind: Prompt` with instructions, a model and tools. A
 * model given by an expression (`=Env.MODEL`) is not known before the run, so the card has no backbone then.
 *
 * @see https://github.com/microsoft/agent-framework, folder declarative-agents
 */
export const agentFrameworkYaml: Reader = {
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
    backbone: backboneOf(model),
    tools: tools.flatMap(referencesOf),
    policy: {
      ...(isJsonObject(model.options) ? model.options : {}),
      ...policyOf(agent, ['inputs', 'outputs', 'template']),
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

function backboneOf(model: JsonObject): Backbone | null {
  const id = textOf(model.id)
  return id === '' || isExpression(id) ? null : { name: id, id }
}

/** A server's allowed tools by name, each with the server's description; another tool is itself. */
function referencesOf(tool: JsonObject): readonly ToolReference[] {
  const description = textOf(tool.description)
  const allowed = textsOf(tool.allowedTools)
  const name = textOf(tool.name) || textOf(tool.serverName) || textOf(tool.kind)
  const names = allowed.length > 0 ? allowed : [name]
  return names
    .filter((each) => each !== '')
    .map((each) => ({ name: each, ...field('description', description) }))
}

function serversOf(tools: readonly JsonObject[]): JsonObject | undefined {
  const entries = tools.flatMap((tool): [string, JsonValue][] => {
    const name = textOf(tool.name) || textOf(tool.serverName)
    const url = textOf(tool.url) || textOf(tool.serverUrl)
    return tool.kind === 'mcp' && name !== '' && url !== '' ? [[name, { type: 'http', url }]] : []
  })
  return serversWithoutSecrets(Object.fromEntries(entries))
}
