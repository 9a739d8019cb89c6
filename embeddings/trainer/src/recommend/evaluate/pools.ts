import { candidatePool } from '../../../../../evals/benchmarks/src/agentselect/agentselect-pool.ts'
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
