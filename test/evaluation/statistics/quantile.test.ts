import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantile } from '../../../src/evaluation/statistics/bootstrap.ts'

test.each([
  { values: [15, 20, 35, 40, 50], share: 0.05, expected: 15, why: 'ceil(0.25) = 1st' },
  { values: [15, 20, 35, 40, 50], share: 0.3, expected: 20, why: 'ceil(1.5) = 2nd' },
  { values: [15, 20, 35, 40, 50], share: 0.4, expected: 20, why: '2nd, exactly' },
  { values: [15, 20, 35, 40, 50], share: 0.5, expected: 35, why: 'ceil(2.5) = 3rd' },
  { values: [15, 20, 35, 40, 50], share: 1, expected: 50, why: 'the largest' },
  { values: [15, 20, 35, 40, 50], share: 0, expected: 15, why: 'the smallest' },
  { values: [9, 1, 5], share: 0.5, expected: 5, why: 'the order given does not matter' },
  { values: [10, 9, 1], share: 0.5, expected: 9, why: 'numbers are ordered as numbers' },
  { values: [], share: 0.5, expected: 0, why: 'there is nothing' },
])('the $share quantile of $values is $expected: $why', ({ values, share, expected }) => {
  expect(quantile(values, share)).toBe(expected)
})

test('every exact rank of a hundred values is hit, whatever floating point makes of the product', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(hundred.map((percent) => quantile(hundred, percent / 100))).toEqual(hundred)
})

test('is one of the values, that at least the share does not exceed, and changes nothing', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(values, fc.integer({ min: 0, max: 100 }), (given, percent) => {
      const before = [...given]
      const found = quantile(given, percent / 100)
      expect(given).toEqual(before)
      expect(given).toContain(found)
      const within = given.filter((value) => value <= found).length
      expect(within * 100).toBeGreaterThanOrEqual(percent * given.length)
      const below = given.filter((value) => value < found).length
      expect(below === 0 || below * 100 < percent * given.length).toBe(true)
    }),
  )
})
