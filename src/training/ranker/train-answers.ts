import { answerFeatureNames, answerFeatures } from '../../retrieval/answer-features.ts'
import { type BoostedTrees, boostedTrees } from '../../retrieval/boosted-trees.ts'
import { packTrees } from '../../retrieval/packed-trees.ts'
import type { BoostingSettings } from '../boosting/boosting-settings.ts'
import type { GradedRows } from '../boosting/graded-rows.ts'
import { trainBoostedTreesInTurns } from '../boosting/train-boosted-trees.ts'
import type { GradedQuery } from './ranked-corpus.ts'

/** Trees that tell whether a query is served at all, and what a model card says of them. */
export type TrainedAnswers = {
  readonly bytes: Uint8Array
  readonly trees: number
  /** Queries asked both with and without what serves them. */
  readonly queries: number
  /** Of the queries set apart: share refused without what serves them, where 90% are answered with it; null without any. */
  readonly refused: number | null
}

const settings: Partial<BoostingSettings> = {
  trees: 300,
  leaves: 8,
  learningRate: 0.05,
  minimumRows: 40,
  featureFraction: 0.5,
  rowFraction: 0.7,
  lambdaL2: 5,
  bins: 64,
}

/** One query of so many is kept for early stopping. */
const validationStride = 8
const answeredShare = 0.9

/**
 * Learns from queries that were asked twice, with and without the cards that serve them.
 *
 * @param ranker - whose scores order the candidates
 * @returns null when there are too few such queries
 * @throws the signal's reason when it is aborted
 */
export async function trainAnswers(
  queries: readonly GradedQuery[],
  {
    ranker,
    seed,
    signal,
  }: { readonly ranker: BoostedTrees; readonly seed: number; readonly signal?: AbortSignal | undefined },
): Promise<TrainedAnswers | null> {
  const asked = queries.filter(({ absent }) => absent.length > 0)
  const isKept = (place: number): boolean => place % validationStride === validationStride - 1
  const kept = asked.filter((_, place) => isKept(place))
  if (kept.length === 0) return null
  const validation = rowsOf(kept, ranker)
  const { model } = await trainBoostedTreesInTurns(
    {
      features: answerFeatureNames,
      objective: 'logistic',
      rows: rowsOf(
        asked.filter((_, place) => !isKept(place)),
        ranker,
      ),
      validation,
      settings: { ...settings, seed },
    },
    signal,
  )
  const scores = boostedTrees(model).score(validation.features, validation.grades.length)
  return {
    bytes: packTrees(model),
    trees: model.nodes.roots.length,
    queries: asked.length,
    refused: refusedShare(scores, validation.grades),
  }
}

/** Two rows a query: as it was found, which counts as served, and without what serves it. */
function rowsOf(queries: readonly GradedQuery[], ranker: BoostedTrees): GradedRows {
  const rows = queries.flatMap(({ features, absent }) =>
    [features, absent].map((each) => {
      const count = each.length / ranker.features.length
      return answerFeatures(each, ranker.score(each, count))
    }),
  )
  const features = new Float32Array(rows.length * answerFeatureNames.length)
  for (const [place, row] of rows.entries()) features.set(row, place * row.length)
  return {
    features,
    grades: Float32Array.from(rows, (_, place) => (place % 2 === 0 ? 1 : 0)),
    groups: Uint32Array.from(rows, (_, place) => place),
  }
}

function refusedShare(scores: ArrayLike<number>, grades: ArrayLike<number>): number {
  const of = (grade: number): number[] => Array.from(scores).filter((_, row) => grades[row] === grade)
  const served = of(1).sort((a, b) => a - b)
  const threshold = served[Math.floor(served.length * (1 - answeredShare))]!
  const unserved = of(0)
  return unserved.filter((score) => score < threshold).length / unserved.length
}
