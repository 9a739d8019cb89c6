import { setImmediate } from 'node:timers/promises'
import type { EmbeddingProgress } from '../../../src/compose/parts/trainer.ts'
import { mulberry32 } from '../../../src/domain/random.ts'
import type { LearnedWeights } from '../../../src/vectors/embedding/static-embedding.ts'
import type { Vocabulary } from '../../../src/vectors/embedding/vocabulary.ts'
import { batchOf } from './batch-of.ts'
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { type ContrastiveTrainer, contrastiveTrainer } from './contrastive/trainer.ts'
import { epochPairs } from './epoch-pairs.ts'
import { heldOutNdcg } from './held-out.ts'
import { learningRateAt } from './learning-rate.ts'
import { keepPrincipal } from './principal-dimensions.ts'
import { embeddedFields, type TrainingRecipe } from './recipe.ts'
import type { StartWeights } from './start-weights.ts'
import { TrainingError } from './training-error.ts'
import type { TrainingTexts } from './training-texts.ts'

type TrainEmbeddingInput = {
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
}

/**
 * Trains a two-tower embedding. The same input gives the same weights, bit by bit, also when the training was interrupted
 * and went on from its checkpoint.
 *
 * @throws TrainingError when there is too little to train on, or the checkpoint is damaged
 * @throws the signal's reason when it is aborted: between two steps
 */
export async function trainEmbedding(input: TrainEmbeddingInput): Promise<TrainedEmbedding> {
  const { vocabulary, texts, recipe, seed, checkpoint } = input
  const plan = planOf(texts, recipe)
  const resumed = checkpoint === undefined ? null : await readCheckpoint(checkpoint)
  const fieldTokens = embeddedFields.reduce((sum, field) => sum + recipe.fieldTokens[field], 0)
  const trainer = contrastiveTrainer(texts.texts, {
    vocabulary: vocabulary.size,
    dimensions: recipe.dimensions,
    batchSize: plan.batchSize,
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
    const clock = { started: performance.now(), firstStep: losses.length * plan.perEpoch }
    for (let epoch = losses.length; epoch < recipe.epochs; epoch += 1) {
      const loss = await runEpoch(trainer, input, { ...plan, epoch, validation, clock })
      losses.push(loss)
      validation = heldOutNdcg(trainer, texts, texts.heldOut)
      input.onProgress?.({
        epoch: epoch + 1,
        epochs: recipe.epochs,
        step: (epoch + 1) * plan.perEpoch,
        steps: plan.steps,
        loss,
        validation,
        secondsLeft: null,
      })
      if (checkpoint !== undefined)
        await writeCheckpoint(checkpoint, checkpointOf(trainer, losses, validation))
    }
    return {
      weights: keepPrincipal(
        learnedWeights(trainer, vocabulary, recipe),
        () => trainer.encode(someCards(texts, mulberry32(seed)), 'document'),
        recipe.keptDimensions,
      ),
      losses,
      validation,
      heldOut: texts.heldOut.length,
      scale: trainer.state().scale.value,
    }
  } finally {
    await trainer.close()
  }
}

/** How the pairs are cut into steps. What an epoch's last batch leaves over waits for another draw. */
type Plan = { readonly batchSize: number; readonly perEpoch: number; readonly steps: number }

function planOf(
  { supervised, selfSupervised }: TrainingTexts,
  { selfSupervisedPairs, batchSize: wanted, epochs }: TrainingRecipe,
): Plan {
  const pairs = supervised.length + Math.min(selfSupervisedPairs, selfSupervised.length)
  const batchSize = Math.min(wanted, 8 * Math.floor(pairs / 8))
  if (batchSize < 8)
    throw new TrainingError(
      `There are ${pairs} pairs of a query and a card to train on; at least 8 are needed.`,
      'Give more queries, or cards with descriptions.',
    )
  const perEpoch = Math.floor(pairs / batchSize)
  return { batchSize, perEpoch, steps: perEpoch * epochs }
}

type Epoch = Plan & {
  /** Counted from 0. */
  readonly epoch: number
  readonly validation: number | null
  /** When this process began, and with which step. */
  readonly clock: { readonly started: number; readonly firstStep: number }
}

/** @returns the mean loss */
async function runEpoch(
  trainer: ContrastiveTrainer,
  { texts, recipe, seed, signal, onProgress = () => {} }: TrainEmbeddingInput,
  { batchSize, perEpoch, steps, epoch, validation, clock }: Epoch,
): Promise<number> {
  const { supervised, selfSupervised, keys } = texts
  const others = (supervised.length > 0 ? supervised : selfSupervised).map(({ positives }) => positives[0]!)
  // Of its own for each epoch, so that a training that goes on draws what it would have drawn.
  const random = mulberry32(seed ^ Math.imul(epoch + 1, 0x85ebca6b))
  const order = epochPairs(supervised, selfSupervised, recipe.selfSupervisedPairs, random)
  let lossSum = 0
  for (let at = 0; at < perEpoch; at += 1) {
    await setImmediate() // so that an abort is seen and progress is shown
    signal?.throwIfAborted()
    const batch = batchOf(order.slice(at * batchSize, (at + 1) * batchSize), { keys, others, random })
    const step = epoch * perEpoch + at
    lossSum += trainer.step(batch, learningRateAt(step, steps, recipe))
    const perStep = (performance.now() - clock.started) / 1000 / (step + 1 - clock.firstStep)
    onProgress({
      epoch: epoch + 1,
      epochs: recipe.epochs,
      step: step + 1,
      steps,
      loss: lossSum / (at + 1),
      validation,
      secondsLeft: perStep * (steps - step - 1),
    })
  }
  return lossSum / perEpoch
}

type TrainingCurve = { readonly losses: number[]; readonly validation: number | null }

function resumeOrStart(
  trainer: ContrastiveTrainer,
  checkpoint: Checkpoint | null,
  { start, texts, checkpoint: file }: TrainEmbeddingInput,
): TrainingCurve {
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

/** Cards that tell which dimensions are the principal ones. */
const mostCards = 10_000

function someCards({ cards }: TrainingTexts, random: () => number): readonly number[] {
  const all = cards.flatMap((texts) => [...texts])
  const share = mostCards / all.length
  return share >= 1 ? all : all.filter(() => random() < share)
}

/** Out of the memory that the threads share, which is given back. */
const copyOf = (values: Float32Array): Float32Array => Float32Array.from(values)
