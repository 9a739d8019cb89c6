import { mulberry32, seedOf } from '../../../../../src/domain/random.ts'
import { normalisedText } from '../../../../../src/evaluation/equivalence.ts'
import type { TreeModel } from '../../../../../src/retrieval/rank/boosted-trees.ts'
import type { GradedQuery } from '../../ranker/ranked-corpus.ts'
import { trainRanker } from '../../ranker/train-ranker.ts'
import { defaultRecipe } from '../../recipe.ts'
import { sample } from '../../sample.ts'
import { poolsOf } from '../evaluate/pools.ts'
import type { RecommendedQuery, Recommendations } from '../recommendations.ts'
import type { TowerSettings } from '../tower/train-towers.ts'
import { towerScorer, trainTwoTower } from '../tower/two-tower.ts'
import { candidatesIn, fusedFeatureNames, type SearchedAgents } from './candidates.ts'

/** Towers that are trained without a part of the queries, and queries that each part asks at most. */
const folds = 3
const perFold = 1200

/**
 * A ranker over what a search knows and what a tower makes of the same candidates. It learns from queries that the tower asked about had not
 * seen.
 *
 * @param train - queries that may be learned from
 */
export async function trainFusion(
  recommendations: Recommendations,
  train: readonly RecommendedQuery[],
  {
    searched,
    settings,
    signal,
    onFold,
  }: {
    readonly searched: SearchedAgents
    readonly settings: Partial<TowerSettings>
    readonly signal?: AbortSignal | undefined
    readonly onFold?: (fold: number, of: number) => void
  },
): Promise<TreeModel> {
  const { agents } = recommendations
  const foldOf = ({ text }: RecommendedQuery): number => seedOf(`fold ${normalisedText(text)}`) % folds
  const poolOf = poolsOf(recommendations, 'fusion')
  const rows: GradedQuery[] = []
  for (let fold = 0; fold < folds; fold += 1) {
    onFold?.(fold + 1, folds)
    const others = train.filter((query) => foldOf(query) !== fold)
    const tower = await trainTwoTower(agents, others, { settings, signal })
    const own = sample(
      train.filter((query) => foldOf(query) === fold),
      perFold,
      mulberry32(fold + 1),
    )
    const scoresOf = towerScorer(
      tower,
      agents,
      own.map(({ text }) => text),
    )
    for (const query of own) {
      signal?.throwIfAborted()
      const pool = poolOf(query)
      const found = await candidatesIn(searched, query.text, { pool, scores: scoresOf(query.text, pool) })
      const serving = new Set(query.positives)
      rows.push({
        asked: {
          text: query.text,
          corpus: query.part,
          family: query.part,
          kind: 'agent',
          among: 'joined',
          cards: pool.length,
        },
        features: found.features,
        grades: Float32Array.from(found.agents, (agent) => (serving.has(agent) ? 1 : 0)),
        absent: new Float32Array(0),
      })
    }
  }
  const { model } = await trainRanker(
    rows.filter(({ grades }) => grades.includes(1)),
    { features: fusedFeatureNames, recipe: defaultRecipe.ranker, seed: 1, signal },
  )
  return model
}
