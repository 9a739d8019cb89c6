import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomOrderNdcg } from '../../../evals/benchmarks/src/agentsearchbench/agentsearch-notes.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'
import { gradesOf, inThisOrder } from '../rankings.ts'

const second = 1 / Math.log2(3)

describe('the nDCG of a random order', () => {
  test.each([
    { why: 'one of two serves, the first place', grades: { a: 1, b: 0 }, k: 1, expected: 1 / 2 },
    { why: 'one of two serves, both places', grades: { a: 1, b: 0 }, k: 2, expected: (1 + second) / 2 },
    { why: 'every order is the best', grades: { a: 2, b: 2 }, k: 5, expected: 1 },
    { why: 'grades count', grades: { a: 3, b: 1 }, k: 1, expected: 2 / 3 },
    { why: 'nothing serves', grades: { a: 0, b: 0 }, k: 5, expected: 0 },
  ])('is $expected when $why', ({ grades, k, expected }) => {
    expect(randomOrderNdcg({ pool: Object.keys(grades), grades: gradesOf(grades) }, k)).toBeCloseTo(
      expected,
      12,
    )
  })

  test('is the mean over all orders', () => {
    const orders = (ids: readonly string[]): string[][] =>
      ids.length === 0
        ? [[]]
        : ids.flatMap((id) => orders(ids.filter((other) => other !== id)).map((rest) => [id, ...rest]))
    const pools = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 6 }), (values, k) => {
        const pool = values.map((_, at) => `agent-${at}`)
        const grades = new Map(pool.map((id, at) => [id, values[at]!]))
        const all = orders(pool).map((order) => ndcgAt(inThisOrder(...order), grades, k))
        const mean = all.reduce((sum, value) => sum + value, 0) / all.length
        expect(randomOrderNdcg({ pool, grades }, k)).toBeCloseTo(mean, 10)
      }),
    )
  })
})
