import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomisationTest } from '../../../src/evaluation/statistics/randomisation-test.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'

describe('exact, up to twelve differences', () => {
  test.each([
    { differences: [], expected: 1, why: 'there is no query' },
    { differences: [0, 0, 0], expected: 1, why: 'there is no difference' },
    { differences: [1], expected: 1, why: 'one query proves nothing: +1 and -1 are as far from zero' },
    { differences: [1, 2, 3], expected: 2 / 8, why: 'only all plus and all minus reach 6' },
    { differences: [-1, -2, -3], expected: 2 / 8, why: 'two-sided' },
    { differences: [3, -1, -1], expected: 8 / 8, why: 'no pattern sums to less than 1' },
    { differences: [1, 1, 1, -1], expected: 10 / 16, why: 'sums of 2 or 4 either way: 4 + 1, twice' },
    { differences: [0.1, 0.2, 0.3, 0.4, 0], expected: 2 / 16, why: 'zeros do not matter' },
    {
      differences: [0.3, -0.1, -0.2],
      expected: 1,
      why: 'a sum of zero, even if floating point leaves a crumb',
    },
    { differences: new Array<number>(12).fill(0.1), expected: 2 / 4096, why: 'the smallest p there is' },
  ])('$expected: $why', ({ differences, expected }) => {
    expect(randomisationTest(differences)).toBe(expected)
  })
})

describe('by draws, beyond', () => {
  test("agrees with Fisher's own answer on Darwin's fifteen pairs of maize: 1726 of 32768", () => {
    const eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    const p = randomisationTest(eighths, { permutations: 100_000 })
    expect(Math.abs(p - 1726 / 32768)).toBeLessThan(0.0025) // 3.5 standard errors
  })

  test('is never zero: the pattern seen counts among those drawn', () => {
    expect(randomisationTest(new Array<number>(100).fill(1))).toBe(1 / 10_001)
    expect(randomisationTest(new Array<number>(100).fill(1), { permutations: 99 })).toBe(1 / 100)
  })

  test('agrees with a plain count of sign patterns', () => {
    const random = seededRandom(3)
    const differences = Array.from({ length: 16 }, () => random.below(21) - 8)
    const patterns = 2 ** differences.length
    const seen = Math.abs(differences.reduce((sum, value) => sum + value, 0))
    let asFar = 0
    for (let pattern = 0; pattern < patterns; pattern += 1) {
      let sum = 0
      for (const [bit, value] of differences.entries()) sum += pattern & (1 << bit) ? -value : value
      if (Math.abs(sum) >= seen) asFar += 1
    }
    expect(Math.abs(randomisationTest(differences) - asFar / patterns)).toBeLessThan(0.02)
  })

  test('the same seed gives the same p-value, another one nearly the same', () => {
    const random = seededRandom(5)
    const differences = Array.from({ length: 200 }, () => (random.below(100) - 45) / 100)
    const p = randomisationTest(differences, { seed: 9 })
    expect(randomisationTest(differences, { seed: 9 })).toBe(p)
    expect(Math.abs(randomisationTest(differences, { seed: 10 }) - p)).toBeLessThan(0.03)
  })

  test('when nothing differs but by chance, one test in twenty is below 0.05', () => {
    const random = seededRandom(11)
    const below = Array.from({ length: 400 }, () => {
      const differences = Array.from({ length: 30 }, () => random.below(2001) - 1000)
      return randomisationTest(differences, { permutations: 999, seed: random.uint32() })
    }).filter((p) => p <= 0.05).length
    expect(below / 400).toBeGreaterThan(0.02)
    expect(below / 400).toBeLessThan(0.085)
  })
})

test('a p-value lies above 0 and at most at 1, and does not care which run is which', () => {
  const differences = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 12 })
  fc.assert(
    fc.property(differences, (values) => {
      const p = randomisationTest(values)
      expect(p).toBeGreaterThan(0)
      expect(p).toBeLessThanOrEqual(1)
      expect(randomisationTest(values.map((value) => -value))).toBe(p)
    }),
  )
})
