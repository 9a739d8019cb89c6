import type { Ranking } from '../../../../../src/domain/ranking.ts'
import type { EmbeddingModel } from '../../../../../src/retrieval/ports.ts'
import type { RecommendedQuery, Recommendations } from '../recommendations.ts'
import type { Recommender } from '../recommender-file.ts'
import { rankedPool } from './pools.ts'

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

/** Ranks by numbers in the order of the pool. */
export const byScores =
  (
    { recommendations }: ScorerInput,
    scoresOf: (query: RecommendedQuery, pool: readonly number[]) => ArrayLike<number>,
  ): Scorer =>
  (query, pool) =>
    rankedPool(recommendations, pool, scoresOf(query, pool))
