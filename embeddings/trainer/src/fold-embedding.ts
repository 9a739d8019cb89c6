import { rm } from 'node:fs/promises'
import {
  type LearnedWeights,
  quantise,
  type StaticEmbedding,
  type StaticWeights,
  staticEmbedding,
} from '../../../src/vectors/embedding/static-embedding.ts'
import { type LearnedVectors, quantiseVectors } from '../../../src/vectors/embedding/token-vectors.ts'
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { interactionOf, type Training, trainPart } from './training.ts'
import { TrainingError } from './training-error.ts'
import type { TrainingTexts } from './training-texts.ts'

/**
 * The embedding of a fold, trained without its families, with vectors that match words. It is kept until the model is done, since
 * candidates may be looked for more than once.
 */
export async function foldEmbedding(training: Training, fold: number): Promise<StaticEmbedding> {
  const { work, folds, seed, vocabulary } = training
  const number = fold + 1
  const file = work.file(`fold-${number}-embedding.checkpoint`)
  const before = await readCheckpoint(file)
  if (before !== null) return staticEmbedding(embeddingOf(unpacked(before, vocabulary, file)))
  const what = `fold ${number} of ${folds.count}`
  const apart = { ...training, texts: withoutFold(training.texts, fold) }
  const { weights } = await work.timed('folds', () =>
    trainPart(apart, { stage: 'folds', what, file: `fold-${number}.checkpoint`, seed: seed + number }),
  )
  const { vectors } = await interactionOf(apart, { weights, what, seed: seed + number })
  const trained = { weights, vectors }
  await writeCheckpoint(file, packed(trained))
  await rm(work.file(`fold-${number}.checkpoint`), { force: true })
  return staticEmbedding(embeddingOf(trained))
}

type TrainedFold = { readonly weights: LearnedWeights; readonly vectors: LearnedVectors }

const embeddingOf = ({ weights, vectors }: TrainedFold): StaticWeights => ({
  ...quantise(weights),
  interaction: quantiseVectors(vectors),
})

const packed = ({ weights, vectors }: TrainedFold): Checkpoint => {
  const { dimensions, queryLimit, fields, table, queryWeights, documentWeights } = weights
  return {
    facts: {
      dimensions,
      queryLimit,
      fields: fields.map((field) => ({ ...field })),
      wordDimensions: vectors.dimensions,
    },
    arrays: {
      table,
      queryWeights,
      documentWeights,
      words: vectors.table,
      wordsOfQueries: vectors.queryWeights,
      wordsOfCards: vectors.documentWeights,
    },
  }
}

function unpacked(
  { facts, arrays }: Checkpoint,
  vocabulary: LearnedWeights['vocabulary'],
  file: string,
): TrainedFold {
  const { table, queryWeights, documentWeights, words, wordsOfQueries, wordsOfCards } = arrays
  if (!table || !queryWeights || !documentWeights || !words || !wordsOfQueries || !wordsOfCards)
    throw new TrainingError(
      `${file}: holds no embedding.`,
      'Remove this file, and call the same command again.',
    )
  return {
    weights: {
      table,
      queryWeights,
      documentWeights,
      vocabulary,
      dimensions: Number(facts.dimensions),
      queryLimit: Number(facts.queryLimit),
      fields: facts.fields as unknown as LearnedWeights['fields'],
    },
    vectors: {
      dimensions: Number(facts.wordDimensions),
      table: words,
      queryWeights: wordsOfQueries,
      documentWeights: wordsOfCards,
    },
  }
}

const withoutFold = (texts: TrainingTexts, fold: number): TrainingTexts => ({
  ...texts,
  supervised: texts.supervised.filter((pair) => pair.fold !== fold),
  selfSupervised: texts.selfSupervised.filter((pair) => pair.fold !== fold),
  heldOut: texts.heldOut.filter((query) => query.fold !== fold),
})
