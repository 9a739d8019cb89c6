import type { LearnedVectors } from '../../../src/vectors/embedding/token-vectors.ts'
import type { Vocabulary } from '../../../src/vectors/embedding/vocabulary.ts'
import type { TrainingProgress, TrainingStage } from '../../../src/compose/parts/trainer.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import type { Folds } from './folds.ts'
import { type TrainedInteraction, trainInteraction } from './interaction/train-interaction.ts'
import type { WorkFolder } from './model/work-folder.ts'
import type { TrainingRecipe } from './recipe.ts'
import type { StartWeights } from './start-weights.ts'
import { type TrainedEmbedding, trainEmbedding } from './train-embedding.ts'
import type { TrainingTexts } from './training-texts.ts'

/** What all models of one training share. */
export type Training = {
  readonly work: WorkFolder
  readonly corpora: readonly TrainingCorpus[]
  readonly recipe: TrainingRecipe
  readonly vocabulary: Vocabulary
  readonly folds: Folds
  readonly texts: TrainingTexts
  readonly start: StartWeights
  readonly seed: number
  readonly threads: number
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: TrainingProgress) => void
}

/** One model of a training. */
type Part = {
  readonly stage: TrainingStage
  readonly what: string
  readonly file: string
  readonly seed: number
}

/** Trains one model; its state is kept in a file of the work folder. */
export const trainPart = (
  { work, recipe, vocabulary, texts, start, threads, signal, onProgress }: Training,
  { stage, what, file, seed }: Part,
): Promise<TrainedEmbedding> =>
  trainEmbedding({
    vocabulary,
    texts,
    recipe,
    start,
    seed,
    threads,
    checkpoint: work.file(file),
    signal,
    onProgress: (embedding) =>
      onProgress({ stage, what, share: embedding.step / embedding.steps, embedding }),
  })

/** Trains the vectors by which words are matched, beginning with an embedding's. */
export const interactionOf = (
  { work, recipe, texts, signal, onProgress }: Training,
  {
    weights,
    what,
    seed,
  }: {
    readonly weights: LearnedVectors
    readonly what: string
    readonly seed: number
  },
): Promise<TrainedInteraction> =>
  work.timed('interaction', () =>
    trainInteraction({
      texts,
      start: weights,
      recipe,
      seed,
      signal,
      onProgress: (share) => onProgress({ stage: 'interaction', what: `words of ${what}`, share }),
    }),
  )
