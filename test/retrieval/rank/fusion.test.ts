import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  minMax,
  reciprocalRankFusion,
  type ScoreList,
  weightedSum,
} from '../../../src/retrieval/rank/fusion.ts'

const listOf = (scores: { readonly [document: number]: number }): ScoreList =>
  new Map(Object.entries(scores).map(([document, score]) => [Number(document), score]))

const scoreLists = (min: number, max: number): fc.Arbitrary<ScoreList> =>
  fc
    .uniqueArray(fc.tuple(fc.nat(30), fc.double({ min, max, noNaN: true })), {
      selector: ([document]) => document,
      maxLength: 20,
    })
    .map((entries) => new Map(entries))

const closeTo = (found: ScoreList, expected: ScoreList): void => {
  expect([...found.keys()].sort((a, b) => a - b)).toEqual([...expected.keys()].sort((a, b) => a - b))
  for (const [document, score] of expected) expect(found.get(document)).toBeCloseTo(score, 10)
}

const reversed = (scores: ScoreList): ScoreList => new Map([...scores].reverse())

describe('minMax', () => {
  test.each([
    { why: 'the lowest is 0, the highest 1', scores: { 1: 2, 2: 6, 3: 4 }, expected: { 1: 0, 2: 1, 3: 0.5 } },
    {
      why: 'a floor is the lowest, seen or not',
      scores: { 1: 2, 2: 4 },
      floor: 0,
      expected: { 1: 0.5, 2: 1 },
    },
    {
      why: 'scores below the floor stay in bounds',
      scores: { 1: -1, 2: 1 },
      floor: 0,
      expected: { 1: 0, 2: 1 },
    },
    { why: 'one alone is the best there is', scores: { 7: 0.2 }, expected: { 7: 1 } },
    { why: 'equal ones are all the best', scores: { 1: 3, 2: 3 }, expected: { 1: 1, 2: 1 } },
    { why: 'nothing stays nothing', scores: {}, expected: {} },
  ])('$why', ({ scores, floor, expected }) => {
    closeTo(minMax(listOf(scores), floor), listOf(expected))
  })

  test('keeps documents and their order within 0..1, and reaches 1', () => {
    const floors = fc.option(fc.constant(0), { nil: undefined })
    fc.assert(
      fc.property(scoreLists(-5, 50), floors, (scores, floor) => {
        const scaled = minMax(scores, floor)
        expect([...scaled.keys()]).toEqual([...scores.keys()])
        for (const score of scaled.values()) expect(score >= 0 && score <= 1).toBe(true)
        if (scores.size > 0 && floor === undefined) expect(Math.max(...scaled.values())).toBe(1)
        for (const [a, scoreOfA] of scores) {
          for (const [b, scoreOfB] of scores)
            if (scoreOfA >= scoreOfB) expect(scaled.get(a)!).toBeGreaterThanOrEqual(scaled.get(b)!)
        }
      }),
    )
  })

  test('does not care in which order scores come', () => {
    fc.assert(
      fc.property(scoreLists(-5, 50), (scores) => {
        closeTo(minMax(reversed(scores)), minMax(scores))
      }),
    )
  })
})

describe('weightedSum', () => {
  test.each([
    {
      why: 'weights are shares',
      lists: [
        { scores: { 1: 1, 2: 0.5 }, weight: 3 },
        { scores: { 2: 1 }, weight: 1 },
      ],
      expected: { 1: 0.75, 2: 0.625 },
    },
    { why: 'one list stays as it is', lists: [{ scores: { 1: 0.4 }, weight: 0.1 }], expected: { 1: 0.4 } },
    { why: 'no lists give nothing', lists: [], expected: {} },
  ])('$why', ({ lists, expected }) => {
    closeTo(
      weightedSum(lists.map(({ scores, weight }) => ({ scores: listOf(scores), weight }))),
      listOf(expected),
    )
  })

  const weighted = fc.array(
    fc.record({ scores: scoreLists(0, 1), weight: fc.double({ min: 0.01, max: 9, noNaN: true }) }),
    { minLength: 1, maxLength: 4 },
  )

  test('holds every document once, between 0 and its best score', () => {
    fc.assert(
      fc.property(weighted, (lists) => {
        const fused = weightedSum(lists)
        expect(new Set(fused.keys())).toEqual(new Set(lists.flatMap(({ scores }) => [...scores.keys()])))
        for (const [document, score] of fused) {
          const best = Math.max(...lists.map(({ scores }) => scores.get(document) ?? 0))
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(best + 1e-12)
        }
      }),
    )
  })

  test('does not care in which order lists and scores come, nor how large all weights are', () => {
    fc.assert(
      fc.property(weighted, (lists) => {
        const fused = weightedSum(lists)
        const turned = lists.map(({ scores, weight }) => ({ scores: reversed(scores), weight: weight * 7 }))
        closeTo(weightedSum(turned.reverse()), fused)
      }),
    )
  })
})

describe('reciprocalRankFusion', () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(20), { maxLength: 12 }), { maxLength: 4 })

  test.each([
    { why: 'rank counts from 1', ranks: [[5]], expected: { 5: 1 / 61 } },
    {
      why: 'ranks of all lists add',
      ranks: [[5, 6], [6]],
      expected: { 5: 1 / 61, 6: 1 / 62 + 1 / 61 },
    },
    { why: 'the usual constant is 60', ranks: [[1, 2]], expected: { 1: 1 / 61, 2: 1 / 62 } },
    { why: 'no lists give nothing', ranks: [], expected: {} },
  ])('$why', ({ ranks, expected }) => {
    closeTo(reciprocalRankFusion(ranks), listOf(expected))
  })

  test('does not care in which order the lists come', () => {
    fc.assert(
      fc.property(lists, (ranks) => {
        closeTo(reciprocalRankFusion([...ranks].reverse()), reciprocalRankFusion(ranks))
      }),
    )
  })

  test('holds every document once, above 0 and at most as if it were first everywhere', () => {
    fc.assert(
      fc.property(lists, (ranks) => {
        const fused = reciprocalRankFusion(ranks)
        expect(new Set(fused.keys())).toEqual(new Set(ranks.flat()))
        for (const score of fused.values()) {
          expect(score).toBeGreaterThan(0)
          expect(score).toBeLessThanOrEqual(ranks.length / 61 + 1e-12)
        }
      }),
    )
  })

  test('who is ahead in every list is ahead', () => {
    fc.assert(
      fc.property(lists, (ranks) => {
        const fused = reciprocalRankFusion(ranks)
        const isAhead = (a: number, b: number): boolean =>
          ranks.every((list) => list.includes(a) && (!list.includes(b) || list.indexOf(a) < list.indexOf(b)))
        for (const a of fused.keys())
          for (const b of fused.keys())
            if (a !== b && isAhead(a, b)) expect(fused.get(a)!).toBeGreaterThan(fused.get(b)!)
      }),
    )
  })
})
