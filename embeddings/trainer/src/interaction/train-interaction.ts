import { setImmediate } from 'node:timers/promises'
import type { LearnedVectors } from '../../../../src/vectors/embedding/token-vectors.ts'
import { mulberry32 } from '../../../../src/domain/random.ts'
import { shuffled } from '../epoch-pairs.ts'
import type { TrainingRecipe } from '../recipe.ts'
import type { TrainingPair, TrainingTexts } from '../training-texts.ts'
import { interactionTexts } from './interaction-texts.ts'
import { interactionTrainer } from './interaction-trainer.ts'

type TrainInteractionInput = {
  readonly texts: TrainingTexts
  /** Of an embedding trained on the same; its dimensions count from the most telling one. */
  readonly start: LearnedVectors
  readonly recipe: TrainingRecipe
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  /** Told the share of the steps that is done, 0..1. */
  readonly onProgress?: (share: number) => void
}

export type TrainedInteraction = {
  readonly vectors: LearnedVectors
  /** Of each epoch, in nats. */
  readonly losses: readonly number[]
}

/** Steps between two looks at the signal. */
const stride = 50

/**
 * Trains the vectors by which a search matches words one by one: on queries with a card that serves, cards that BM25 ranks
 * high and that do not serve, and some of the same corpus drawn at random. The same input gives the same vectors.
 *
 * @throws the signal's reason when it is aborted
 */
export async function trainInteraction({
  texts,
  start,
  recipe,
  seed,
  signal,
  onProgress = () => {},
}: TrainInteractionInput): Promise<TrainedInteraction> {
  const { interaction } = recipe
  const trainer = interactionTrainer(firstDimensions(start, interaction.dimensions))
  const cut = interactionTexts(texts.texts)
  const sets = setsOf(texts)
  const losses: number[] = []
  for (let epoch = 0; epoch < interaction.epochs; epoch += 1) {
    const random = mulberry32(seed ^ Math.imul(epoch + 1, 0x9e3779b1))
    const order = shuffled(
      sets.flatMap(({ pairs, cards }) =>
        shuffled(pairs, random)
          .slice(0, interaction.queriesPerSet)
          .map((pair) => ({ pair, cards })),
      ),
      random,
    )
    const rate = rateOf(epoch, interaction)
    let [sum, steps] = [0, 0]
    for (const [place, { pair, cards }] of order.entries()) {
      if (place % stride === 0) {
        await setImmediate()
        signal?.throwIfAborted()
        onProgress((epoch + place / order.length) / interaction.epochs)
      }
      const others = othersOf(pair, cards, { keys: texts.keys, ...interaction, random })
      const query = cut.query(pair.query)
      if (query.length === 0 || others.length === 0) continue
      const serving = drawn(pair.positives, random)
      sum += trainer.step(query, [serving, ...others].map(cut.card), rate)
      steps += 1
    }
    losses.push(steps === 0 ? 0 : sum / steps)
  }
  onProgress(1)
  return { vectors: trainer.vectors, losses }
}

/** The full rate in the first epoch, then less with each: towards a tenth of it where there are many. */
const rateOf = (
  epoch: number,
  { learningRate, epochs }: { readonly learningRate: number; readonly epochs: number },
): number => (epoch === 0 ? learningRate : learningRate * (1 - (0.9 * epoch) / epochs))

type SetOfPairs = { readonly pairs: readonly TrainingPair[]; readonly cards: Uint32Array }

/** The queries by the corpus of the cards that serve them. */
function setsOf({ supervised, cards, texts }: TrainingTexts): readonly SetOfPairs[] {
  const corpusOf = new Int32Array(texts.starts.length - 1).fill(-1)
  for (const [corpus, own] of cards.entries()) for (const text of own) corpusOf[text] = corpus
  const pairs = cards.map((): TrainingPair[] => [])
  for (const pair of supervised) pairs[corpusOf[pair.positives[0]!]!]?.push(pair)
  return cards.map((own, corpus) => ({ cards: own, pairs: pairs[corpus]! }))
}

/** Hard negatives and cards drawn at random; none that serves the query. */
function othersOf(
  { positives, negatives }: TrainingPair,
  cards: Uint32Array,
  {
    keys,
    hardCards,
    randomCards,
    random,
  }: {
    readonly keys: Uint32Array
    readonly hardCards: number
    readonly randomCards: number
    readonly random: () => number
  },
): readonly number[] {
  const serving = new Set(positives.map((text) => keys[text]!))
  const hard = Array.from({ length: negatives.length > 0 ? hardCards : 0 }, () => drawn(negatives, random))
  const any = Array.from({ length: randomCards }, () => drawn(cards, random))
  return [...hard, ...any].filter((text) => !serving.has(keys[text]!))
}

const drawn = (list: ArrayLike<number>, random: () => number): number =>
  list[Math.floor(random() * list.length)]!

/** The first dimensions, and what each token counts as a whole. */
function firstDimensions(
  { dimensions, table, queryWeights, documentWeights }: LearnedVectors,
  most: number,
): LearnedVectors {
  const kept = Math.min(most, dimensions)
  const rows = queryWeights.length
  const cut = new Float32Array(rows * kept)
  const lengths = new Float32Array(rows)
  for (let row = 0; row < rows; row += 1) {
    const whole = table.subarray(row * dimensions, (row + 1) * dimensions)
    cut.set(whole.subarray(0, kept), row * kept)
    lengths[row] = Math.log(Math.hypot(...whole) + leastLength)
  }
  return {
    dimensions: kept,
    table: cut,
    queryWeights: queryWeights.map((weight, row) => weight + lengths[row]!),
    documentWeights: documentWeights.map((weight, row) => weight + lengths[row]!),
  }
}

/** So that a token never seen has a weight near 0, not none. */
const leastLength = 1e-3
