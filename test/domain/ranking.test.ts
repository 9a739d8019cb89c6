import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, rank } from '../../src/domain/ranking.ts'

/** -0 and 0 are one score to a ranking, and two to the comparison of tests. */
const score = fc
  .oneof(fc.constantFrom(0, 1, 2, -1, Number.NaN, Number.POSITIVE_INFINITY), fc.double())
  .map((value) => (value === 0 ? 0 : value))
const candidates = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'B', 'ä', '😀', '\uffee'), score }))

describe('rank', () => {
  test.each([
    { why: 'the higher score first', given: { a: 1, b: 2 }, order: ['b', 'a'] },
    { why: 'ties by id, descending', given: { a: 1, c: 1, b: 1 }, order: ['c', 'b', 'a'] },
    { why: 'ids by code units, not by language', given: { ä: 1, z: 1, Z: 1 }, order: ['ä', 'z', 'Z'] },
    { why: 'code units, not code points', given: { '😀': 1, '\uffee': 1 }, order: ['\uffee', '😀'] },
    { why: 'what is not a number is the lowest', given: { z: Number.NaN, a: -5 }, order: ['a', 'z'] },
  ])('orders $order: $why', ({ given, order }) => {
    const ranking = rank(Object.entries(given).map(([id, value]) => ({ id, score: value })))
    expect(ranking.map(({ id }) => id)).toEqual(order)
  })

  test('an id that comes twice keeps its best score', () => {
    const twice: Candidate[] = [
      { id: 'a', score: 1 },
      { id: 'b', score: 2 },
      { id: 'a', score: 3 },
    ]
    expect([...rank(twice)]).toEqual([
      { id: 'a', score: 3 },
      { id: 'b', score: 2 },
    ])
  })

  test('gives every id once, best first, in whatever order they come, and leaves its input alone', () => {
    fc.assert(
      fc.property(candidates, (given) => {
        const before = structuredClone(given)
        const ranking = rank(given)
        expect(given).toEqual(before)
        expect(new Set(ranking.map(({ id }) => id))).toEqual(new Set(given.map(({ id }) => id)))
        expect(new Set(ranking.map(({ id }) => id)).size).toBe(ranking.length)
        for (let place = 1; place < ranking.length; place++) {
          const [above, below] = [ranking[place - 1]!, ranking[place]!]
          expect(above.score > below.score || (above.score === below.score && above.id > below.id)).toBe(true)
        }
        expect(rank([...given].reverse())).toEqual(ranking)
        expect(rank(ranking)).toEqual(ranking)
      }),
    )
  })
})
