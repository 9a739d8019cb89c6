import fc from 'fast-check'
import { expect, test } from 'vitest'
import { weighProbes } from '../../src/domain/weigh-probes.ts'

const graded = (...grades: readonly (readonly number[])[]) =>
  grades.map((own, index) => ({ probe: `p${index}`, grades: own }))

test.each([
  {
    why: 'variances 0, 1, 4: one in each tercile',
    grades: [
      [3, 3],
      [2, 4],
      [1, 5],
    ],
    tiers: ['low', 'medium', 'high'],
  },
  {
    why: 'given in another order',
    grades: [
      [1, 5],
      [3, 3],
      [2, 4],
    ],
    tiers: ['high', 'low', 'medium'],
  },
  {
    why: 'equal ones stand together in the higher tercile',
    grades: [
      [1, 5],
      [5, 1],
      [1, 5],
    ],
    tiers: ['high', 'high', 'high'],
  },
  {
    why: 'the same grade for all is always low',
    grades: [
      [5, 5],
      [1, 1],
      [2, 2],
    ],
    tiers: ['low', 'low', 'low'],
  },
  {
    why: 'of two probes only such ones are low',
    grades: [
      [4, 5],
      [1, 5],
    ],
    tiers: ['medium', 'high'],
  },
  { why: 'a single candidate shows no difference', grades: [[5]], tiers: ['low'] },
  { why: 'no grades at all', grades: [[]], tiers: ['low'] },
  {
    why: 'six probes, two in each',
    grades: [
      [4, 5],
      [3, 4, 5],
      [3, 5],
      [2, 4, 5],
      [1, 5, 5],
      [1, 5],
    ],
    tiers: ['low', 'low', 'medium', 'medium', 'high', 'high'],
  },
])('$why', ({ grades, tiers }) => {
  expect(weighProbes(graded(...grades)).map(({ discrimination }) => discrimination)).toEqual(tiers)
})

test('the variance is of the population: grades 1 and 5 give 4', () => {
  expect(weighProbes(graded([1, 5], [1, 2, 3, 4, 5])).map(({ variance }) => variance)).toEqual([4, 2])
})

test('what is kept varies at least as much as anything dropped, and something is kept unless nothing varies', () => {
  const grades = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(grades, { minLength: 1, maxLength: 12 }), (all) => {
      const weighed = weighProbes(graded(...all))
      const kept = weighed.filter(({ discrimination }) => discrimination !== 'low')
      const dropped = weighed.filter(({ discrimination }) => discrimination === 'low')
      const least = Math.min(...kept.map(({ variance }) => variance))
      expect(kept.length + dropped.length).toBe(all.length)
      expect(dropped.every(({ variance }) => variance <= least)).toBe(true)
      expect(kept.length > 0).toBe(weighed.some(({ variance }) => variance > 0))
    }),
  )
})
