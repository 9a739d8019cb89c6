import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bootstrapMean,
  estimateOf,
  macroOf,
  microOf,
  resample,
} from '../../../src/evaluation/statistics/bootstrap.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'

const values = fc.array(
  fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
  { minLength: 1, maxLength: 40 },
)

describe('the interval of a mean', () => {
  test('holds the mean of its resamples and lies within the values', () => {
    fc.assert(
      fc.property(values, (given) => {
        const { mean, low, high, queries } = bootstrapMean(given, { resamples: 200 })
        expect(queries).toBe(given.length)
        expect(mean).toBeCloseTo(given.reduce((sum, value) => sum + value, 0) / given.length, 12)
        expect(low).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(Math.min(...given) - 1e-12)
        expect(high).toBeLessThanOrEqual(Math.max(...given) + 1e-12)
      }),
      { numRuns: 50 },
    )
  })

  test('is a point where all values are the same, and all zero where there are none', () => {
    expect(bootstrapMean([1, 1, 1])).toEqual({ mean: 1, low: 1, high: 1, queries: 3 })
    expect(bootstrapMean([])).toEqual({ mean: 0, low: 0, high: 0, queries: 0 })
  })

  test('is the same for the same seed', () => {
    const given = [0, 0.3, 0.9, 1, 0.2]
    expect(bootstrapMean(given, { seed: 3 })).toEqual(bootstrapMean(given, { seed: 3 }))
    expect(resample([given], { seed: 3 })).not.toEqual(resample([given], { seed: 4 }))
  })

  test('of one success in two: a quarter of resamples has none, a quarter has both', () => {
    const [{ means } = { means: new Float64Array() }] = resample([[0, 1]], { resamples: 10_000 })
    const share = (mean: number) => means.filter((value) => value === mean).length / means.length
    expect(Math.abs(share(0) - 0.25)).toBeLessThan(0.015)
    expect(Math.abs(share(0.5) - 0.5)).toBeLessThan(0.02)
    expect(Math.abs(share(1) - 0.25)).toBeLessThan(0.015)
  })

  test('has the width that theory gives for many queries: 2 x 1.96 standard errors', () => {
    const random = seededRandom(1)
    const given = Array.from({ length: 2000 }, () => (random.below(10) < 3 ? 1 : 0))
    const { mean, low, high } = bootstrapMean(given, { resamples: 4000 })
    const width = 2 * 1.96 * Math.sqrt((mean * (1 - mean)) / given.length)
    expect(Math.abs((high - low) / width - 1)).toBeLessThan(0.06)
  })

  test('covers the truth about 95 times in a hundred', () => {
    const random = seededRandom(2024)
    const uniform = () => random.uint32() / 2 ** 32
    const samples = 600
    // Skewed, as measures are: 1 in a third of queries, else 0.6 of a square of a uniform number.
    const draw = () => (uniform() < 1 / 3 ? 1 : 0.6 * uniform() ** 2)
    const truth = 1 / 3 + (2 / 3) * 0.6 * (1 / 3)
    let covered = 0
    for (let sample = 0; sample < samples; sample += 1) {
      const given = Array.from({ length: 60 }, draw)
      const { low, high } = bootstrapMean(given, { resamples: 1000, seed: sample })
      if (low <= truth && truth <= high) covered += 1
    }
    expect(covered / samples).toBeGreaterThan(0.92)
    expect(covered / samples).toBeLessThan(0.975)
  })
})

describe('several measures at once', () => {
  test('are drawn together: a column and its double stay double in every resample', () => {
    const column = [0.1, 0.5, 0.2, 0.9, 0]
    const [single, twice] = resample([column, column.map((value) => 2 * value)], { resamples: 100 })
    expect([...twice!.means].map((mean) => mean / 2)).toEqual([...single!.means])
  })

  test('must speak of the same queries', () => {
    expect(() => resample([[1, 2], [1]])).toThrow('columns have 2, 1 values')
  })
})

describe('means over parts', () => {
  const parts = [
    [0, 0, 0, 1],
    [1, 1],
  ].map((column, seed) => resample([column], { seed, resamples: 500 })[0]!)

  test('macro weighs each part the same, micro each query', () => {
    expect(estimateOf(macroOf(parts))).toMatchObject({ mean: (0.25 + 1) / 2, queries: 6 })
    expect(estimateOf(microOf(parts))).toMatchObject({ mean: 3 / 6, queries: 6 })
  })

  test('queries are drawn within their part: a part without spread adds none', () => {
    const [spread] = parts
    expect([...macroOf(parts).means]).toEqual([...spread!.means].map((mean) => (mean + 1) / 2))
  })

  test('parts without queries count for nothing', () => {
    const none = resample([[]], { resamples: 500 })[0]!
    expect(macroOf([none, ...parts])).toEqual(macroOf(parts))
    expect(estimateOf(macroOf([none]))).toEqual({ mean: 0, low: 0, high: 0, queries: 0 })
    expect(estimateOf(microOf([]))).toEqual({ mean: 0, low: 0, high: 0, queries: 0 })
  })

  test('the interval of the macro mean covers the truth about 95 times in a hundred', () => {
    const random = seededRandom(77)
    const sizes = [100, 40, 25]
    const chances = [0.2, 0.5, 0.7]
    const truth = (0.2 + 0.5 + 0.7) / 3
    const samples = 500
    let covered = 0
    for (let sample = 0; sample < samples; sample += 1) {
      const drawn = sizes.map((size, part) => {
        const column = Array.from({ length: size }, () =>
          random.uint32() / 2 ** 32 < chances[part]! ? 1 : 0,
        )
        return resample([column], { resamples: 600, seed: sample * 3 + part })[0]!
      })
      const { low, high } = estimateOf(macroOf(drawn))
      if (low <= truth && truth <= high) covered += 1
    }
    expect(covered / samples).toBeGreaterThan(0.915)
    expect(covered / samples).toBeLessThan(0.975)
  })
})
