import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ageWeight,
  expectedSuccess,
  nearness,
  noVerdicts,
  successEstimate,
  type Tally,
} from '../../../src/retrieval/record/success-estimate.ts'

const tally: fc.Arbitrary<Tally> = fc
  .record({
    weight: fc.double({ min: 0, max: 50, noNaN: true }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ weight, share }) => ({ weight, successes: weight * share }))
const expectation = fc.double({ min: 0.01, max: 0.99, noNaN: true })
const estimate = (own: Tally, near: Tally, expected: number) => successEstimate({ own, near }, expected)

describe('the estimate of success', () => {
  test.each([
    { why: 'nothing is known', own: noVerdicts, near: noVerdicts, expected: 0.5, value: 0.5 },
    {
      why: 'one lucky run must not win: a third of the way, and no more without a near task',
      own: { weight: 1, successes: 1 },
      near: noVerdicts,
      expected: 0.5,
      value: 2 / 3,
    },
    {
      why: 'the same run on the very task of the query counts more',
      own: { weight: 1, successes: 1 },
      near: { weight: 1, successes: 1 },
      expected: 0.5,
      value: 7 / 9,
    },
    {
      why: 'it fails elsewhere, and works on tasks like this one',
      own: { weight: 20, successes: 10 },
      near: { weight: 10, successes: 10 },
      expected: 0.5,
      value: 11 / 12,
    },
  ])('is $value when $why', ({ own, near, expected, value }) => {
    expect(estimate(own, near, expected)).toBeCloseTo(value, 10)
  })

  test('is a probability, and between what is expected and what the verdicts say', () => {
    fc.assert(
      fc.property(tally, expectation, (own, expected) => {
        const value = estimate(own, noVerdicts, expected)
        const rate = own.weight === 0 ? expected : own.successes / own.weight
        expect(value).toBeGreaterThanOrEqual(Math.min(rate, expected) - 1e-9)
        expect(value).toBeLessThanOrEqual(Math.max(rate, expected) + 1e-9)
      }),
    )
  })

  test('rises with every success and falls with every failure, near or not', () => {
    const more = ({ weight, successes }: Tally, success: 0 | 1): Tally => ({
      weight: weight + 1,
      successes: successes + success,
    })
    fc.assert(
      fc.property(tally, tally, expectation, (own, near, expected) => {
        const value = estimate(own, near, expected)
        expect(estimate(more(own, 1), more(near, 1), expected)).toBeGreaterThan(value)
        expect(estimate(more(own, 0), more(near, 0), expected)).toBeLessThan(value)
      }),
    )
  })

  test('starts from the whole record, and moves to similar cards and to the source as their verdicts come in', () => {
    const all = { weight: 100, successes: 20 }
    const of = (source: number, similar: number) =>
      expectedSuccess({
        source: { weight: source, successes: source },
        similar: { weight: similar, successes: similar / 2 },
        all,
      })
    expect(of(0, 0)).toBeCloseTo(21 / 102, 10)
    expect(of(0, 1)).toBeLessThan(of(0, 10))
    expect(of(0, 1000)).toBeCloseTo(0.5, 2)
    expect(of(1, 1000)).toBeLessThan(of(10, 1000))
    expect(of(1000, 1000)).toBeGreaterThan(0.99)
  })
})

test('a verdict halves in weight with every half-life, and one of today weighs all', () => {
  expect([ageWeight(0, 180), ageWeight(180, 180), ageWeight(360, 180)]).toEqual([1, 0.5, 0.25])
  expect(ageWeight(-3, 180)).toBe(1)
})

test.each([
  [1, 1],
  [0.5, 0.25],
  [0, 0],
  [-0.7, 0],
])('a task with cosine %d is near by %d', (cosine, value) => {
  expect(nearness(cosine)).toBe(value)
})
