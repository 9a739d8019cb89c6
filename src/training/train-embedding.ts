import { setImmediate } from 'node:timers/promises'
import type { LearnedWeights } from '../embedding/quantise.ts'
import type { Vocabulary } from '../embedding/vocabulary.ts'
import { batchOf } from './batch-of.ts'
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { type ContrastiveTrainer, contrastiveTrainer, generator } from './contrastive/trainer.ts'
import { epochPairs } from './epoch-pairs.ts'
import { heldOutNdcg } from './held-out.ts'
import { learningRateAt } from './learning-rate.ts'
import { embeddedFields, type TrainingRecipe } from './recipe.ts'
import type { StartWeights } from './start-weights.ts'
import { TrainingError } from './training-error.ts'
import type { TrainingTexts } from './training-texts.ts'

/** How far the training of an embedding is. */
export type EmbeddingProgress = {
  /** Counted from 1. */
  readonly epoch: number
  readonly epochs: number
  /** Steps done, of all epochs together. */
  readonly step: number
  readonly steps: number
  /** Mean of this epoch so far, in nats. */
  readonly loss: number
  /** nDCG@10 of the held-out queries after the last whole epoch; null before it, or without such queries. */
  readonly validation: number | null
  /** Reckoned from the steps done so far; null before the first. */
  readonly secondsLeft: number | null
}

export type TrainEmbeddingInput = {
  readonly vocabulary: Vocabulary
  readonly texts: TrainingTexts
  readonly recipe: TrainingRecipe
  readonly start: StartWeights
  readonly seed: number
  /** Changes how long it takes and nothing else. Integer >= 1. */
  readonly threads: number
  /** Where the state is kept after each epoch; training goes on from it. */
  readonly checkpoint?: string
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: EmbeddingProgress) => void
}

export type TrainedEmbedding = {
  readonly weights: LearnedWeights
  /** Of each epoch. */
  readonly losses: readonly number[]
  /** nDCG@10 of the held-out queries at the end; null without any. */
  readonly validation: number | null
  readonly heldOut: number
  /** Logarithm of what cosines were multiplied with. */
  readonly scale: number
  /** Pairs of an epoch, those left over from its last batch too. */
  readonly pairs: number
}

/**
 * Trains a two-tower embedding. The same input gives the same weights, bit by bit, also when the training was interrupted
 * and went on from its checkpoint.
 *
 * @throws TrainingError when there is too little to train on, or the checkpoint is damaged
 * @throws the signal's reason when it is aborted: between two steps
 */
export async function trainEmbedding(input: TrainEmbeddingInput): Promise<TrainedEmbedding> {
  const { vocabulary, texts, recipe, seed, signal, onProgress = () => {} } = input
  const { epochs } = recipe
  const pairs = texts.supervised.length + Math.min(recipe.selfSupervisedPairs, texts.selfSupervised.length)
  const batchSize = Math.min(recipe.batchSize, 8 * Math.floor(pairs / 8))
  if (batchSize < 8)
    throw new TrainingError(
      `There are ${pairs} pairs of a query and a card to train on; at least 8 are needed.`,
      'Give more queries, or cards with descriptions.',
    )
  const perEpoch = Math.floor(pairs / batchSize)
  const steps = perEpoch * epochs
  const others = (texts.supervised.length > 0 ? texts.supervised : texts.selfSupervised).map(
    ({ positives }) => positives[0]!,
  )
  const resumed = input.checkpoint === undefined ? null : await readCheckpoint(input.checkpoint)
  const fieldTokens = embeddedFields.reduce((sum, field) => sum + recipe.fieldTokens[field], 0)
  const trainer = contrastiveTrainer(texts.texts, {
    vocabulary: vocabulary.size,
    dimensions: recipe.dimensions,
    batchSize,
    maxQueryTokens: recipe.queryTokens,
    maxDocumentTokens: Math.max(fieldTokens, recipe.pairTokens),
    fields: 1 + embeddedFields.length,
    threads: input.threads,
    tokenDropout: recipe.tokenDropout,
    seed,
  })
  try {
    const { losses, ...before } = resumeOrStart(trainer, resumed, input)
    let { validation } = before
    const firstStep = losses.length * perEpoch
    const started = performance.now()
    for (let epoch = losses.length; epoch < epochs; epoch += 1) {
      const random = generator(seed ^ Math.imul(epoch + 1, 0x85ebca6b))
      const order = epochPairs(texts.supervised, texts.selfSupervised, recipe.selfSupervisedPairs, random)
      let lossSum = 0
      for (let at = 0; at < perEpoch; at += 1) {
        await setImmediate() // so that an abort is seen and progress is shown
        signal?.throwIfAborted()
        const batch = batchOf(order.slice(at * batchSize, (at + 1) * batchSize), {
          keys: texts.keys,
          others,
          random,
        })
        const step = epoch * perEpoch + at
        lossSum += trainer.step(batch, learningRateAt(step, steps, recipe))
        const seconds = (performance.now() - started) / 1000
        const secondsLeft = (seconds / (step + 1 - firstStep)) * (steps - step - 1)
        onProgress({
          epoch: epoch + 1,
          epochs,
          step: step + 1,
          steps,
          loss: lossSum / (at + 1),
          validation,
          secondsLeft,
        })
      }
      losses.push(lossSum / perEpoch)
      validation = heldOutNdcg(trainer, texts, texts.heldOut)
      onProgress({
        epoch: epoch + 1,
        epochs,
        step: (epoch + 1) * perEpoch,
        steps,
        loss: losses.at(-1)!,
        validation,
        secondsLeft: null,
      })
      if (input.checkpoint !== undefined)
        await writeCheckpoint(input.checkpoint, checkpointOf(trainer, losses, validation))
    }
    return {
      weights: learnedWeights(trainer, vocabulary, recipe),
      losses,
      validation,
      heldOut: texts.heldOut.length,
      scale: trainer.state().scale.value,
      pairs,
    }
  } finally {
    await trainer.close()
  }
}

type Course = { readonly losses: number[]; readonly validation: number | null }

function resumeOrStart(
  trainer: ContrastiveTrainer,
  checkpoint: Checkpoint | null,
  { start, texts, checkpoint: file }: TrainEmbeddingInput,
): Course {
  if (checkpoint === null) {
    start(trainer, texts.texts)
    return { losses: [], validation: null }
  }
  const { steps, scale, losses, validation } = checkpoint.facts
  try {
    const [value, first, second] = numbers(scale)
    trainer.restore({
      steps: Number(steps),
      scale: { value: value!, first: first!, second: second! },
      arrays: checkpoint.arrays,
    })
  } catch (cause) {
    throw new TrainingError(
      `${file}: the checkpoint is of another training.`,
      'Remove it, or give another folder.',
      { cause },
    )
  }
  return { losses: numbers(losses), validation: typeof validation === 'number' ? validation : null }
}

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

function checkpointOf(
  trainer: ContrastiveTrainer,
  losses: readonly number[],
  validation: number | null,
): Checkpoint {
  const { steps, scale, arrays } = trainer.state()
  return {
    facts: { steps, scale: [scale.value, scale.first, scale.second], losses: [...losses], validation },
    arrays,
  }
}

const learnedWeights = (
  { weights }: ContrastiveTrainer,
  vocabulary: Vocabulary,
  { dimensions, queryTokens, fieldTokens }: TrainingRecipe,
): LearnedWeights => ({
  vocabulary,
  dimensions,
  table: copyOf(weights.table),
  queryWeights: copyOf(weights.queryWeights),
  documentWeights: copyOf(weights.documentWeights),
  queryLimit: queryTokens,
  fields: embeddedFields.map((name, place) => ({
    name,
    limit: fieldTokens[name],
    weight: Math.exp(weights.fieldWeights[place + 1]!),
  })),
})

/** Out of the memory that the threads share, which is given back. */
const copyOf = (values: Float32Array): Float32Array => Float32Array.from(values)
