import { candidatePool } from '../../../../../evals/benchmarks/src/agentselect/agentselect-pool.ts'
import { rank, type Ranking } from '../../../../../src/domain/ranking.ts'
import type { RecommendedQuery, Recommendations } from '../recommendations.ts'

/** Candidates of a request, as in the paper. */
const poolSize = 1000

/**
 * Draws the pools of requests: what serves them, and agents of all parts at random, shuffled. The id of the request and the seed determine
 * them. What serves a request but is not asked for (it was learned from) is left out.
 */
export function poolsOf(
  { agents, queries }: Recommendations,
  seed: string,
): (query: RecommendedQuery) => readonly number[] {
  const ids = agents.map(({ id }) => id)
  const placeOf = new Map(ids.map((id, place) => [id, place]))
  const serving = new Map(queries.map(({ id, positives }) => [id, positives]))
  return ({ id, positives }) => {
    const asked = new Set(positives)
    const others = new Set((serving.get(id) ?? []).filter((agent) => !asked.has(agent)))
    const own = positives.map((agent) => ids[agent]!)
    return candidatePool(id, own, ids, poolSize, seed)
      .map((agent) => placeOf.get(agent)!)
      .filter((agent) => !others.has(agent))
  }
}

/**
 * Ranks a pool by its scores. Equal ones stand as the pool was shuffled: by their ids, a scorer that says the same of all would put one part
 * before the others.
 */
export function rankedPool(
  { agents }: Pick<Recommendations, 'agents'>,
  pool: readonly number[],
  scores: ArrayLike<number>,
): Ranking {
  const order = [...pool.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b)
  return rank(order.map((at, place) => ({ id: agents[pool[at]!]!.id, score: pool.length - place })))
}
