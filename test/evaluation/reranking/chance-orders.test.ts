import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureNamed } from '../../../src/evaluation/measures/measures.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'
import { tiedNdcg } from '../../../src/evaluation/record/record-measures.ts'
import {
  meansOverTies,
  platformOrder,
  type PooledQuery,
  randomOrder,
} from '../../../src/evaluation/reranking/chance-orders.ts'
import { inThisOrder } from '../rankings.ts'
import { judged } from '../small-dataset.ts'

const second = 1 / Math.log2(3)
const pooled = (id: string, grades: { readonly [id: string]: number }): PooledQuery => ({
  ...judged(id, id, grades),
  pool: Object.keys(grades),
})
const randomNdcg = (query: PooledQuery, k: number): number | undefined =>
  meansOverTies(query, randomOrder(query), [measureNamed(`ndcg@${k}`)])[`ndcg@${k}`]

describe('the nDCG of a random order', () => {
  test.each([
    { why: 'one of two serves, the first place', grades: { a: 1, b: 0 }, k: 1, expected: 1 / 2 },
    { why: 'one of two serves, both places', grades: { a: 1, b: 0 }, k: 2, expected: (1 + second) / 2 },
    { why: 'every order is the best', grades: { a: 2, b: 2 }, k: 5, expected: 1 },
    { why: 'grades count', grades: { a: 3, b: 1 }, k: 1, expected: 2 / 3 },
  ])('is $expected when $why', ({ grades, k, expected }) => {
    expect(randomNdcg(pooled('q', grades), k)).toBeCloseTo(expected, 12)
  })

  test('is not taken of a query that nothing serves', () => {
    expect(randomNdcg(pooled('q', { a: 0, b: 0 }), 5)).toBeUndefined()
  })

  test('is the mean over all orders', () => {
    const orders = (ids: readonly string[]): string[][] =>
      ids.length === 0
        ? [[]]
        : ids.flatMap((id) => orders(ids.filter((other) => other !== id)).map((rest) => [id, ...rest]))
    const pools = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 6 }), (values, k) => {
        fc.pre(values.some((value) => value > 0))
        const query = pooled('q', Object.fromEntries(values.map((value, at) => [`agent-${at}`, value])))
        const all = orders(query.pool).map((order) => ndcgAt(inThisOrder(...order), query.grades, k))
        const mean = all.reduce((sum, value) => sum + value, 0) / all.length
        expect(randomNdcg(query, k)).toBeCloseTo(mean, 10)
      }),
    )
  })
})

test('ties among twenty are averaged over exactly, whatever their sizes', () => {
  const candidate = fc.record({ score: fc.integer({ min: 0, max: 5 }), gain: fc.integer({ min: 0, max: 3 }) })
  fc.assert(
    fc.property(fc.array(candidate, { minLength: 1, maxLength: 20 }), (candidates) => {
      fc.pre(candidates.some(({ gain }) => gain > 0))
      const query = pooled('q', Object.fromEntries(candidates.map(({ gain }, at) => [`c${at}`, gain])))
      const scoreOf = (id: string) => candidates[Number(id.slice(1))]!.score
      const means = meansOverTies(query, scoreOf, [measureNamed('ndcg@5')])
      expect(means['ndcg@5']).toBeCloseTo(tiedNdcg(candidates, 5), 9)
    }),
    { numRuns: 40 },
  )
})

test('platforms stand by how often theirs served the other queries', () => {
  const platformOf = (id: string): string => id[0]!
  const queries = [
    pooled('one', { a1: 1, b1: 0 }),
    pooled('two', { a2: 0, b2: 1 }),
    pooled('three', { a3: 0, b3: 1 }),
  ]
  const scoresOf = platformOrder(queries, platformOf)
  // Without its own labels: b served both others, a none.
  expect([scoresOf(queries[0]!)('a1'), scoresOf(queries[0]!)('b1')]).toEqual([0, 1])
  // And here each served one of two.
  expect([scoresOf(queries[1]!)('a2'), scoresOf(queries[1]!)('b2')]).toEqual([0.5, 0.5])
})
