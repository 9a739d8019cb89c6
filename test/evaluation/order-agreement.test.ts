import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meanPlaces } from '../../src/domain/statistics.ts'
import { agreementOver, orderAgreement, randomAgreement } from '../../src/evaluation/order-agreement.ts'

test.each([
  { why: 'the same order', places: [1, 2, 3, 4, 5], top1: 1, rho: 1, tau: 1, ndcg: [1, 1, 1] },
  // Gains 0, 1, 3, 7, 15 against 15, 7, 3, 1, 0; discounts 1, 0.6309, 0.5, 0.4307, 0.3869.
  { why: 'the reverse', places: [5, 4, 3, 2, 1], top1: 0, rho: -1, tau: -1, ndcg: [0, 0.1019, 0.5129] },
  {
    why: 'the first two swapped',
    places: [2, 1, 3, 4, 5],
    top1: 0,
    rho: 0.9,
    tau: 0.8,
    ndcg: [0.4667, 0.8588, 0.8617],
  },
])('agreement of $why', ({ places, top1, rho, tau, ndcg }) => {
  const found = orderAgreement(places)
  expect(found.top1).toBe(top1)
  expect(found.spearman).toBeCloseTo(rho, 6)
  expect(found.kendall).toBeCloseTo(tau, 6)
  expect(found['ndcg@1']).toBeCloseTo(ndcg[0]!, 3)
  expect(found['ndcg@3']).toBeCloseTo(ndcg[1]!, 3)
  expect(found['ndcg@5']).toBeCloseTo(ndcg[2]!, 3)
})

test('a random order agrees by chance: a fifth of the firsts, and no correlation', () => {
  const found = randomAgreement([1, 2, 3, 4, 5])
  expect(found.top1).toBeCloseTo(0.2)
  expect(found.spearman).toBeCloseTo(0)
  expect(found.kendall).toBeCloseTo(0)
  expect(found['ndcg@1']).toBeCloseTo((15 + 7 + 3 + 1 + 0) / 5 / 15)
})

test('fewer than five, and ties, are compared as they are', () => {
  expect(orderAgreement([1, 2]).top1).toBe(1)
  expect(orderAgreement([1.5, 1.5, 3]).top1).toBe(1)
  expect(orderAgreement([3, 1.5, 1.5]).kendall).toBeLessThan(0)
  const { ranked, random } = agreementOver([
    [1, 2, 3],
    [3, 2, 1],
  ])
  expect(ranked.spearman).toMatchObject({ mean: 0, queries: 2 })
  expect(ranked.spearman.low).toBeLessThan(ranked.spearman.high)
  expect(random.top1).toBeCloseTo(1 / 3)
})

test('places of values add up to those of their number, equal values share them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 8 }), (values) => {
      const places = meanPlaces(values, (a, b) => a - b)
      const count = values.length
      expect(places.reduce((sum, place) => sum + place, 0)).toBeCloseTo((count * (count + 1)) / 2)
      for (const [at, value] of values.entries())
        for (const [other, than] of values.entries())
          if (value < than) expect(places[at]).toBeLessThan(places[other]!)
    }),
  )
})
