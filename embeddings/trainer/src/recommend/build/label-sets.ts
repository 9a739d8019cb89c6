import type { RecommendBuildOptions } from '../../../../../src/compose/parts/recommender.ts'
import {
  readToolretSet,
  toolretSetNames,
} from '../../../../../evals/benchmarks/src/toolret/toolret-folders.ts'
import type { TrainingCorpus } from '../../data/corpus.ts'
import { readTrainingCorpora } from '../../data/read-training-corpora.ts'
import { knownSet, trainingSplits } from '../../data/splits.ts'

/**
 * Sets of tools with labelled queries. `training`: what `audition train` reads. `development`: the sets that it keeps apart whole; the
 * shipped model has seen none of their queries, so that its rows beside a recommender are as good as they are.
 */
export async function labelSets({
  sets = [],
  use = 'training',
  signal,
  onProblem,
}: RecommendBuildOptions): Promise<readonly TrainingCorpus[]> {
  if (use === 'development') return sets.flatMap(developmentSets)
  const { corpora } = await readTrainingCorpora(sets, {
    ownQueries: 'without',
    ...(signal ? { signal } : {}),
    ...(onProblem ? { onProblem } : {}),
  })
  return corpora.filter(({ cards, queries }) => cards[0]?.kind === 'tool' && queries.length > 0)
}

function developmentSets(folder: string): readonly TrainingCorpus[] {
  const splits = trainingSplits()
  const { root, names } = toolretSetNames(folder)
  return names.flatMap((name) => {
    const known = knownSet(splits, name)
    if (known?.use !== 'dev' || known.content !== 'tools') return []
    const { cards, queries } = readToolretSet(root, name).part
    const asked = queries.map(({ id, text, grades }) => ({
      id,
      text,
      relevant: [...grades].flatMap(([card, grade]) => (grade > 0 ? [card] : [])),
    }))
    return [
      { name, family: known.family, cards, queries: asked.filter(({ relevant }) => relevant.length > 0) },
    ]
  })
}
