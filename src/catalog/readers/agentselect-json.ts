import { beginningOf } from '../../domain/text/cut.ts'
import { namesInLine } from '../../domain/text/names-in-line.ts'
import type { Backbone, ToolReference } from '../../domain/card.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { hasEnding } from '../path-names.ts'
import type { CardDraft, Problem, Reader, SourceDocument } from '../ports.ts'
import { field, textOf } from '../formats/published-fields.ts'

/** Longest name that is made of tool names. */
const longestName = 80

/**
 * Reads the agents of AgentSelect: `agents/merge.json`, a map from id to a capability profile `{M, T, C}`. What their tools and
 * models do stands in `Tools/merge.json` and `LLMs/merge.json` beside the folder or one above it, where these are there.
 *
 * @see AgentSelect, ICML 2026
 */
export const agentSelectJson: Reader = {
  name: 'agentselect-json',
  describes: 'Agents of AgentSelect and of its MuleRun set, agents/merge.json (JSON)',
  grain: 'catalog',
  recognises(document) {
    if (!hasEnding(document.path, 'json') || !/"M"\s*:/.test(document.text)) return false
    const json = document.json()
    const profiles = isJsonObject(json) ? Object.values(json).slice(0, mostLookedAt) : []
    return profiles.length > 0 && profiles.every(isProfile)
  },
  read(document) {
    const json = document.json()
    const components = { tools: tableBeside(document, 'Tools'), models: tableBeside(document, 'LLMs') }
    const { drafts, dirty } = agentDrafts(isJsonObject(json) ? json : {}, components)
    return {
      cards: drafts,
      servers: [],
      problems: problemsOf(document, [...dirty]),
      ...field('sourceName', nameOfSet(document.path)),
    }
  },
}

/** Profiles by which a file is recognised. */
const mostLookedAt = 20
/** Agents with a fault that are named; the published files hold hundreds. */
const mostNamed = 3

function problemsOf({ label }: SourceDocument, dirty: readonly string[]): readonly Problem[] {
  if (dirty.length === 0) return []
  return [
    {
      severity: 'error',
      file: label,
      message: `left out since their model is the id of an agent: ${namesInLine(dirty, mostNamed)}`,
      remedy: 'Name a model for each, or leave them out.',
    },
  ]
}

const isProfile = (value: unknown): boolean => isJsonObject(value) && 'M' in value && 'T' in value

/** `agentselect-PartI` of `…/PartI/agents/merge.json`. */
function nameOfSet(path: string): string {
  const folders = path.split(/[\\/]/).slice(0, -1)
  const set = folders.at(-1) === 'agents' ? (folders.at(-2) ?? '') : ''
  return /^Part/i.test(set) ? `agentselect-${set}` : set
}

function tableBeside(document: SourceDocument, folder: string): JsonObject {
  for (const above of ['..', '../..']) {
    const table = document.beside(`${above}/${folder}/merge.json`)?.json()
    if (isJsonObject(table)) return table
  }
  return {}
}

/** Texts that the benchmark's files give once and agents refer to by name. */
export type Components = {
  /** `Tools/merge.json`: tool name to what it does. */
  readonly tools: JsonObject
  /** `LLMs/merge.json`: model name to what it is; empty leaves descriptions of models out of the cards. */
  readonly models: JsonObject
}

/** The agents as drafts of cards, and what was wrong with them. */
type AgentDrafts = {
  readonly drafts: readonly CardDraft[]
  /** Agents whose model is the id of an agent: the generator's mistakes, left out. */
  readonly dirty: ReadonlySet<string>
  /** Distinct tool names that the table of tools does not know. */
  readonly unknownTools: number
}

/**
 * Makes cards of capability profiles `(M, T, C)`. A null backbone may be `{}`, null, or a placeholder's name. What an
 * agent is called is its model, or its tools when it has none: profiles have no names of their own.
 */
export function agentDrafts(agents: JsonObject, components: Components): AgentDrafts {
  const dirty = new Set<string>()
  const unknown = new Set<string>()
  const drafts: CardDraft[] = []
  for (const [id, profile] of Object.entries(agents)) {
    if (id.trim() === '' || !isJsonObject(profile) || !isProfile(profile)) continue
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
  return { drafts, dirty, unknownTools: unknown.size }
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
  return names === '' ? id : beginningOf(names, longestName)
}
