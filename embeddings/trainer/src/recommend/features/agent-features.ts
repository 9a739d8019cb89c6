import type { AgentCard, ToolReference } from '../../../../../src/domain/card.ts'
import { type SparseRow, type SparseRows, sparseRows } from './sparse-rows.ts'
import { fitTerms, type Terms, termWeigher } from './tf-idf.ts'

/** What of an agent a recommender looks at. */
export type Modality = 'tool text' | 'model text' | 'tool id' | 'model id'
export const modalities: readonly Modality[] = ['tool text', 'model text', 'tool id', 'model id']

/** What agents are told by: terms of their texts, and the names that have a vector of their own. */
export type AgentVocabulary = {
  readonly toolTerms: Terms
  readonly modelTerms: Terms
  readonly tools: readonly string[]
  readonly models: readonly string[]
}

/** Features of a text: as in the paper. */
const mostTerms = 5000
/** Tools whose ids count, the first ones. */
const mostTools = 8

const toolText = ({ name, description }: ToolReference): string => `${name} ${description ?? ''}`
const modelOf = ({ backbone }: AgentCard): string | null => backbone && (backbone.id ?? backbone.name)

/** @param agents - of the catalog; ids are those of `known`, which were learned from */
export function fitAgents(agents: readonly AgentCard[], known: readonly AgentCard[]): AgentVocabulary {
  const tools = new Map(agents.flatMap((card) => card.tools.map((tool) => [tool.name, toolText(tool)])))
  const models = [...new Set(agents.map(modelOf))].filter((name) => name !== null)
  const namesOf = (list: readonly (string | null)[]): readonly string[] =>
    [...new Set(list)].filter((name) => name !== null).sort()
  return {
    toolTerms: fitTerms([...tools.values()], mostTerms),
    modelTerms: fitTerms(models, mostTerms),
    tools: namesOf(known.flatMap((card) => card.tools.slice(0, mostTools).map(({ name }) => name))),
    models: namesOf(known.map(modelOf)),
  }
}

/**
 * Agents as rows: terms of the tools (their mean), then of the model's name; then apart the ids of tools (their mean) and of the model. A name
 * that was never learned from has no id.
 */
export function agentRows(
  agents: readonly AgentCard[],
  vocabulary: AgentVocabulary,
  seen: readonly Modality[] = modalities,
): { readonly content: SparseRows; readonly ids: SparseRows } {
  const { toolTerms, modelTerms, tools, models } = vocabulary
  const [ofTool, ofModel] = [termWeigher(toolTerms), termWeigher(modelTerms)]
  const known = new Map<string, SparseRow>()
  const rowOf = (tool: ToolReference): SparseRow => {
    const text = toolText(tool)
    const row = known.get(text) ?? ofTool(text)
    known.set(text, row)
    return row
  }
  const toolPlace = new Map(tools.map((name, place) => [name, place]))
  const modelPlace = new Map(models.map((name, place) => [name, tools.length + place]))
  const sees = new Set(seen)
  const content = agents.map((card): SparseRow => {
    const name = modelOf(card)
    return [
      ...(sees.has('tool text') ? meanOf(card.tools.map(rowOf)) : []),
      ...(sees.has('model text') && name !== null
        ? ofModel(name).map(([place, value]) => [toolTerms.terms.length + place, value] as const)
        : []),
    ]
  })
  const ids = agents.map((card): SparseRow => {
    const own = card.tools.slice(0, mostTools)
    const model = modelPlace.get(modelOf(card) ?? '')
    const named = own.map(({ name }): SparseRow => {
      const place = toolPlace.get(name)
      return place === undefined ? [] : [[place, 1]]
    })
    return [
      ...(sees.has('tool id') ? meanOf(named) : []),
      ...(sees.has('model id') && model !== undefined ? [[model, 1] as const] : []),
    ]
  })
  return {
    content: sparseRows(content, toolTerms.terms.length + modelTerms.terms.length),
    ids: sparseRows(ids, tools.length + models.length),
  }
}

function meanOf(rows: readonly SparseRow[]): SparseRow {
  const sums = new Map<number, number>()
  for (const row of rows) for (const [column, value] of row) sums.set(column, (sums.get(column) ?? 0) + value)
  return [...sums].map(([column, value]) => [column, value / rows.length])
}
