import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boostedTrees } from '../../../src/retrieval/rank/boosted-trees.ts'
import { openTrees, packTrees } from '../../../src/retrieval/rank/packed-trees.ts'
import { boostingSettings } from '../../../embeddings/trainer/src/boosting/boosting-settings.ts'
import type { GradedRows } from '../../../embeddings/trainer/src/boosting/graded-rows.ts'
import { objectives } from '../../../embeddings/trainer/src/boosting/objectives.ts'
import {
  type BoostingInput,
  trainBoostedTrees,
} from '../../../embeddings/trainer/src/boosting/train-boosted-trees.ts'
import { linearRanker } from './linear-ranker.ts'
import { syntheticQueries } from './synthetic-queries.ts'

const namesOf = (width: number): string[] => Array.from({ length: width }, (_, index) => `feature ${index}`)

const ndcg = (rows: GradedRows, scores: Float64Array): number =>
  objectives.ranking.quality(rows, boostingSettings({}, 1))(scores)

const trained = (input: BoostingInput) => boostedTrees(trainBoostedTrees(input).model)

const isOn = (value: number | undefined): boolean => value !== undefined && value > 0.5

/** Relevant when exactly one of the first two features is high: no weighted sum can tell. */
const exclusiveOr = (row: Float32Array): number => (isOn(row[0]) !== isOn(row[1]) ? 1 : 0)

/** Rows of a query by words matched, similarity, and whether the name was hit; some noise on top. */
const lifelike = (row: Float32Array, random: () => number): number => {
  const similarity = Number.isNaN(row[1]!) ? 0.2 : row[1]!
  const name = isOn(row[2]) ? 1 : 0
  const strength = similarity * row[0]! + 0.4 * name * Math.min(similarity, 0.5) + 0.15 * random()
  return strength > 0.8 ? 2 : strength > 0.55 ? 1 : 0
}

describe('a small example worked by hand', () => {
  // Two of four rows hold, those with x of 2 and 3. The odds are even, so the derivatives are 1/2 and -1/2, the second
  // ones 1/4. Parting 0, 1 | 2, 3 gives Newton steps of -1 / (1/2 + 1) and 1 / (1/2 + 1).
  const rows: GradedRows = {
    features: Float32Array.of(0, 1, 2, 3),
    grades: Float32Array.of(0, 0, 1, 1),
    groups: Uint32Array.of(0),
  }
  const input: BoostingInput = {
    features: ['x'],
    objective: 'logistic',
    rows,
    settings: { trees: 1, leaves: 2, learningRate: 1, minimumRows: 1, lambdaL2: 1 },
  }

  test('has one split in the middle and Newton steps for leaves', () => {
    const { model, gains } = trainBoostedTrees(input)
    expect(model.initial).toBe(0)
    expect(Array.from(model.nodes.child)).toEqual([1, 0, 0])
    expect(model.nodes.threshold[0]).toBe(1.5)
    expect(Array.from(model.nodes.value)).toEqual([0, -2 / 3, 2 / 3].map(Math.fround))
    expect(gains[0]).toBeCloseTo(2 / 1.5) // two leaves of G^2 / (H + 1) = 1 / 1.5, and nothing before
  })

  test('scores', () => {
    const model = trained(input)
    expect(Array.from(model.score(Float32Array.of(1.5, 1.6), 2))).toEqual([-2 / 3, 2 / 3].map(Math.fround))
  })

  test('a second tree goes on from the first, by the learning rate', () => {
    const { model } = trainBoostedTrees({
      ...input,
      settings: { ...input.settings, trees: 2, learningRate: 0.5 },
    })
    const probability = 1 / (1 + Math.exp(1 / 3))
    const step = (2 * probability) / (2 * probability * (1 - probability) + 1)
    expect(model.nodes.value[4]).toBeCloseTo(-0.5 * step, 6)
  })

  test('missing values are asked for when nothing else tells', () => {
    const model = trained({
      ...input,
      rows: { ...rows, features: Float32Array.of(5, 5, Number.NaN, Number.NaN) },
    })
    expect(Array.from(model.score(Float32Array.of(5, 1e30, -7, Number.NaN), 4))).toEqual(
      [-2 / 3, -2 / 3, -2 / 3, 2 / 3].map(Math.fround),
    )
  })

  test('missing values join the side they are like', () => {
    const model = trained({
      ...input,
      rows: {
        features: Float32Array.of(0, 1, 2, 3, Number.NaN),
        grades: Float32Array.of(1, 1, 0, 0, 1),
        groups: Uint32Array.of(0),
      },
    })
    const [low, high, missing] = model.score(Float32Array.of(0, 3, Number.NaN), 3)
    expect(missing).toBe(low)
    expect(missing).toBeGreaterThan(high!)
  })
})

describe('held-out queries', () => {
  test('what no weighted sum can tell is learned', () => {
    const options = { rowsPerQuery: 20, width: 4, grade: exclusiveOr }
    const rows = syntheticQueries({ ...options, queries: 150, seed: 1 })
    const heldOut = syntheticQueries({ ...options, queries: 60, seed: 2 })
    const model = trained({
      features: namesOf(4),
      objective: 'ranking',
      rows,
      settings: { trees: 40, leaves: 6, minimumRows: 20 },
    })
    const own = ndcg(heldOut, model.score(heldOut.features, heldOut.grades.length))
    const linear = ndcg(heldOut, linearRanker(rows, 4)(heldOut.features))
    expect(own).toBeGreaterThan(0.97)
    expect(linear).toBeLessThan(0.7)
  })

  test('nDCG stands above a linear ranker, with noise and missing values', () => {
    const options = { rowsPerQuery: 40, width: 6, missing: 0.15, grade: lifelike }
    const rows = syntheticQueries({ ...options, queries: 120, seed: 3 })
    const heldOut = syntheticQueries({ ...options, queries: 80, seed: 4 })
    const model = trained({
      features: namesOf(6),
      objective: 'ranking',
      rows,
      settings: { trees: 60, leaves: 8, minimumRows: 20 },
    })
    const own = ndcg(heldOut, model.score(heldOut.features, heldOut.grades.length))
    const linear = ndcg(heldOut, linearRanker(rows, 6)(heldOut.features))
    expect(own).toBeGreaterThan(linear + 0.05)
  })

  test('probabilities are calibrated', () => {
    const grade = (row: Float32Array, random: () => number) =>
      random() < 0.2 + 0.6 * row[0]! * row[1]! ? 1 : 0
    const options = { queries: 4000, rowsPerQuery: 1, width: 3, grade }
    const model = trained({
      features: namesOf(3),
      objective: 'logistic',
      rows: syntheticQueries({ ...options, seed: 5 }),
      validation: syntheticQueries({ ...options, queries: 2000, seed: 6 }),
      settings: { leaves: 6, learningRate: 0.05 },
    })
    const unseen = syntheticQueries({ ...options, queries: 1000, seed: 7 })
    const meanError = (probabilityOf: (row: number) => number): number => {
      let sum = 0
      for (let row = 0; row < 1000; row += 1) {
        const [a = 0, b = 0] = unseen.features.subarray(3 * row)
        sum += Math.abs(probabilityOf(row) - (0.2 + 0.6 * a * b))
      }
      return sum / 1000
    }
    const scores = model.score(unseen.features, 1000)
    expect(meanError((row) => 1 / (1 + Math.exp(-scores[row]!)))).toBeLessThan(0.04)
    expect(meanError(() => 0.35)).toBeGreaterThan(0.1) // saying the same of all
  })
})

describe('training', () => {
  const options = { rowsPerQuery: 25, width: 5, missing: 0.1, grade: lifelike }
  const rows = syntheticQueries({ ...options, queries: 60, seed: 8 })
  const base: BoostingInput = {
    features: namesOf(5),
    objective: 'ranking',
    rows,
    settings: { trees: 12, minimumRows: 10, rowFraction: 0.7, featureFraction: 0.6, seed: 3 },
  }
  const bytesOf = (input: BoostingInput) => packTrees(trainBoostedTrees(input).model)

  test('with the same seed gives the same bytes, with another one others', () => {
    expect(bytesOf(base)).toEqual(bytesOf(base))
    expect(bytesOf({ ...base, settings: { ...base.settings, seed: 4 } })).not.toEqual(bytesOf(base))
  })

  test('gives a model whose packed form scores the same', () => {
    const { model } = trainBoostedTrees(base)
    const opened = openTrees(packTrees(model), { features: base.features, file: 'ranker' })
    const scores = boostedTrees(model).score(rows.features, rows.grades.length)
    expect(opened.score(rows.features, rows.grades.length)).toEqual(scores)
  })

  test('reports what the model scores on raw features: bins and thresholds agree', () => {
    const validation = syntheticQueries({ ...options, queries: 30, seed: 9 })
    const told: number[] = []
    const { model, history } = trainBoostedTrees({
      ...base,
      validation,
      settings: { ...base.settings, patience: 99 },
      onTree: ({ tree }) => told.push(tree),
    })
    expect(told).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    const { roots } = model.nodes
    const last = history[roots.length - 1]!
    const quality = (own: GradedRows): number =>
      objectives.ranking.quality(
        own,
        boostingSettings({ seed: 3 }, 5),
      )(boostedTrees(model).score(own.features, own.grades.length))
    expect(last.measure).toBe('ndcg@10')
    expect(last.train).toBeCloseTo(quality(rows), 9)
    expect(last.validation).toBeCloseTo(quality(validation), 9)
  })

  test('keeps the trees that do best on validation rows, and stops after some without a better one', () => {
    const noise = (seed: number) =>
      syntheticQueries({ ...options, queries: 40, seed, grade: (_, random) => (random() < 0.2 ? 1 : 0) })
    const { model, history } = trainBoostedTrees({
      ...base,
      rows: noise(10),
      validation: noise(11),
      settings: { ...base.settings, trees: 500, patience: 7 },
    })
    const validation = history.map((progress) => progress.validation!)
    expect(model.nodes.roots.length).toBe(validation.indexOf(Math.max(...validation)) + 1)
    expect(history.length).toBe(model.nodes.roots.length + 7)
    expect(history.at(-1)!.train).toBeGreaterThan(history[0]!.train) // learning noise by heart
  })

  test.each([0, 1])(
    'stops when nothing can be learned, with the same score for all: lambdaL2 %d',
    (lambdaL2) => {
      const settings = { trees: 50, minimumRows: 5, lambdaL2 }
      const model = trained({
        ...base,
        settings,
        rows: { ...rows, grades: new Float32Array(rows.grades.length) },
      })
      expect(model.trees).toBe(0)
      expect(Array.from(model.score(rows.features, 3))).toEqual([0, 0, 0])
    },
  )

  test('a weight of 2 is worth the same as rows that come twice', () => {
    const settings = { trees: 5, minimumRows: 1, lambdaL2: 1, bins: 64 }
    const once = syntheticQueries({ queries: 30, rowsPerQuery: 1, width: 2, seed: 12, grade: exclusiveOr })
    const doubled = (array: Float32Array): Float32Array => Float32Array.from([...array, ...array])
    const twice = {
      features: doubled(once.features),
      grades: doubled(once.grades),
      groups: Uint32Array.from({ length: 60 }, (_, query) => query),
    }
    const input = { features: namesOf(2), objective: 'logistic', settings } as const
    const a = trained({ ...input, rows: { ...once, weights: new Float32Array(30).fill(2) } })
    const b = trained({ ...input, rows: twice })
    const scores = b.score(once.features, 30)
    a.score(once.features, 30).forEach((score, row) => {
      expect(score).toBeCloseTo(scores[row]!, 5)
    })
    expect(new Set(scores).size).toBeGreaterThan(2)
  })

  test('asks only features that are drawn', () => {
    const { model } = trainBoostedTrees({ ...base, settings: { ...base.settings, featureFraction: 0.01 } })
    const { roots, child, feature } = model.nodes
    roots.forEach((root, tree) => {
      const end = roots[tree + 1] ?? child.length
      const asked = Array.from(feature.subarray(root, end)).filter((_, node) => child[root + node] !== 0)
      expect(new Set(asked).size).toBe(1)
    })
    expect(roots.length).toBeGreaterThan(1)
  })
})

describe('a monotone constraint', () => {
  const direction = fc.constantFrom(1 as const, -1 as const)
  test.each(['ranking', 'logistic'] as const)('holds everywhere, whatever the data say: %s', (objective) => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        direction,
        direction,
        fc.array(fc.array(fc.double({ min: -0.2, max: 1.2, noNaN: true }), { minLength: 4, maxLength: 4 }), {
          minLength: 5,
          maxLength: 5,
        }),
        (seed, first, second, probes) => {
          // The data want a wave in the first feature, which no monotone score can follow.
          const grade = (row: Float32Array, random: () => number) =>
            Math.sin(9 * (Number.isNaN(row[0]!) ? 0 : row[0]!)) + row[1]! * row[2]! + random() > 0.8 ? 1 : 0
          const rows = syntheticQueries({
            queries: 20,
            rowsPerQuery: 15,
            width: 4,
            missing: 0.1,
            seed,
            grade,
          })
          const model = trained({
            features: namesOf(4),
            objective,
            rows,
            settings: {
              trees: 8,
              leaves: 12,
              minimumRows: 3,
              learningRate: 0.5,
              monotone: [first, second, 0, 0],
              seed,
            },
          })
          expect(model.trees).toBeGreaterThan(0)
          for (const probe of probes)
            for (const [feature, sign] of [
              [0, first],
              [1, second],
            ] as const) {
              const line = Array.from({ length: 30 }, (_, step) => step / 25 - 0.1)
              const scores = model.score(
                Float32Array.from(
                  line.flatMap((value) => probe.map((own, at) => (at === feature ? value : own))),
                ),
                line.length,
              )
              scores.forEach((score, step) => {
                if (step > 0) expect(sign * (score - scores[step - 1]!)).toBeGreaterThanOrEqual(0)
              })
            }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('without it the same data bend the score', () => {
    const grade = (row: Float32Array) => (Math.sin(9 * row[0]!) > 0 ? 1 : 0)
    const rows = syntheticQueries({ queries: 20, rowsPerQuery: 15, width: 2, seed: 1, grade })
    const model = trained({
      features: namesOf(2),
      objective: 'logistic',
      rows,
      settings: { trees: 8, minimumRows: 3 },
    })
    const [low, middle, high] = model.score(Float32Array.of(0.1, 0.5, 0.5, 0.5, 0.9, 0.5), 3)
    expect(low).toBeGreaterThan(middle!)
    expect(high).toBeGreaterThan(middle!)
  })
})

describe('input that does not fit is refused', () => {
  const rows: GradedRows = {
    features: Float32Array.of(1, 2, 3, 4, 5, 6),
    grades: Float32Array.of(0, 1, 0),
    groups: Uint32Array.of(0, 2),
  }
  const input: BoostingInput = {
    features: ['a', 'b'],
    objective: 'ranking',
    rows,
    settings: { minimumRows: 1 },
  }
  const withRows = (change: Partial<GradedRows>): BoostingInput => ({
    ...input,
    rows: { ...rows, ...change },
  })
  const withSettings = (settings: BoostingInput['settings'] & object): BoostingInput => ({
    ...input,
    settings,
  })
  test.each([
    {
      why: 'a feature short',
      wrong: withRows({ features: new Float32Array(5) }),
      says: 'training rows: features has 5 numbers, but 3 rows of 2 features need 6.',
    },
    {
      why: 'an infinite feature',
      wrong: withRows({ features: Float32Array.of(1, 2, 3, Infinity, 5, 6) }),
      says: 'training rows: row 1, feature "b" is Infinity. Use NaN for missing.',
    },
    {
      why: 'a negative grade',
      wrong: withRows({ grades: Float32Array.of(0, -1, 0) }),
      says: 'row 1 has grade -1',
    },
    {
      why: 'a grade of NaN',
      wrong: withRows({ grades: Float32Array.of(NaN, 1, 0) }),
      says: 'row 0 has grade NaN',
    },
    {
      why: 'no groups',
      wrong: withRows({ groups: new Uint32Array(0) }),
      says: 'groups starts with undefined',
    },
    {
      why: 'a late first group',
      wrong: withRows({ groups: Uint32Array.of(1) }),
      says: 'groups starts with 1',
    },
    {
      why: 'groups that descend',
      wrong: withRows({ groups: Uint32Array.of(0, 2, 1) }),
      says: 'query 1 starts at row 2',
    },
    {
      why: 'a group beyond the rows',
      wrong: withRows({ groups: Uint32Array.of(0, 4) }),
      says: 'query 0 starts at row 0',
    },
    {
      why: 'a weight short',
      wrong: withRows({ weights: Float32Array.of(1) }),
      says: 'weights has 1 entries for 2',
    },
    {
      why: 'a negative weight',
      wrong: withRows({ weights: Float32Array.of(1, -2) }),
      says: 'query 1 has weight -2',
    },
    {
      why: 'no rows',
      wrong: withRows({ features: new Float32Array(0), grades: new Float32Array(0) }),
      says: 'training rows: there are no rows.',
    },
    {
      why: 'validation rows are checked too',
      wrong: { ...input, validation: { ...rows, groups: Uint32Array.of(1) } },
      says: 'validation rows: groups starts with 1',
    },
    {
      why: 'a grade that is no probability',
      wrong: { ...withRows({ grades: Float32Array.of(0, 2, 0) }), objective: 'logistic' as const },
      says: 'training rows: row 1 has grade 2; the logistic objective needs 0 to 1.',
    },
    {
      why: 'no trees',
      wrong: withSettings({ trees: 0 }),
      says: 'trees is 0; it must be an integer of at least 1.',
    },
    {
      why: 'half a leaf',
      wrong: withSettings({ leaves: 2.5 }),
      says: 'leaves is 2.5; it must be an integer of 2 to 255.',
    },
    { why: 'too many bins', wrong: withSettings({ bins: 256 }), says: 'bins is 256' },
    {
      why: 'no learning rate',
      wrong: withSettings({ learningRate: 0 }),
      says: 'learningRate is 0; it must be above 0',
    },
    {
      why: 'a negative penalty',
      wrong: withSettings({ lambdaL2: -1 }),
      says: 'lambdaL2 is -1; it must be 0 or more.',
    },
    {
      why: 'a constraint short',
      wrong: withSettings({ monotone: [1] }),
      says: 'monotone has 1 entries for 2 features.',
    },
  ])('$why', ({ wrong, says }) => {
    expect(() => trainBoostedTrees(input)).not.toThrow()
    expect(() => trainBoostedTrees(wrong)).toThrow(says)
  })
})
