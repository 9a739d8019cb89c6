import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { isSecretName } from '../../domain/text/secrets.ts'
import { fileStem, isYamlPath, parentFolder } from '../path-names.ts'
import type { CardDraft, Reader, SourceDocument } from '../ports.ts'
import { backboneOf, policyOf, toolsOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, textOf } from '../formats/published-fields.ts'

const ownFields = ['role', 'goal', 'backstory', 'llm', 'tools']

/**
 * Reads CrewAI's `agents.yaml`: a map from agent to `role`, `goal` and `backstory`, which together are its prompt.
 * Placeholders in braces (`{topic}`) stay as they are and are named in the details.
 *
 * @see https://docs.crewai.com/concepts/agents
 */
export const crewaiYaml: Reader = {
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
      isCrewAgent(agent) ? [cardOf(key, agent)] : [],
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

function cardOf(key: string, agent: JsonObject): CardDraft {
  const [role, goal, backstory] = [textOf(agent.role), textOf(agent.goal), textOf(agent.backstory)]
  const prompt = [`Role: ${role}`, `Goal: ${goal}`, backstory].filter((part) => part !== '').join('\n\n')
  const model = isJsonObject(agent.llm) ? agent.llm.model : agent.llm
  const rest = Object.keys(agent).filter((name) => !ownFields.includes(name) && !isSecretName(name))
  const placeholders = new Set(prompt.match(/\{\w+\}/g))
  return {
    kind: 'agent',
    agentKind: 'profile',
    key,
    name: key,
    title: role,
    description: goal,
    examples: [],
    tags: [],
    backbone: backboneOf(model),
    tools: toolsOf(agent.tools),
    policy: policyOf(agent, rest),
    instructions: prompt,
    ...detailsOf({ framework: 'CrewAI', placeholders: [...placeholders].join(', ') }),
  }
}
