import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rank } from '../../src/domain/ranking.ts'
import { vectorRows } from '../../src/retrieval/exact-nearest.ts'

/** Small whole numbers, so that sums are exact in any order and ties are common. */
const vector = (dimensions: number) =>
  fc
    .array(fc.integer({ min: -2, max: 2 }), { minLength: dimensions, maxLength: dimensions })
    .map((numbers) => Float32Array.from(numbers))

const world = fc.integer({ min: 1, max: 9 }).chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    vectors: fc.array(fc.option(vector(dimensions), { nil: undefined }), { maxLength: 60 }),
    query: vector(dimensions),
    depth: fc.integer({ min: 1, max: 12 }),
    left: fc.option(fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), { nil: null }),
  }),
)

test('finds what sorting all dot products finds, ties and left-out documents too', () => {
  fc.assert(
    fc.property(world, ({ dimensions, vectors, query, depth, left }) => {
      const admitted = left && Uint8Array.from(left, Number)
      const all = vectors.flatMap((own, document) => {
        if (own === undefined || (admitted !== null && admitted[document] === 0)) return []
        const score = own.reduce((sum, value, at) => sum + value * query[at]!, 0)
        return [{ id: String(document).padStart(2, '0'), score }]
      })
      const found = vectorRows(vectors, dimensions).nearest(query, depth, admitted)
      expect(found.map(({ document, score }) => [document, score])).toEqual(
        rank(all)
          .slice(0, depth)
          .map(({ id, score }) => [Number(id), score]),
      )
    }),
  )
})
