import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchOf } from '../../embeddings/trainer/src/batch-of.ts'
import { readCheckpoint, writeCheckpoint } from '../../embeddings/trainer/src/checkpoint.ts'
import { mulberry32 } from '../../src/domain/random.ts'
import { capSets } from '../../embeddings/trainer/src/data/cap-sets.ts'
import type { TrainingCorpus } from '../../embeddings/trainer/src/data/corpus.ts'
import { epochPairs } from '../../embeddings/trainer/src/epoch-pairs.ts'
import { dealFolds } from '../../embeddings/trainer/src/folds.ts'
import { heldOutNdcg } from '../../embeddings/trainer/src/held-out.ts'
import { idfWeights } from '../../embeddings/trainer/src/start-weights.ts'
import { learningRateAt } from '../../embeddings/trainer/src/learning-rate.ts'
import { calibrate } from '../../embeddings/trainer/src/ranker/calibrate.ts'
import { defaultRecipe, trainingRecipe } from '../../embeddings/trainer/src/recipe.ts'
import type { TrainingPair } from '../../embeddings/trainer/src/training-texts.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const pair = (
  query: number,
  positives: readonly number[],
  negatives: readonly number[] = [],
): TrainingPair => ({
  query,
  positives,
  negatives,
  fold: null,
})

describe('a batch', () => {
  // Texts 0..3 are queries; 4 and 5 read the same; 6 and 7 are other cards.
  const keys = Uint32Array.of(0, 0, 0, 0, 1, 1, 2, 3)
  const random = () => 0

  test('leaves out of a query’s negatives what serves it, and what reads the same', () => {
    const pairs = [pair(0, [4], [6]), pair(1, [5], [7]), pair(2, [6, 7], [4])]
    const { documents, negatives, falseNegatives } = batchOf(pairs, { keys, others: [4], random })
    expect([documents, negatives]).toEqual([
      [4, 5, 6],
      [6, 7, 4],
    ])
    const sorted = falseNegatives.map(([row, column]) => `${row}:${column}`).sort()
    // Row 0 and 1 are served by 4 and 5 alike (columns 0, 1, 5); row 2 by 6 and 7 (columns 2, 3, 4).
    expect(sorted).toEqual(['0:1', '0:5', '1:0', '1:5', '2:3', '2:4'])
  })

  test('never leaves out the own document, and a pair without hard negatives gets another card', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 4, max: 7 }), { minLength: 1, maxLength: 8 }), (texts) => {
        const made = batchOf(
          texts.map((text) => pair(0, [text])),
          { keys, others: [4, 5, 6, 7], random: mulberry32(3) },
        )
        return (
          made.falseNegatives.every(([row, column]) => row !== column) &&
          Array.from(made.negatives).every((text) => text >= 4 && text <= 7)
        )
      }),
    )
  })
})

test('an epoch has each supervised pair once, and so many self-supervised ones without repeats', () => {
  const supervised = Array.from({ length: 20 }, (_, at) => pair(at, [100]))
  const selfSupervised = Array.from({ length: 50 }, (_, at) => pair(1000 + at, [100]))
  const order = epochPairs(supervised, selfSupervised, 30, mulberry32(1))
  expect(order).toHaveLength(50)
  expect(new Set(order).size).toBe(50)
  expect(supervised.every((one) => order.includes(one))).toBe(true)
  expect(epochPairs(supervised, selfSupervised, 30, mulberry32(1))).toEqual(order)
  expect(epochPairs(supervised, selfSupervised, 30, mulberry32(2))).not.toEqual(order)
})

test('the learning rate rises to its highest, then falls in a line to its last', () => {
  const recipe = { learningRate: 0.01, warmUp: 0.1, lastRate: 0.03 }
  const rates = Array.from({ length: 100 }, (_, step) => learningRateAt(step, 100, recipe))
  expect(rates[0]).toBeCloseTo(0.001, 6)
  expect(rates.indexOf(Math.max(...rates))).toBe(9)
  expect(rates[50]).toBeCloseTo(0.005, 6)
  expect(rates[99]).toBeCloseTo(0.0003, 6)
  expect(learningRateAt(0, 10, { ...recipe, warmUp: 0 })).toBe(0.01)
})

test('rarer tokens start with more weight, and strength 0 makes all equal', () => {
  // Token 0 stands in every text (twice in one), token 1 in one, token 2 in none.
  const texts = {
    tokens: Uint32Array.of(0, 0, 1, 0, 0),
    fields: new Uint8Array(5),
    starts: Uint32Array.of(0, 3, 4, 5),
  }
  const [common, rare, never] = idfWeights(texts, 3, 0.5)
  expect(common).toBeLessThan(rare!)
  expect(rare).toBeLessThan(never!)
  expect([...idfWeights(texts, 3, 0)].map(Math.abs)).toEqual([0, 0, 0])
})

describe('folds', () => {
  const corpus = (name: string, family: string, queries: number): TrainingCorpus => ({
    name,
    family,
    cards: [],
    queries: Array.from({ length: queries }, (_, at) => ({
      id: `${at}`,
      text: `${name} ${at}`,
      relevant: ['x'],
    })),
  })

  test('deal whole families, of about equal size, and cards alone to none', () => {
    const corpora = [
      corpus('a', 'one', 50),
      corpus('b', 'two', 30),
      corpus('c', 'one', 10),
      corpus('d', 'three', 25),
      corpus('e', 'four', 20),
      corpus('f', 'cards', 0),
    ]
    const folds = dealFolds(corpora, 2)
    expect(folds.count).toBe(2)
    expect(corpora.map((_, place) => folds.ofCards(place))).toEqual([0, 1, 0, 1, 1, null])
    expect(folds.ofQuery(2, 'anything')).toBe(0)
  })

  test('are no more than families', () => {
    expect(dealFolds([corpus('a', 'one', 5), corpus('b', 'two', 5)], 4).count).toBe(2)
  })

  test('of one family deal the queries by their text', () => {
    const own = corpus('a', 'one', 200)
    const folds = dealFolds([own], 4)
    const sizes = [0, 1, 2, 3].map(
      (fold) => own.queries.filter(({ text }) => folds.ofQuery(0, text) === fold).length,
    )
    expect(sizes.reduce((a, b) => a + b)).toBe(200)
    expect(Math.min(...sizes)).toBeGreaterThan(20)
    expect(folds.ofCards(0)).toBeNull()
  })

  test('a cap counts each set of queries by itself and keeps their order', () => {
    const own = { ...corpus('a', 'one', 30), cards: ['x', 'y'].map((id) => toolCard(`a/${id}`, {})) }
    const mixed = { ...own, queries: own.queries.map((one, at) => (at < 10 ? { ...one, set: 'b' } : one)) }
    const capped = capSets(mixed, { perSet: 8, perCard: 20 }, 1)
    expect(capped.queries.filter(({ set }) => set === 'b')).toHaveLength(8)
    expect(capped.queries).toHaveLength(16)
    expect(capped.queries).toEqual(mixed.queries.filter((one) => capped.queries.includes(one)))
    expect(capSets(mixed, { perSet: 8, perCard: 2 }, 1).queries).toHaveLength(8)
  })
})

test('held-out queries are measured over their own corpus: first is 1, second 0.63, beyond ten 0', () => {
  const corpora = [Uint32Array.from({ length: 12 }, (_, at) => at), Uint32Array.of(20, 21)]
  // A card's first value is how near it is; texts of the other corpus would win everywhere.
  const nearness = (text: number): number => (text >= 20 ? 1 : 1 - text / 100)
  const encode = (texts: ArrayLike<number>, tower: 'query' | 'document') =>
    Float32Array.from(Array.from(texts).flatMap((text) => [tower === 'query' ? 1 : nearness(text), 0, 0, 0]))
  const measured = (positive: number) =>
    heldOutNdcg({ encode }, { cards: corpora }, [{ query: 30, positives: [positive], fold: null, corpus: 0 }])
  expect(measured(0)).toBe(1)
  expect(measured(1)).toBeCloseTo(1 / Math.log2(3), 6)
  expect(measured(11)).toBe(0)
  expect(heldOutNdcg({ encode }, { cards: corpora }, [])).toBeNull()
})

describe('calibration', () => {
  test('finds the curve that drew the answers', () => {
    const random = mulberry32(4)
    const scores = Array.from({ length: 20_000 }, () => 6 * random() - 4)
    const grades = scores.map((score) => (random() < 1 / (1 + Math.exp(-(1.5 * score + 0.5))) ? 1 : 0))
    const { slope, intercept } = calibrate(scores, grades)
    expect(slope).toBeCloseTo(1.5, 0)
    expect(Math.abs(slope - 1.5)).toBeLessThan(0.1)
    expect(Math.abs(intercept - 0.5)).toBeLessThan(0.1)
  })

  test.each([
    { why: 'one side alone', scores: [1, 2, 3], grades: [0, 0, 0] },
    { why: 'sides that a line parts', scores: [-1, -2, 1, 2], grades: [0, 0, 1, 1] },
    { why: 'equal scores', scores: [1, 1, 1], grades: [0, 1, 0] },
    { why: 'no scores', scores: [], grades: [] },
  ])('stays finite for $why', ({ scores, grades }) => {
    const { slope, intercept } = calibrate(scores, grades)
    expect(Number.isFinite(slope)).toBe(true)
    expect(Number.isFinite(intercept)).toBe(true)
  })
})

describe('a checkpoint', () => {
  test('comes back as it was written; of none there is null', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'checkpoint-')), 'one')
    expect(await readCheckpoint(file)).toBeNull()
    const checkpoint = {
      facts: { steps: 7, scale: [0.1, 1e-17, 3], name: 'ö' },
      arrays: { a: Float32Array.of(1.5, Number.NaN, -0), empty: new Float32Array(0), b: Float32Array.of(9) },
    }
    await writeCheckpoint(file, checkpoint)
    expect(await readCheckpoint(file)).toEqual(checkpoint)
  })
})

describe('a recipe', () => {
  test.each<{ given: Parameters<typeof trainingRecipe>[0]; message: RegExp }>([
    { given: { dimensions: 12 }, message: /"dimensions" is 12/ },
    { given: { vocabulary: 100 }, message: /"vocabulary" is 100/ },
    { given: { epochs: 1.5 }, message: /"epochs" is 1.5/ },
    { given: { learningRate: 0 }, message: /"learningRate" is 0/ },
    { given: { tokenDropout: Number.NaN }, message: /"tokenDropout" is NaN/ },
    { given: { fieldTokens: { ...defaultRecipe.fieldTokens, body: 0 } }, message: /"fieldTokens.body" is 0/ },
  ])('refuses $given', ({ given, message }) => {
    expect(() => trainingRecipe(given)).toThrow(message)
  })

  test('fills in the defaults, which are within their ranges', () => {
    expect(trainingRecipe({})).toEqual(defaultRecipe)
    expect(trainingRecipe({ epochs: 5 })).toEqual({ ...defaultRecipe, epochs: 5 })
  })
})

test.each([0, 7, 63, 1032, Number.NaN])('vectors that match words cannot have %d values', (dimensions) => {
  const interaction = { ...defaultRecipe.interaction, dimensions }
  expect(() => trainingRecipe({ interaction })).toThrow(/"interaction\.dimensions" is/)
})
