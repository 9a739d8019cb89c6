import { memorySnapshot } from '../../../../../src/retrieval/index/memory-snapshot.ts'
import { search } from '../../../../../src/retrieval/search.ts'
import { rank, type Ranking } from '../../../../../src/domain/ranking.ts'
import type { EmbeddingModel } from '../../../../../src/retrieval/ports.ts'
import type { SearchRequest } from '../../../../../src/retrieval/answer.ts'
import { bagOf, dot } from '../baselines/bpr.ts'
import { trainFactors } from '../baselines/factors.ts'
import { trainGraph } from '../baselines/graph.ts'
import { nearestQueries } from '../baselines/nearest-queries.ts'
import { agentRows, fitAgents } from '../features/agent-features.ts'
import { type SparseRow, sparseRows } from '../features/sparse-rows.ts'
import { fitTerms, termWeigher } from '../features/tf-idf.ts'
import { candidatesIn, searchedAgents } from '../fusion/candidates.ts'
import type { RecommendedQuery, Recommendations } from '../recommendations.ts'
import { openFusion, type Recommender } from '../recommender-file.ts'
import { rankedPool } from './pools.ts'
import { towerScorer } from '../tower/two-tower.ts'

/** Ranks the candidates of a request; those that it leaves out stand behind. */
export type Scorer = (query: RecommendedQuery, pool: readonly number[]) => Ranking | Promise<Ranking>

/** What a row of the report is made from. */
export type ScorerInput = {
  readonly recommendations: Recommendations
  readonly train: readonly RecommendedQuery[]
  /** Queries that will be asked. */
  readonly asked: readonly RecommendedQuery[]
  readonly recommender: Recommender
  /** Of searches; null goes by words alone. */
  readonly model: EmbeddingModel | null
  readonly signal?: AbortSignal | undefined
}

/** Every row, in the order of the report. Null: it has not what it needs. */
export const scorers: { readonly [row: string]: (input: ScorerInput) => Promise<Scorer | null> } = {
  words: (input) => searched(input, null, 'lexical'),
  learned: (input) => searched(input, input.model?.plain ?? input.model, 'learned'),
  reader: async (input) => (input.model?.plain ? searched(input, input.model, 'reader') : null),
  knn: async (input) => {
    const near = nearestQueries(input.train.map(({ text }) => text))
    return byScores(input, ({ text }, pool) => {
      const votes = new Map<number, number>()
      for (const [query, weight] of near(text))
        for (const agent of input.train[query]!.positives) votes.set(agent, (votes.get(agent) ?? 0) + weight)
      return pool.map((agent) => votes.get(agent) ?? 0)
    })
  },
  mf: (input) => factors(input, { terms: 'without', epochs: 10 }),
  lightfm: (input) => factors(input, { terms: 'with', epochs: 5 }),
  lightgcn: (input) => graph(input, 'lightgcn', 6),
  simgcl: (input) => graph(input, 'simgcl', 10),
  tower: async (input) => {
    const { recommendations, asked, recommender } = input
    const scores = towerScorer(
      recommender.tower,
      recommendations.agents,
      asked.map(({ text }) => text),
    )
    return byScores(input, ({ text }, pool) => scores(text, pool))
  },
  fusion: async (input) => {
    const { recommendations, asked, recommender, model } = input
    if (recommender.fusion === null || !model) return null
    const { agents } = recommendations
    const trees = openFusion(recommender.fusion)
    const scores = towerScorer(
      recommender.tower,
      agents,
      asked.map(({ text }) => text),
    )
    const found = await searchedAgents(agents, model.plain ?? model)
    return async ({ text }, pool) => {
      const { agents: places, features } = await candidatesIn(found, text, {
        pool,
        scores: scores(text, pool),
      })
      const values = trees.score(features, places.length)
      return rank(places.map((agent, at) => ({ id: agents[agent]!.id, score: values[at]! })))
    }
  },
}

const byScores =
  (
    { recommendations }: ScorerInput,
    scoresOf: (query: RecommendedQuery, pool: readonly number[]) => ArrayLike<number>,
  ): Scorer =>
  (query, pool) =>
    rankedPool(recommendations, pool, scoresOf(query, pool))

/** Candidates that a report looks at. */
const depth = 10

/** As `search_agents` finds them. */
async function searched(
  { recommendations: { agents }, signal }: ScorerInput,
  model: EmbeddingModel | null,
  ranker: NonNullable<SearchRequest['ranker']>,
): Promise<Scorer | null> {
  if (ranker !== 'lexical' && model?.ranker === undefined) return null
  const snapshot = await memorySnapshot(agents, model)
  return async ({ text }, pool) => {
    const filter = { only: pool.map((agent) => agents[agent]!.id) }
    const request: SearchRequest = { kind: 'agent', query: text, k: depth, ranker, pack: 'ranking', filter }
    const { candidates } = await search({ snapshot, model }, request, signal)
    return rank(candidates.map(({ card, score }) => ({ id: card.id, score })))
  }
}

/** Ids, and terms where they are wanted; a query that was not learned from has the ids of those next to it. */
async function factors(
  input: ScorerInput,
  { terms, epochs }: { readonly terms: 'with' | 'without'; readonly epochs: number },
): Promise<Scorer> {
  const {
    recommendations: { agents },
    train,
    asked,
    signal,
  } = input
  const texts = train.map(({ text }) => text)
  const weigh = terms === 'with' ? termWeigher(fitTerms(texts, 5000)) : (): SparseRow => []
  const queryRow = (ids: SparseRow, text: string): SparseRow => [
    ...ids,
    ...weigh(text).map(([place, value]) => [train.length + place, value] as const),
  ]
  const width = train.length + 5000
  const near = nearestQueries(texts)
  const vocabulary = fitAgents(agents, agents)
  const rows = agentRows(agents, vocabulary)
  const content =
    terms === 'with' ? rows.content : { ...rows.content, starts: new Uint32Array(agents.length + 1) }
  const own = sparseRows(
    agents.map((_, agent) => [
      ...rowOf(rows.ids, agent),
      ...rowOf(content, agent).map(([place, value]) => [rows.ids.width + place, value] as const),
    ]),
    rows.ids.width + rows.content.width,
  )
  const learned = sparseRows(
    texts.map((text, query) => queryRow([[query, 1]], text)),
    width,
  )
  const trained = await trainFactors(learned, own, {
    positives: train.map(({ positives }) => positives),
    epochs,
    signal,
  })
  const newRows = sparseRows(
    asked.map(({ text }) => queryRow(near(text), text)),
    width,
  )
  const placeOf = new Map(asked.map((query, place) => [query.id, place]))
  const vectors = agents.map((_, agent) => bagOf(trained.agent, own, agent, trained.width))
  return byScores(input, ({ id }, pool) => {
    const vector = bagOf(trained.query, newRows, placeOf.get(id)!, trained.width)
    return pool.map((agent) => dot(vector, vectors[agent]!))
  })
}

const rowOf = ({ starts, columns, values }: ReturnType<typeof sparseRows>, row: number): SparseRow =>
  Array.from(
    columns.subarray(starts[row]!, starts[row + 1]!),
    (column, at) => [column, values[starts[row]! + at]!] as const,
  )

/** Over the track record of tasks and agents; a query that is not in it has the vectors of those next to it. */
async function graph(input: ScorerInput, kind: 'lightgcn' | 'simgcl', epochs: number): Promise<Scorer> {
  const {
    recommendations: { agents },
    train,
    signal,
  } = input
  const positives = train.map((query) => query.positives)
  const trained = await trainGraph({ positives, agents: agents.length }, { kind, epochs, signal })
  const { width } = trained
  const near = nearestQueries(train.map(({ text }) => text))
  return byScores(input, ({ text }, pool) => {
    const row = sparseRows([near(text)], train.length)
    const vector = bagOf(trained.queries, row, 0, width)
    return pool.map((agent) => dot(vector, trained.agents.subarray(agent * width, (agent + 1) * width)))
  })
}
