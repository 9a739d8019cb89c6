import { memorySnapshot } from '../../../../../src/retrieval/memory-snapshot.ts'
import { search } from '../../../../../src/retrieval/search/search.ts'
import { rank } from '../../../../../src/domain/ranking.ts'
import type { EmbeddingModel } from '../../../../../src/retrieval/ports.ts'
import type { SearchRequest } from '../../../../../src/retrieval/answer.ts'
import { nearestQueries } from '../baselines/nearest-queries.ts'
import { candidatesIn, searchedAgents } from '../fusion/candidates.ts'
import { openFusion } from '../recommender-file.ts'
import { dnn, factors, graph, oneRec } from './baseline-scorers.ts'
import { byScores, type Scorer, type ScorerInput } from './scorer.ts'
import { towerScorer } from '../tower/two-tower.ts'

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
  dnn,
  lightgcn: (input) => graph(input, 'lightgcn'),
  ngcf: (input) => graph(input, 'ngcf'),
  kgat: (input) => graph(input, 'kgat'),
  simgcl: (input) => graph(input, 'simgcl'),
  onerec: oneRec,
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
