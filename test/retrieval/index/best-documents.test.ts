import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestDocuments } from '../../../src/retrieval/index/best-documents.ts'

/** Scores with many ties, of one sign and of both, near each other and far apart. */
const scoresOf = fc.oneof(
  fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 400 }),
  fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 400 }),
  fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { maxLength: 3000 }),
  // So many that a sample is asked first: alike but for a few, in runs, or each another.
  fc
    .record({
      count: fc.integer({ min: 2600, max: 12_000 }),
      distinct: fc.constantFrom(1, 2, 300, 65_536),
      run: fc.constantFrom(1, 17, 5000),
      seed: fc.nat(),
    })
    .map(({ count, distinct, run, seed }) =>
      Array.from({ length: count }, (_, at) => {
        const mixed = Math.imul(Math.floor(at / run) + seed, 2654435761) >>> 0
        return (mixed >>> 8) % distinct
      }),
    ),
)

describe('the best documents', () => {
  test('are those that a sort of all would put first', () => {
    fc.assert(
      fc.property(scoresOf, fc.integer({ min: 1, max: 150 }), fc.nat(), (list, depth, seed) => {
        const scores = Float32Array.from(list)
        // Some of them, in no order.
        const among = Uint32Array.from(list.keys())
          .filter((document) => (document * 7 + seed) % 5 !== 0)
          .sort((a, b) => ((a * 31 + seed) % 97) - ((b * 31 + seed) % 97))
        const before = [...among]
        const { documents, scores: found } = bestDocuments(scores, among, depth)
        const expected = [...before].sort((a, b) => scores[b]! - scores[a]! || b - a).slice(0, depth)
        expect([...documents]).toEqual(expected)
        expect([...found]).toEqual(expected.map((document) => scores[document]))
        expect([...among]).toEqual(before)
      }),
    )
  })

  test.each([
    { what: 'all scores are equal', scores: [2, 2, 2, 2], best: [3, 2] },
    { what: 'one stands far above', scores: [1, 1e30, 1.5, 1.25], best: [1, 2] },
    { what: 'they differ by less than can be divided', scores: [0, 1e-45, 0, 3e-45], best: [3, 1] },
    { what: 'they lie as far apart as they can', scores: [-3.4e38, 3.4e38, 0, 1], best: [1, 3] },
  ])('are found when $what', ({ scores, best }) => {
    const all = Uint32Array.from(scores.keys())
    expect([...bestDocuments(Float32Array.from(scores), all, 2).documents]).toEqual(best)
  })

  test('are found when the documents that are asked first are far better than the others', () => {
    // Of 10,240 every tenth is asked first: the 45th of them sets a bar that no other document reaches.
    const scores = Float32Array.from({ length: 10_240 }, (_, document) =>
      document % 10 === 0 && document < 450 ? 10 : document / 10_240,
    )
    const { documents } = bestDocuments(scores, Uint32Array.from(scores.keys()), 150)
    expect([...documents.subarray(0, 2), ...documents.subarray(44, 47)]).toEqual([
      440, 430, 0, 10_239, 10_238,
    ])
    expect(documents).toHaveLength(150)
  })
})
