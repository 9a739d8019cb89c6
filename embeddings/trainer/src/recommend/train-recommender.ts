import { existsSync } from 'node:fs'
import type { RecommendTrainOptions, TrainedRecommender } from '../../../../src/compose/parts/recommender.ts'
import { packTrees } from '../../../../src/retrieval/rank/packed-trees.ts'
import { TrainingError } from '../training-error.ts'
import { searchedAgents } from './fusion/candidates.ts'
import { trainFusion } from './fusion/train-fusion.ts'
import { fingerprintOfData, readRecommendations } from './recommendations.ts'
import { writeRecommender } from './recommender-file.ts'
import { splitRecommendations } from './split-recommendations.ts'
import { trainTwoTower } from './tower/two-tower.ts'

/**
 * Trains a two-tower recommender, and a ranker that fuses it with what a search knows, on the queries and agents that a split does not hold
 * out.
 *
 * @throws TrainingError when the folder is there already, or the model has no ranker
 */
export async function trainRecommender(options: RecommendTrainOptions): Promise<TrainedRecommender> {
  const {
    data,
    out,
    by = 'query',
    seed = '42',
    settings = {},
    model,
    signal,
    onProgress = () => {},
  } = options
  if (existsSync(out)) throw new TrainingError(`${out}: is there already.`, 'Give another folder with --out.')
  const recommendations = readRecommendations(data)
  const { agents } = recommendations
  const { train, test } = splitRecommendations(recommendations, { by, seed })
  if (train.length === 0)
    throw new TrainingError(`${data}: no query is left to learn from.`, 'Give more queries.')
  let loss = Number.NaN
  const tower = await trainTwoTower(agents, train, {
    settings,
    signal,
    onEpoch: (epoch, own) => {
      loss = own
      onProgress(`tower: epoch ${epoch}, loss ${own.toFixed(3)}`)
    },
  })
  const searched = await searchedAgents(agents, model && (model.plain ?? model))
  const fusion = await trainFusion(recommendations, train, {
    searched,
    settings,
    signal,
    onFold: (fold, of) => onProgress(`fusion: fold ${fold} of ${of}`),
  })
  await writeRecommender(out, {
    split: { by, seed },
    data: fingerprintOfData(data),
    tower,
    fusion: packTrees(fusion),
  })
  return {
    folder: out,
    trainedOn: train.length,
    heldOut: test.length,
    loss,
    trees: fusion.nodes.roots.length,
  }
}
