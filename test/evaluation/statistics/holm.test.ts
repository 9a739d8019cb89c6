import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm } from '../../../src/evaluation/statistics/randomisation-test.ts'

test.each([
  { p: [0.01, 0.04, 0.03, 0.005], expected: [0.03, 0.06, 0.06, 0.02], why: '4 x, 3 x, 2 x, then no lower' },
  { p: [0.5, 0.6], expected: [1, 1], why: 'none above 1' },
  { p: [0.02], expected: [0.02], why: 'one test needs no correction' },
  { p: [], expected: [], why: 'no test' },
  { p: [0.02, 0.02], expected: [0.04, 0.04], why: 'equal ones stay equal' },
])('$p become $expected: $why', ({ p, expected }) => {
  expect(holm(p).map((value) => Number(value.toFixed(12)))).toEqual(expected)
})

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })

test('no p-value falls, none exceeds Bonferroni, and their order stays', () => {
  fc.assert(
    fc.property(pValues, (p) => {
      const adjusted = holm(p)
      for (const [a, before] of p.entries()) {
        expect(adjusted[a]!).toBeGreaterThanOrEqual(before)
        expect(adjusted[a]!).toBeLessThanOrEqual(Math.min(1, before * p.length) + 1e-12)
        for (const [b, other] of p.entries())
          if (before < other) expect(adjusted[a]!).toBeLessThanOrEqual(adjusted[b]!)
      }
    }),
  )
})
