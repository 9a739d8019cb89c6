import type { Backbone, ToolReference } from '../../domain/agent-card.ts'
import { identify, keyOf } from '../../catalog/identity.ts'
import type { CardDraft } from '../../catalog/ports.ts'
import { field, textOf } from '../../catalog/published-fields.ts'
import type { Card } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'

const source = 'agentselect'
/** Longest name that is made of tool names. */
const longestName = 80

/** Card id of an agent, for example of `PartII_agent_7`. */
export const agentSelectId = (agent: string): string => `${source}/${keyOf(agent)}`

/** Texts that the benchmark's files give once and agents refer to by name. */
export type Components = {
  /** `Tools/merge.json`: tool name to what it does. */
  readonly tools: JsonObject
  /** `LLMs/merge.json`: model name to what it is; empty leaves descriptions of models out of the cards. */
  readonly models: JsonObject
}

/** The agents as cards, and what was wrong with them. */
export type SelectAgents = {
  readonly cards: readonly Card[]
  /** Agents whose model is the id of an agent: the generator's mistakes, left out. */
  readonly dirty: ReadonlySet<string>
  /** Distinct tool names that the table of tools does not know. */
  readonly unknownTools: number
}

/**
 * Makes cards of capability profiles `(M, T, C)`. A null backbone may be `{}`, null, or a placeholder's name. What an
 * agent is called is its model, or its tools when it has none: profiles have no names of their own.
 */
export function selectAgents(agents: JsonObject, components: Components): SelectAgents {
  const dirty = new Set<string>()
  const unknown = new Set<string>()
  const drafts: CardDraft[] = []
  for (const [id, profile] of Object.entries(agents)) {
    if (!isJsonObject(profile)) continue
    if (isAgentId(modelName(profile.M))) {
      dirty.add(id)
      continue
    }
    const backbone = backboneOf(profile.M, components.models)
    const tools = toolNames(profile.T).map((name) => toolOf(name, components.tools))
    for (const { name } of tools) if (!Object.hasOwn(components.tools, name)) unknown.add(name)
    drafts.push({
      kind: 'agent',
      agentKind: backbone === null ? 'toolkit' : 'profile',
      key: id,
      name: nameOf(id, backbone, tools),
      description: '',
      examples: [],
      tags: [],
      backbone,
      tools,
      policy: isJsonObject(profile.C) ? profile.C : {},
    })
  }
  const origin = { reader: 'agentselect', location: 'agents/merge.json' }
  const { cards } = identify(
    source,
    drafts.map((draft) => ({ draft, origin })),
  )
  return { cards, dirty, unknownTools: unknown.size }
}

const modelName = (published: unknown): string =>
  isJsonObject(published) ? textOf(published.name) || textOf(published.id) : textOf(published)

/** 1,849 generated agents have such an id where the name of a model should stand. */
const isAgentId = (name: string): boolean => /^Part(?:I|II|III)[12]?_agent_\d+$/i.test(name)

const placeholder = /^(?:default|placeholder|none|null|nil|n\/?a|unknown)(?:[ _-].*)?$/i

function backboneOf(published: unknown, models: JsonObject): Backbone | null {
  const name = modelName(published)
  if (name === '' || placeholder.test(name)) return null
  const stated = isJsonObject(published) ? published : {}
  const known = models[name]
  const description = textOf(stated.description) || (isJsonObject(known) ? textOf(known.description) : '')
  return {
    name,
    ...field('id', textOf(stated.id)),
    ...field('description', Object.keys(models).length === 0 ? '' : description),
  }
}

function toolNames(published: unknown): readonly string[] {
  const list = isJsonObject(published) ? published.tools : published
  const names = (Array.isArray(list) ? list : []).map((tool) =>
    isJsonObject(tool) ? textOf(tool.name) : textOf(tool),
  )
  return [...new Set(names.filter((name) => name !== ''))]
}

/** A tool with its description, which the table has as a text, a list or an object; the name again says nothing. */
function toolOf(name: string, tools: JsonObject): ToolReference {
  const known = Object.hasOwn(tools, name) ? tools[name] : undefined
  const description = plainText(isJsonObject(known) ? known.description : known)
  return { name, ...field('description', description === name ? '' : description) }
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainText).filter(Boolean).join(' ')
  if (isJsonObject(value)) return Object.values(value).map(plainText).filter(Boolean).join(' ')
  return textOf(value)
}

function nameOf(id: string, backbone: Backbone | null, tools: readonly ToolReference[]): string {
  if (backbone !== null) return backbone.name
  const names = tools.map(({ name }) => name).join(', ')
  return names === '' ? id : names.slice(0, longestName).toWellFormed()
}
