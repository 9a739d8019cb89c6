import type { AgentCard } from '../../../../../src/domain/card.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../../../src/retrieval/ports.ts'
import { memorySnapshot } from '../../../../../src/retrieval/memory-snapshot.ts'
import {
  candidateFeatures,
  evidenceOfText,
  featureNames,
} from '../../../../../src/retrieval/rank/candidate-features.ts'
import { minMax, type ScoreList, weightedSum } from '../../../../../src/retrieval/rank/fusion.ts'
import { analyzeQuery } from '../../../../../src/retrieval/text/analyze.ts'
import type { DocumentHits } from '../../../../../src/retrieval/index/best-documents.ts'
import { TrainingError } from '../../training-error.ts'

/** What the fusion knows of a candidate: all that the learned ranker does, and what a tower makes of it. */
export const fusedFeatureNames: readonly string[] = [
  ...featureNames,
  'tower',
  'tower-gap',
  'tower-scaled',
  'tower-rank',
]

/** Agents as a search finds them. */
export type SearchedAgents = {
  readonly snapshot: CatalogSnapshot
  readonly model: EmbeddingModel
  /** Document of an agent by its place, and back. */
  readonly documentOf: Uint32Array
  readonly agentOf: Uint32Array
}

/** @throws TrainingError for a model without a ranker */
export async function searchedAgents(
  agents: readonly AgentCard[],
  model: EmbeddingModel | null,
): Promise<SearchedAgents> {
  if (model?.ranker === undefined)
    throw new TrainingError(
      'Candidates are told by a model with a ranker, and there is none.',
      'Unset AUDITION_MODEL.',
    )
  const snapshot = await memorySnapshot(agents, model)
  const { ids } = snapshot.indexes.agent
  const placeOf = new Map(agents.map(({ id }, place) => [id, place]))
  const agentOf = Uint32Array.from(agents, (_, document) => placeOf.get(ids.at(document))!)
  const documentOf = new Uint32Array(agents.length)
  for (const [document, agent] of agentOf.entries()) documentOf[agent] = document
  return { snapshot, model, documentOf, agentOf }
}

/** Candidates of each retriever, and how many are scored: as in a search. */
const depth = 100
const most = 120

/** The candidates of a request: places of agents, and a row of {@link fusedFeatureNames} each. */
export type Candidates = { readonly agents: readonly number[]; readonly features: Float32Array }

/**
 * The best of what words, vectors and a tower find in a pool.
 *
 * @param pool - places of agents
 * @param scores - of the tower, in the order of the pool
 */
export async function candidatesIn(
  { snapshot, model, documentOf, agentOf }: SearchedAgents,
  text: string,
  { pool, scores }: { readonly pool: readonly number[]; readonly scores: ArrayLike<number> },
): Promise<Candidates> {
  const index = snapshot.indexes.agent
  const admitted = new Uint8Array(index.size)
  for (const agent of pool) admitted[documentOf[agent]!] = 1
  const query = analyzeQuery(text)
  const [vector] = await model.embed([text], 'query')
  const lexical = listOf(index.search(query, depth, admitted))
  const [near] = index.vectors?.scored(vector!, admitted).parts ?? []
  const dense = near ? listOf(near.best(depth)) : new Map<number, number>()
  const tower = new Map(
    pool
      .map((agent, place) => [documentOf[agent]!, scores[place]!] as const)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0]),
  )
  const towerBest = new Map([...tower].slice(0, depth))
  const fused = weightedSum([
    { scores: minMax(lexical, 0), weight: 1 },
    { scores: minMax(dense), weight: 1 },
    { scores: minMax(towerBest), weight: 1 },
  ])
  const documents = [...fused.keys()].sort((a, b) => fused.get(b)! - fused.get(a)! || b - a).slice(0, most)
  const known = candidateFeatures(
    {
      index,
      probe: index.probe(query),
      lexical,
      dense,
      cosineOf: (document) => near?.of(document) ?? Number.NaN,
      ...evidenceOfText(index, text, model.ranker!.matcher),
    },
    documents,
  )
  return {
    agents: documents.map((document) => agentOf[document]!),
    features: withTower(known, documents, tower),
  }
}

function withTower(known: Float32Array, documents: readonly number[], tower: ScoreList): Float32Array {
  const [width, wider] = [featureNames.length, fusedFeatureNames.length]
  const ranks = new Map([...tower.keys()].map((document, rank) => [document, rank]))
  const values = [...tower.values()]
  const [best, least] = [values[0] ?? 0, values[Math.min(depth, values.length) - 1] ?? 0]
  const rows = new Float32Array(documents.length * wider)
  for (const [place, document] of documents.entries()) {
    const score = tower.get(document)!
    rows.set(known.subarray(place * width, (place + 1) * width), place * wider)
    rows.set(
      [
        score,
        score - best,
        best > least ? Math.max(0, (score - least) / (best - least)) : 0,
        61 / (61 + ranks.get(document)!),
      ],
      place * wider + width,
    )
  }
  return rows
}

const listOf = ({ documents, scores }: DocumentHits): ScoreList =>
  new Map(Array.from(documents, (document, place) => [document, scores[place]!]))
