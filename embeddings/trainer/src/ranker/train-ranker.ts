import { boostedTrees, type TreeModel } from '../../../../src/retrieval/rank/boosted-trees.ts'
import { risingFeatures } from '../../../../src/retrieval/rank/candidate-features.ts'
import type { GradedRows } from '../boosting/graded-rows.ts'
import { type BoostingProgress, trainBoostedTreesInTurns } from '../boosting/train-boosted-trees.ts'
import type { RankerRecipe } from '../recipe.ts'
import { TrainingError } from '../training-error.ts'
import { type Calibration, calibrate } from './calibrate.ts'
import type { GradedQuery } from './ranked-corpus.ts'

/** A ranker, and what a model card says of it. */
export type TrainedRanker = {
  readonly model: TreeModel
  /** By the queries set apart; by all where there were too few for that. */
  readonly calibration: Calibration
  readonly trees: number
  readonly queries: number
  readonly rows: number
  /** nDCG@10 on the tenth of the queries that was not trained on; null when there were too few to set some apart. */
  readonly validation: number | null
}

/** One query of so many is kept for early stopping. */
const validationStride = 10

/**
 * Trains LambdaMART on out-of-fold rows.
 *
 * @param queries - each with a candidate that serves
 * @throws TrainingError without any
 * @throws the signal's reason when it is aborted
 */
export async function trainRanker(
  queries: readonly GradedQuery[],
  {
    features,
    recipe,
    seed,
    signal,
    onTree = () => {},
  }: {
    /** Names of the rows' columns. */
    readonly features: readonly string[]
    readonly recipe: RankerRecipe
    readonly seed: number
    readonly signal?: AbortSignal | undefined
    readonly onTree?: (progress: BoostingProgress) => void
  },
): Promise<TrainedRanker> {
  if (queries.length === 0)
    throw new TrainingError(
      'No query finds a card that serves it, so that there is nothing to learn a ranking from.',
      'Check that the queries name the cards they ask for.',
    )
  const isKept = (place: number): boolean => place % validationStride === validationStride - 1
  const kept = queries.filter((_, place) => isKept(place))
  const apart = joinedRows(kept, features.length)
  const rows = joinedRows(
    queries.filter((_, place) => !isKept(place)),
    features.length,
  )
  const { model, history } = await trainBoostedTreesInTurns(
    {
      features,
      objective: 'ranking',
      rows,
      ...(kept.length === 0 ? {} : { validation: apart }),
      settings: {
        ...recipe,
        seed,
        monotone: features.map((name) => (rising.has(name) ? 1 : 0)),
      },
      onTree,
    },
    signal,
  )
  const judged = kept.length === 0 ? rows : apart
  const scores = boostedTrees(model).score(judged.features, judged.grades.length)
  const best = Math.max(...history.map(({ validation = 0 }) => validation))
  return {
    model,
    calibration: calibrate(scores, judged.grades),
    trees: model.nodes.roots.length,
    queries: queries.length,
    rows: queries.reduce((sum, { grades }) => sum + grades.length, 0),
    validation: kept.length === 0 || history.length === 0 ? null : best,
  }
}

const rising: ReadonlySet<string> = new Set(risingFeatures)

function joinedRows(queries: readonly GradedQuery[], width: number): GradedRows {
  const rows = queries.reduce((sum, { grades }) => sum + grades.length, 0)
  const features = new Float32Array(rows * width)
  const grades = new Float32Array(rows)
  const groups = new Uint32Array(queries.length)
  let at = 0
  for (const [place, query] of queries.entries()) {
    groups[place] = at
    features.set(query.features, at * width)
    grades.set(query.grades, at)
    at += query.grades.length
  }
  return { features, grades, groups }
}
