import type { AgentCard } from '../../../../../src/domain/card.ts'
import {
  agentRows,
  type AgentVocabulary,
  fitAgents,
  type Modality,
  modalities,
} from '../features/agent-features.ts'
import { type SparseRows, sparseRows } from '../features/sparse-rows.ts'
import { fitTerms, type Terms, termWeigher } from '../features/tf-idf.ts'
import type { RecommendedQuery } from '../recommendations.ts'
import { openMatrices } from './matrices.ts'
import { openTower } from './tower.ts'
import { towerDefaults, type TowerSettings, type TowerWeights, trainTowers } from './train-towers.ts'

/** A two-tower recommender: what it knows, and what it learned. */
export type TwoTower = {
  readonly settings: TowerSettings
  readonly modalities: readonly Modality[]
  readonly queryTerms: Terms
  readonly vocabulary: AgentVocabulary
  readonly weights: TowerWeights
}

const mostTerms = 5000

/** Trains on queries whose positives are places among the agents. */
export async function trainTwoTower(
  agents: readonly AgentCard[],
  queries: readonly RecommendedQuery[],
  {
    settings = {},
    seen = modalities,
    signal,
    onEpoch,
  }: {
    readonly settings?: Partial<TowerSettings>
    readonly seen?: readonly Modality[]
    readonly signal?: AbortSignal | undefined
    readonly onEpoch?: (epoch: number, loss: number) => void
  } = {},
): Promise<TwoTower> {
  const known = [...new Set(queries.flatMap(({ positives }) => positives))].map((place) => agents[place]!)
  const vocabulary = fitAgents(agents, known)
  const queryTerms = fitTerms(
    queries.map(({ text }) => text),
    mostTerms,
  )
  const all = { ...towerDefaults, ...settings }
  const weights = await trainTowers({
    queries: queryRows(
      queryTerms,
      queries.map(({ text }) => text),
    ),
    agents: agentRows(agents, vocabulary, seen),
    terms: {
      queries: queryTerms.terms,
      agents: [...vocabulary.toolTerms.terms, ...vocabulary.modelTerms.terms],
    },
    positives: queries.map(({ positives }) => positives),
    settings: all,
    signal,
    ...(onEpoch ? { onEpoch } : {}),
  })
  return { settings: all, modalities: seen, queryTerms, vocabulary, weights }
}

const queryRows = (terms: Terms, texts: readonly string[]): SparseRows =>
  sparseRows(texts.map(termWeigher(terms)), terms.terms.length)

/** Unit vectors of agents, row by row. */
export function agentVectors(
  { vocabulary, modalities: seen, settings, weights }: TwoTower,
  agents: readonly AgentCard[],
): Float32Array {
  const { content, ids } = agentRows(agents, vocabulary, seen)
  return encoded(settings, weights.agent, { content, ids, count: agents.length })
}

/** Unit vectors of requests, row by row. */
const queryVectors = ({ queryTerms, settings, weights }: TwoTower, texts: readonly string[]): Float32Array =>
  encoded(settings, weights.query, { content: queryRows(queryTerms, texts), ids: null, count: texts.length })

function encoded(
  { depth, width }: TowerSettings,
  weights: TowerWeights['query'],
  {
    content,
    ids,
    count,
  }: { readonly content: SparseRows; readonly ids: SparseRows | null; readonly count: number },
): Float32Array {
  const batch = 64
  const matrices = openMatrices(16 * width * (batch + width), Math.max(batch, width))
  const dense = ['dense0', 'dense1'].flatMap((name) => weights[name] ?? [])
  const tower = openTower(
    matrices,
    { depth, width, batch },
    { content, ids, start: { content: weights.table!, dense } },
  )
  tower.parameters.ids?.values.set(weights.ids!)
  const vectors = new Float32Array(count * width)
  for (let start = 0; start < count; start += batch) {
    const items = Array.from({ length: Math.min(batch, count - start) }, (_, at) => start + at)
    vectors.set(tower.forward(items).values.subarray(0, items.length * width), start * width)
  }
  return vectors
}

/** Scores agents for a request, in the order of a pool of their places. */
export type PoolScorer = (text: string, pool: readonly number[]) => Float32Array

/** Cosines of agents with requests, which are read at once. */
export function towerScorer(
  tower: TwoTower,
  agents: readonly AgentCard[],
  texts: readonly string[],
): PoolScorer {
  const { width } = tower.settings
  const distinct = [...new Set(texts)]
  const placeOf = new Map(distinct.map((text, place) => [text, place]))
  const [asked, vectors] = [queryVectors(tower, distinct), agentVectors(tower, agents)]
  return (text, pool) => {
    const from = placeOf.get(text)! * width
    return Float32Array.from(pool, (agent) => {
      let sum = 0
      for (let d = 0; d < width; d += 1) sum += asked[from + d]! * vectors[agent * width + d]!
      return sum
    })
  }
}
