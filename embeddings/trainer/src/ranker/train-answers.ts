import {
  type BoostedTrees,
  boostedTrees,
  type TreeModel,
} from '../../../../src/retrieval/rank/boosted-trees.ts'
import { packTrees } from '../../../../src/retrieval/rank/packed-trees.ts'
import { plainThresholds, type VerdictThresholds } from '../../../../src/retrieval/rank/verdict-thresholds.ts'
import type { BoostingSettings } from '../boosting/boosting-settings.ts'
import { trainBoostedTreesInTurns } from '../boosting/train-boosted-trees.ts'
import { answerRows } from './answer-rows.ts'
import { chooseThresholds, type FamilyVerdicts } from './choose-thresholds.ts'
import { leftOutAnswers } from './left-out-answers.ts'
import type { GradedQuery } from './ranked-corpus.ts'

/** Trees that tell whether a query is served at all, the thresholds of the verdict, and what a model card says of them. */
export type TrainedAnswers = {
  readonly bytes: Uint8Array
  readonly thresholds: VerdictThresholds
  readonly trees: number
  /** Queries asked both with and without what serves them. */
  readonly queries: number
  /** How the thresholds do on each family by trees that were trained without it; empty where families were too few or small. */
  readonly leftOut: readonly FamilyVerdicts[]
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

/** One query of so many is kept for early stopping; odd, since those of foreign catalogs take turns with others. */
const validationStride = 7

type Options = {
  /** Names of what is told of an answer. */
  readonly features: readonly string[]
  readonly seed: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Learns from queries that were asked twice, with and without the cards that serve them, and chooses the thresholds on
 * families that were left out.
 *
 * @param ranker - whose scores order the candidates
 * @param rankerWithout - the same, trained on some of the queries only
 * @returns null when there are too few such queries
 * @throws the signal's reason when it is aborted
 */
export async function trainAnswers(
  queries: readonly GradedQuery[],
  {
    ranker,
    rankerWithout,
    ...options
  }: Options & {
    readonly ranker: BoostedTrees
    readonly rankerWithout: (families: ReadonlySet<string>) => Promise<BoostedTrees | null>
  },
): Promise<TrainedAnswers | null> {
  const asked = queries.filter(({ absent }) => absent.length > 0)
  const model = await answerTrees(asked, ranker, options)
  if (model === null) return null
  const answers = await leftOutAnswers(asked, {
    rankerWithout,
    treesOf: async (own, by) => {
      const trees = await answerTrees(own, by, options)
      return trees && boostedTrees(trees)
    },
  })
  const chosen = chooseThresholds(answers)
  return {
    bytes: packTrees(model),
    thresholds: chosen?.thresholds ?? plainThresholds,
    trees: model.nodes.roots.length,
    queries: asked.length,
    leftOut: chosen?.families ?? [],
  }
}

/** @returns null when there are too few queries */
async function answerTrees(
  asked: readonly GradedQuery[],
  ranker: BoostedTrees,
  { features, seed, signal }: Options,
): Promise<TreeModel | null> {
  const isKept = (place: number): boolean => place % validationStride === validationStride - 1
  const kept = asked.filter((_, place) => isKept(place))
  if (kept.length === 0) return null
  const { model } = await trainBoostedTreesInTurns(
    {
      features,
      objective: 'logistic',
      rows: answerRows(
        asked.filter((_, place) => !isKept(place)),
        ranker,
      ),
      validation: answerRows(kept, ranker),
      settings: { ...settings, seed },
    },
    signal,
  )
  return model
}
