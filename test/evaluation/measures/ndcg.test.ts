import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'

type Numbers = { readonly [id: string]: number }
const rankingOf = (scores: Numbers) => rank(Object.entries(scores).map(([id, score]) => ({ id, score })))
const gradesOf = (grades: Numbers) => new Map(Object.entries(grades))

/** The discount of the candidate at a rank, counted from 1. */
const discount = (place: number): number => 1 / Math.log2(place + 1)

describe('ndcgAt', () => {
  test.each([
    {
      why: 'the only relevant candidate is first',
      scores: { b: 2, a: 1 },
      grades: { b: 1 },
      k: 10,
      expected: 1,
    },
    { why: 'it is second', scores: { b: 1, a: 2 }, grades: { b: 1 }, k: 10, expected: discount(2) },
    {
      why: 'it stands at the cutoff',
      scores: { c: 1, b: 2, a: 3 },
      grades: { c: 1 },
      k: 3,
      expected: discount(3),
    },
    { why: 'it stands behind the cutoff', scores: { c: 1, b: 2, a: 3 }, grades: { c: 1 }, k: 2, expected: 0 },
    { why: 'it was not retrieved', scores: { a: 1 }, grades: { b: 1 }, k: 10, expected: 0 },
    {
      why: 'a tie puts the higher id first',
      scores: { b: 1, c: 1 },
      grades: { b: 1 },
      k: 10,
      expected: discount(2),
    },
    { why: 'a tie favours the higher id', scores: { b: 1, c: 1 }, grades: { c: 1 }, k: 10, expected: 1 },
    {
      why: 'ids tie by code units: lower case after upper',
      scores: { a: 1, B: 1 },
      grades: { a: 1 },
      k: 1,
      expected: 1,
    },
    {
      why: 'grades are gains: the better one is second',
      scores: { a: 2, b: 1 },
      grades: { a: 1, b: 3 },
      k: 10,
      expected: (1 + 3 * discount(2)) / (3 + discount(2)),
    },
    {
      why: 'half of the gains, in the wrong place',
      scores: { x: 3, a: 2 },
      grades: { a: 2, b: 2 },
      k: 10,
      expected: (2 * discount(2)) / (2 + 2 * discount(2)),
    },
    {
      why: 'the ideal ends at the cutoff, too',
      scores: { a: 2, b: 1 },
      grades: { a: 1, b: 1, c: 1, d: 1 },
      k: 2,
      expected: 1,
    },
    {
      why: 'more are relevant than were retrieved',
      scores: { a: 1 },
      grades: { a: 1, b: 1, c: 1 },
      k: 3,
      expected: 1 / (1 + discount(2) + discount(3)),
    },
    {
      why: 'an unjudged candidate gains nothing and takes its place',
      scores: { x: 2, a: 1 },
      grades: { a: 1 },
      k: 10,
      expected: discount(2),
    },
    {
      why: 'so does one judged 0',
      scores: { x: 2, a: 1 },
      grades: { a: 1, x: 0 },
      k: 10,
      expected: discount(2),
    },
    {
      why: 'and one judged below 0',
      scores: { x: 2, a: 1 },
      grades: { a: 1, x: -2 },
      k: 10,
      expected: discount(2),
    },
    { why: 'nothing is relevant', scores: { a: 1 }, grades: { a: 0 }, k: 10, expected: 0 },
    { why: 'nothing is judged', scores: { a: 1 }, grades: {}, k: 10, expected: 0 },
    { why: 'nothing was retrieved', scores: {}, grades: { a: 1 }, k: 10, expected: 0 },
    {
      why: 'scores may be negative',
      scores: { a: -1, b: -2 },
      grades: { b: 1 },
      k: 10,
      expected: discount(2),
    },
  ] as const)('nDCG@$k is $expected when $why', ({ scores, grades, k, expected }) => {
    expect(ndcgAt(rankingOf(scores), gradesOf(grades), k)).toBeCloseTo(expected, 12)
  })

  const ids = [...'abcdefghij']
  const entries = (value: fc.Arbitrary<number>) =>
    fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), value), { selector: ([id]) => id })
  const scored = entries(fc.constantFrom(0, 0.5, 1, 2))
  const judged = entries(fc.integer({ min: -1, max: 4 })).map((list) => new Map(list))
  const k = fc.integer({ min: 1, max: 12 })
  const candidatesOf = (list: readonly (readonly [string, number])[]) =>
    list.map(([id, score]) => ({ id, score }))

  test('is what its definition says, summed rank by rank', () => {
    fc.assert(
      fc.property(scored, judged, k, (list, grades, cutoff) => {
        const ranking = rank(candidatesOf(list))
        const gain = (id: string) => Math.max(0, grades.get(id) ?? 0)
        const sum = (gains: readonly number[]) =>
          gains.slice(0, cutoff).reduce((total, value, place) => total + value * discount(place + 1), 0)
        const ideal = sum([...grades.keys()].map(gain).sort((a, b) => b - a))
        const expected = ideal === 0 ? 0 : sum(ranking.map(({ id }) => gain(id))) / ideal
        expect(ndcgAt(ranking, grades, cutoff)).toBeCloseTo(expected, 12)
      }),
    )
  })

  test('lies within 0..1 and ignores the order in which candidates and judgements arrive', () => {
    fc.assert(
      fc.property(scored, judged, k, (list, grades, cutoff) => {
        const value = ndcgAt(rank(candidatesOf(list)), grades, cutoff)
        const turned = rank(candidatesOf([...list].reverse()))
        expect(value >= 0 && value <= 1 + 1e-12).toBe(true)
        expect(ndcgAt(turned, new Map([...grades].reverse()), cutoff)).toBe(value)
      }),
    )
  })

  test('is 1 for the judged candidates in the order of their grades', () => {
    fc.assert(
      fc.property(judged, k, (grades, cutoff) => {
        const isAnyRelevant = [...grades.values()].some((grade) => grade > 0)
        expect(ndcgAt(rank(candidatesOf([...grades])), grades, cutoff)).toBeCloseTo(isAnyRelevant ? 1 : 0, 12)
      }),
    )
  })

  test('never falls when a better candidate changes places with a worse one above it', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(ids, { minLength: 2 }),
        judged,
        k,
        fc.nat(),
        (order, grades, cutoff, at) => {
          const place = at % (order.length - 1)
          const [above, below] = [order[place]!, order[place + 1]!]
          fc.pre((grades.get(below) ?? 0) >= (grades.get(above) ?? 0))
          const swapped = order.with(place, below).with(place + 1, above)
          const worth = (list: readonly string[]) =>
            ndcgAt(rank(list.map((id, index) => ({ id, score: -index }))), grades, cutoff)
          expect(worth(swapped)).toBeGreaterThanOrEqual(worth(order) - 1e-12)
        },
      ),
    )
  })

  test('a scorer that says the same of everything is no better than its ids', () => {
    const ranking = rank(ids.map((id) => ({ id, score: 1 })))
    expect(ndcgAt(ranking, new Map([['a', 1]]), 10)).toBeCloseTo(discount(10), 12)
  })
})
