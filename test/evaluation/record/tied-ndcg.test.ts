import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import { ndcgAt } from '../../../src/evaluation/measures/ndcg.ts'
import { tiedNdcg } from '../../../src/evaluation/record/record-measures.ts'

const placed = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([score, gain]) => ({ score, gain }))

describe('tiedNdcg', () => {
  test.each([
    { why: 'the relevant one is first', candidates: placed([2, 1], [1, 0]), k: 5, expected: 1 },
    {
      why: 'two are tied, and one of them is relevant',
      candidates: placed([1, 1], [1, 0]),
      k: 1,
      expected: 0.5,
    },
    { why: 'nothing is relevant', candidates: placed([2, 0], [1, 0]), k: 5, expected: 0 },
    { why: 'there are no candidates', candidates: placed(), k: 5, expected: 0 },
    {
      why: 'the last bits of equal scores differ',
      candidates: placed([0.1 + 0.2, 0], [0.3, 1]),
      k: 1,
      expected: 0.5,
    },
  ])('is $expected when $why', ({ candidates, k, expected }) => {
    expect(tiedNdcg(candidates, k)).toBeCloseTo(expected, 10)
  })

  const some = fc.array(
    fc.record({ score: fc.integer({ min: 0, max: 2 }), gain: fc.integer({ min: 0, max: 3 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )

  test('is the mean of nDCG over all orders of the tied', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 6 }), (candidates, k) => {
        const values = permutations(candidates.map((_, at) => at)).map((order) => {
          // The place in the order decides between equal scores.
          const ranked = rank(
            order.map((at, place) => ({ id: `${at}`, score: candidates[at]!.score - place / 100 })),
          )
          return ndcgAt(ranked, new Map(candidates.map(({ gain }, at) => [`${at}`, gain])), k)
        })
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(tiedNdcg(candidates, k)).toBeCloseTo(mean, 9)
      }),
      { numRuns: 60 },
    )
  })

  test('does not depend on the order in which candidates come', () => {
    fc.assert(
      fc.property(some, (candidates) => {
        expect(tiedNdcg([...candidates].reverse(), 3)).toBeCloseTo(tiedNdcg(candidates, 3), 12)
      }),
    )
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
  )
}
