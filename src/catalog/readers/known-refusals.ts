import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { hasEnding, isYamlPath } from '../path-names.ts'
import type { Problem, Reader, SourceDocument } from '../ports.ts'
import { refused, textOf } from '../formats/published-fields.ts'

/** A format that is known and holds no card: how to tell it, and what to say. */
type Refusal = {
  /** The field that gives it away, or undefined when it is another format. */
  tell(value: JsonObject): string | undefined
  readonly endings: 'yaml' | 'json'
  readonly message: string
  readonly remedy: string
}

const entries = (value: unknown): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isJsonObject(value) ? value : {}).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  )

const refusals: readonly Refusal[] = [
  {
    endings: 'yaml',
    tell(value) {
      const [name] = entries(value).find(([, task]) => typeof task.expected_output === 'string') ?? []
      return name === undefined ? undefined : `${name}.expected_output`
    },
    message: 'these are tasks of CrewAI, not agents',
    remedy: 'Index the agents.yaml of the same crew instead.',
  },
  {
    endings: 'yaml',
    tell(value) {
      const lists = ['available_models', 'session', 'memory', 'knowledge', 'metrics', 'evals', 'databases']
      if (!lists.some((name) => value[name] !== undefined)) return undefined
      if (entries(value.manifest).length > 0) return 'manifest'
      return isJsonObject(value.chat) && isJsonObject(value.chat.quick_prompts)
        ? 'chat.quick_prompts'
        : undefined
    },
    message: "this is the configuration of Agno's AgentOS; it names agents that are defined in Python",
    remedy: 'Write a capability profile for each agent, or publish its A2A agent card and index that.',
  },
  {
    endings: 'yaml',
    tell: (value) =>
      typeof value.base_agent === 'string' && typeof value.id === 'string' ? 'base_agent' : undefined,
    message: 'this changes another agent, which is not in the file: alone it is no agent',
    remedy: 'Write a capability profile with the model, the tools and the whole prompt.',
  },
  {
    endings: 'json',
    tell(value) {
      const isSchema = /^https?:\/\/json-schema\.org\//.test(textOf(value.$schema))
      const parts = ['properties', 'definitions', '$defs', 'allOf', 'anyOf', 'oneOf', '$ref']
      return isSchema && parts.some((name) => value[name] !== undefined) ? '$schema' : undefined
    },
    message: 'this is a JSON Schema: it says how such files must look and describes no agent or tool',
    remedy: 'Leave it out, or index a file that follows it.',
  },
]

/**
 * Refuses formats that look like agents or tools and are none, each with the reason and what to index instead. Asked
 * last, after every reader that gives cards.
 */
export const knownRefusals: Reader = {
  name: 'known-refusals',
  describes: 'CrewAI tasks, Agno configurations and JSON Schemas: refused with the reason',
  grain: 'card',
  recognises: (document) => refusalOf(document) !== undefined,
  read(document) {
    const problem = refusalOf(document)
    return problem === undefined ? { cards: [], servers: [], problems: [] } : refused(problem)
  },
}

function refusalOf(document: SourceDocument): Omit<Problem, 'severity'> | undefined {
  const isYaml = isYamlPath(document.path)
  if (!isYaml && !hasEnding(document.path, 'json')) return undefined
  const value = isYaml ? document.yaml() : document.json()
  if (!isJsonObject(value)) return undefined
  for (const { endings, tell, message, remedy } of refusals) {
    const field = endings === (isYaml ? 'yaml' : 'json') ? tell(value) : undefined
    if (field !== undefined) return { file: document.label, field, message, remedy }
  }
  return undefined
}
