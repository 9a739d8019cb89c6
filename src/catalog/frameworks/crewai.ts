import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { fileStem, isYamlPath, parentFolder } from '../path-names.ts'
import type { CardDraft, Reader, SourceDocument } from '../ports.ts'
import { toolsOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, textOf } from '../formats/published-fields.ts'
import { backboneOn, type Framework, inOurWords, inTheirWords, sameWords, yamlOf } from './framework.ts'

/** Fields of an agent's `llm` that bear on a run, by our names. */
const llmWords = {
  max_output_tokens: 'max_tokens',
  ...sameWords('temperature', 'top_p', 'seed', 'stop', 'presence_penalty', 'frequency_penalty'),
}
const ownFields = ['role', 'goal', 'backstory', 'llm', 'tools']
/** Fields of an agent that bear on a run, by our names. */
const words = {
  max_steps: 'max_iter',
  ...sameWords(
    'max_rpm',
    'max_execution_time',
    'max_retry_limit',
    'memory',
    'verbose',
    'allow_delegation',
    'cache',
    'reasoning',
    'multimodal',
    'respect_context_window',
    'inject_date',
    'function_calling_llm',
    'use_system_prompt',
  ),
}

/**
 * Reads CrewAI's `agents.yaml`: a map from agent to `role`, `goal` and `backstory`, which together are its prompt.
 * Placeholders in braces (`{topic}`) stay as they are and are named in the details. Tasks of the `tasks.yaml` beside it are examples of
 * the agent that they name.
 *
 * @see https://docs.crewai.com/concepts/agents
 */
const reader: Reader = {
  name: 'crewai-yaml',
  describes: 'CrewAI agents, agents.yaml (YAML)',
  grain: 'catalog',
  recognises(document) {
    if (!isYamlPath(document.path) || !/^[ \t]+role[ \t]*:/m.test(document.text)) return false
    const agents = document.yaml()
    return isJsonObject(agents) && Object.keys(agents).length > 0 && Object.values(agents).every(isCrewAgent)
  },
  read(document) {
    const agents = document.yaml()
    const cards = Object.entries(isJsonObject(agents) ? agents : {}).flatMap(([key, agent]) =>
      isCrewAgent(agent) ? [cardOf(key, agent, tasksFor(key, document))] : [],
    )
    return { cards, servers: [], problems: [], ...field('sourceName', crewName(document)) }
  },
}

const isCrewAgent = (value: unknown): value is JsonObject =>
  isJsonObject(value) && textOf(value.role) !== '' && textOf(value.goal) !== ''

/** A crew's agents lie in `<crew>/config/agents.yaml`; other files name themselves. */
function crewName({ path }: SourceDocument): string {
  if (fileStem(path) !== 'agents') return ''
  const folder = parentFolder(path)
  return folder === 'config' ? parentFolder(path.replace(/[\\/][^\\/]*$/, '')) : folder
}

/** What the tasks of an agent ask for. */
function tasksFor(key: string, document: SourceDocument): readonly string[] {
  const tasks = document.beside('tasks.yaml')?.yaml()
  return Object.values(isJsonObject(tasks) ? tasks : {}).flatMap((task) =>
    isJsonObject(task) && textOf(task.agent) === key ? textOf(task.description) || [] : [],
  )
}

const promptOf = (role: string, goal: string, backstory: string): string =>
  [`Role: ${role}`, `Goal: ${goal}`, backstory].filter((part) => part !== '').join('\n\n')

function cardOf(key: string, agent: JsonObject, examples: readonly string[]): CardDraft {
  const [role, goal, backstory] = [textOf(agent.role), textOf(agent.goal), textOf(agent.backstory)]
  const prompt = promptOf(role, goal, backstory)
  const llm = textOf(isJsonObject(agent.llm) ? agent.llm.model : agent.llm)
  const [, provider = '', model = llm] = /^([^/]+)\/(.+)$/.exec(llm) ?? []
  const placeholders = new Set(prompt.match(/\{\w+\}/g))
  return {
    kind: 'agent',
    agentKind: 'profile',
    key,
    name: key,
    title: role,
    description: goal,
    examples,
    tags: [],
    backbone: backboneOn(provider, model),
    tools: toolsOf(agent.tools),
    policy: {
      ...inOurWords(agent.llm, llmWords, ['model', 'provider', 'base_url', 'api_base']),
      ...inOurWords(agent, words, ownFields),
    },
    instructions: prompt,
    ...detailsOf({ framework: 'CrewAI', placeholders: [...placeholders].join(', ') }),
  }
}

export const crewai: Framework = {
  name: 'crewai',
  title: 'CrewAI',
  reader,
  write(profile) {
    const { name, description, backbone, tools, policy, examples, servers } = profile
    const { title: role = name, instructions } = profile
    const settings = inTheirWords(policy, llmWords)
    const hasSettings = backbone !== null && Object.keys(settings).length > 0
    const model = backbone?.id ?? backbone?.name ?? ''
    const key = name.replaceAll('-', '_')
    const prefix = promptOf(role, description, '')
    const agent = {
      role,
      goal: description,
      // What was read of a crew has role and goal in front.
      backstory: instructions.startsWith(prefix) ? instructions.slice(prefix.length).trim() : instructions,
      ...(backbone === null ? {} : { llm: hasSettings ? { model, ...settings } : model }),
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => tool.name) }),
      ...inTheirWords(policy, words),
    }
    const tasks = examples.map((example, place) => [
      `${key}_task${place === 0 ? '' : `_${place + 1}`}`,
      { description: example, expected_output: 'What the task asks for.', agent: key },
    ])
    return {
      files: [
        { name: 'agents.yaml', text: yamlOf({ [key]: agent }) },
        ...(tasks.length === 0 ? [] : [{ name: 'tasks.yaml', text: yamlOf(Object.fromEntries(tasks)) }]),
      ],
      notes: [
        ...(hasSettings
          ? ['Where CrewAI takes "llm" as a text alone, give the agent LLM(**llm) in code.']
          : []),
        ...(tools.length === 0 ? [] : ['A crew finds tools by the names of its @tool methods.']),
        ...(Object.keys(servers).length === 0
          ? []
          : [
              `CrewAI starts no MCP server by a file: give the agent mcps or an MCPServerAdapter for ${Object.keys(servers).join(', ')}.`,
            ]),
      ],
    }
  },
}
