import { rm } from 'node:fs/promises'
import { quantise } from '../../../src/vectors/embedding/quantise.ts'
import { staticEmbedding } from '../../../src/vectors/embedding/static-embedding.ts'
import { type LearnedVectors, quantiseVectors } from '../../../src/vectors/embedding/token-vectors.ts'
import type { Vocabulary } from '../../../src/vectors/embedding/vocabulary.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import type { TrainingCorpus } from './data/corpus.ts'
import type { Folds } from './folds.ts'
import { type TrainedInteraction, trainInteraction } from './interaction/train-interaction.ts'
import type { WorkFolder } from './model/work-folder.ts'
import { packRows, unpackRows } from './ranker/packed-rows.ts'
import type { GradedQuery } from './ranker/ranked-corpus.ts'
import { rankerRows } from './ranker/ranker-rows.ts'
import { verdictRows } from './ranker/verdict-rows.ts'
import type { TrainingRecipe } from './recipe.ts'
import type { StartWeights } from './start-weights.ts'
import { type TrainedEmbedding, trainEmbedding } from './train-embedding.ts'
import type { TrainingProgress, TrainingStage } from '../../../src/compose/trainer.ts'
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

/** Queries with their candidates, each by an embedding that has not seen them. */
type OutOfFoldRows = {
  readonly forRanker: readonly GradedQuery[]
  /** Of many sorts, to tell how sure answers are. */
  readonly forVerdict: readonly GradedQuery[]
}

export const noRows: OutOfFoldRows = { forRanker: [], forVerdict: [] }

/** Rows from every fold. */
export async function outOfFoldRows(training: Training): Promise<OutOfFoldRows> {
  const { work, folds, recipe, seed, onProgress } = training
  const forRanker: GradedQuery[] = []
  const forVerdict: GradedQuery[] = []
  for (let fold = 0; fold < folds.count; fold += 1) {
    const number = `${fold + 1} of ${folds.count}`
    const file = work.file(`rows-${fold + 1}.checkpoint`)
    const verdictFile = work.file(`verdict-rows-${fold + 1}.checkpoint`)
    const [before, verdictBefore] = [await readCheckpoint(file), await readCheckpoint(verdictFile)]
    if (before !== null && verdictBefore !== null) {
      forRanker.push(...unpackRows(before))
      forVerdict.push(...unpackRows(verdictBefore))
      continue
    }
    const apart = { ...training, texts: withoutFold(training.texts, fold) }
    const { weights } = await work.timed('folds', () =>
      trainPart(apart, {
        stage: 'folds',
        what: `fold ${number}`,
        file: `fold-${fold + 1}.checkpoint`,
        seed: seed + fold + 1,
      }),
    )
    const interaction = await interactionOf(apart, {
      weights,
      what: `fold ${number}`,
      seed: seed + fold + 1,
    })
    const input = {
      ...training,
      fold,
      embedding: staticEmbedding({
        ...quantise(weights),
        interaction: quantiseVectors(interaction.vectors),
      }),
      most: { perCorpus: recipe.rankerQueries, perFamily: recipe.rankerFamilyQueries },
    }
    const tell = (what: string) => (share: number) =>
      onProgress({ stage: 'rows', what: `${what} of fold ${number}`, share })
    const rows = await work.timed('rows', () => rankerRows({ ...input, onProgress: tell('candidates') }))
    const verdicts = await work.timed('rows', () => verdictRows({ ...input, onProgress: tell('verdicts') }))
    await writeCheckpoint(verdictFile, packRows(verdicts))
    await writeCheckpoint(file, packRows(rows))
    await rm(work.file(`fold-${fold + 1}.checkpoint`), { force: true })
    forRanker.push(...rows)
    forVerdict.push(...verdicts)
  }
  return { forRanker, forVerdict }
}

const withoutFold = (texts: TrainingTexts, fold: number): TrainingTexts => ({
  ...texts,
  supervised: texts.supervised.filter((pair) => pair.fold !== fold),
  selfSupervised: texts.selfSupervised.filter((pair) => pair.fold !== fold),
  heldOut: texts.heldOut.filter((query) => query.fold !== fold),
})
