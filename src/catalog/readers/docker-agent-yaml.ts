import type { Backbone, ToolReference } from '../../domain/card.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { fileStem, isYamlPath } from '../path-names.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { backboneOf, policyOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, textOf, textsOf } from '../formats/published-fields.ts'
import { serversWithoutSecrets } from '../server-entries.ts'

/** Fields of which an agent has at least one. */
const telling = ['model', 'instruction', 'description', 'toolsets', 'sub_agents']
/** Fields of agent and model that bear on a run. */
const agentPolicy = [
  'sub_agents',
  'handoffs',
  'max_iterations',
  'add_date',
  'add_environment_info',
  'fallback',
]
const modelPolicy = ['temperature', 'max_tokens', 'top_p', 'thinking_budget', 'parallel_tool_calls']

/**
 * Reads agents of Docker Agent (cagent): a map `agents` with models, toolsets and sub-agents. Each agent is a card;
 * `root`, which every file has, is named after the file.
 *
 * @see https://docs.docker.com/ai/cagent/
 */
export const dockerAgentYaml: Reader = {
  name: 'docker-agent-yaml',
  describes: 'Docker Agent (cagent) teams (YAML)',
  grain: 'catalog',
  recognises(document) {
    if (!isYamlPath(document.path) || !/^agents\s*:/m.test(document.text)) return false
    const team = document.yaml()
    return isJsonObject(team) && isJsonObject(team.agents) && Object.values(team.agents).some(isAgent)
  },
  read(document) {
    const team = document.yaml()
    if (!isJsonObject(team) || !isJsonObject(team.agents)) return { cards: [], servers: [], problems: [] }
    const cards: CardDraft[] = []
    const problems: Problem[] = []
    for (const [name, agent] of Object.entries(team.agents)) {
      if (isAgent(agent)) cards.push(cardOf({ document, team }, name, agent))
      else problems.push(notAnAgent(document, `agents.${name}`))
    }
    return { cards, servers: [], problems }
  },
}

const isAgent = (value: unknown): value is JsonObject =>
  isJsonObject(value) && telling.some((name) => value[name] !== undefined)

function cardOf(
  { document, team }: { readonly document: SourceDocument; readonly team: JsonObject },
  name: string,
  agent: JsonObject,
): CardDraft {
  const metadata = isJsonObject(team.metadata) ? team.metadata : {}
  const toolsets = (Array.isArray(agent.toolsets) ? agent.toolsets : []).filter(isJsonObject)
  const model = modelOf(team, textOf(agent.model))
  const servers = serversOf(toolsets)
  const isRoot = name === 'root'
  return {
    kind: 'agent',
    agentKind: 'profile',
    key: name,
    name: isRoot ? fileStem(document.path) : name,
    description: textOf(agent.description) || (isRoot ? textOf(metadata.description) : ''),
    examples: promptsOf(agent.commands),
    tags: textsOf(metadata.tags),
    ...field('publisher', textOf(metadata.author)),
    backbone: model.backbone,
    tools: eachOnce(toolsets.flatMap(toolsOf)),
    policy: { ...model.policy, ...policyOf(agent, agentPolicy) },
    ...(servers === undefined ? {} : { servers }),
    ...field('instructions', textOf(agent.instruction)),
    ...detailsOf({
      framework: 'Docker Agent',
      agent: name,
      license: metadata.license,
      version: metadata.version,
      welcome: agent.welcome_message,
    }),
  }
}

/** A model is an entry of `models`, a provider's id such as `openai/gpt-5`, or several with commas between. */
function modelOf(team: JsonObject, stated: string): { backbone: Backbone | null; policy: JsonObject } {
  const models = isJsonObject(team.models) ? team.models : {}
  const entry = models[stated]
  if (!isJsonObject(entry) || textOf(entry.model) === '') return { backbone: backboneOf(stated), policy: {} }
  const provider = textOf(entry.provider)
  const id = provider === '' ? textOf(entry.model) : `${provider}/${textOf(entry.model)}`
  return { backbone: { name: textOf(entry.model), id }, policy: policyOf(entry, modelPolicy) }
}

/** The tools a toolset allows by name; a toolset that names none is itself the tool. */
function toolsOf(toolset: JsonObject): readonly ToolReference[] {
  const listed = textsOf(toolset.tools)
  if (listed.length > 0) return listed.map((name) => ({ name }))
  if (isJsonObject(toolset.shell)) {
    return Object.entries(toolset.shell).map(([name, script]) => ({
      name,
      ...field('description', isJsonObject(script) ? textOf(script.description) : ''),
    }))
  }
  const name = toolsetName(toolset)
  return name === '' ? [] : [{ name, ...field('description', textOf(toolset.instruction)) }]
}

function toolsetName(toolset: JsonObject): string {
  const remote = isJsonObject(toolset.remote) ? textOf(toolset.remote.url) : ''
  const [, host = ''] = /^https?:\/\/(?:[^@/]*@)?([^/?#]+)/i.exec(remote) ?? []
  const reference = textOf(toolset.ref).replace(/^docker:/, '')
  return textOf(toolset.name) || reference || host || programOf(toolset) || textOf(toolset.type)
}

/** The command, or what a package runner such as `npx -y news-server` runs. */
function programOf({ command, args }: JsonObject): string {
  const program = textOf(command)
  if (!/^(?:npx|uvx|bunx|pipx)$/.test(program)) return program
  return textsOf(args).find((word) => !word.startsWith('-')) ?? program
}

/** What the toolsets of type `mcp` start or call; one taken from Docker's catalog (`ref`) is started by Docker. */
function serversOf(toolsets: readonly JsonObject[]): JsonObject | undefined {
  const entries = toolsets.flatMap((toolset): [string, JsonValue][] => {
    const { command, args, env, ref, remote } = toolset
    const name = toolsetName(toolset)
    if (toolset.type !== 'mcp' || name === '') return []
    if (typeof command === 'string') return [[name, { command, args: args ?? [], env: env ?? {} }]]
    if (isJsonObject(remote))
      return [[name, { type: 'http', url: remote.url ?? '', headers: remote.headers ?? {} }]]
    const image = textOf(ref).replace(/^docker:/, '')
    return image === ''
      ? []
      : [[name, { command: 'docker', args: ['mcp', 'gateway', 'run', `--servers=${image}`] }]]
  })
  return serversWithoutSecrets(Object.fromEntries(entries))
}

/** Named prompts of an agent: what its users ask, in their words. */
const promptsOf = (commands: unknown): readonly string[] => {
  const prompts = isJsonObject(commands) ? Object.values(commands) : []
  return textsOf(prompts.map((prompt) => (isJsonObject(prompt) ? prompt.instruction : prompt)))
}

const eachOnce = (tools: readonly ToolReference[]): readonly ToolReference[] => [
  ...new Map(tools.map((tool) => [tool.name, tool])).values(),
]

const notAnAgent = (document: SourceDocument, path: string): Problem => ({
  severity: 'error',
  file: document.label,
  field: path,
  message: 'the agent has neither model, instruction, description nor toolsets',
  remedy: 'Give it at least a "model" and an "instruction".',
})
