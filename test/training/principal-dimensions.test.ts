import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepPrincipal } from '../../embeddings/trainer/src/principal-dimensions.ts'
import { mulberry32 } from '../../src/domain/random.ts'
import type { LearnedWeights } from '../../src/vectors/embedding/static-embedding.ts'

const dimensions = 12
const tokens = 30

/** Rows of so many random values, each in the span of a few of the axes of a basis that none of them lies along. */
function rowsIn(rank: number, count: number, seed: number): Float32Array {
  const random = mulberry32(seed)
  const basis = Array.from({ length: rank }, () => Array.from({ length: dimensions }, () => random() - 0.5))
  return Float32Array.from(
    Array.from({ length: count }, () => {
      const shares = basis.map(() => random() - 0.5)
      return Array.from({ length: dimensions }, (_, at) =>
        basis.reduce((sum, axis, place) => sum + shares[place]! * axis[at]!, 0),
      )
    }).flat(),
  )
}

/** Only what is turned matters here. */
const learned = (table: Float32Array): LearnedWeights => ({ dimensions, table }) as LearnedWeights

const dots = ({ dimensions: width, table }: LearnedWeights): number[] => {
  const count = table.length / width
  return Array.from({ length: count * count }, (_, cell) => {
    const [one, other] = [Math.floor(cell / count) * width, (cell % count) * width]
    return table.subarray(one, one + width).reduce((sum, value, at) => sum + value * table[other + at]!, 0)
  })
}

const spreadOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value ** 2, 0)

test('tokens that vary in a few directions keep their dot products in as many dimensions', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.nat({ max: 1e6 }), (rank, seed) => {
      const table = rowsIn(rank, tokens, seed)
      const before = learned(table)
      const after = keepPrincipal(before, () => table, 8)
      expect(after.dimensions).toBe(8)
      const lost = dots(before).map((value, cell) => value - dots(after)[cell]!)
      expect(spreadOf(lost)).toBeLessThan(1e-4 * spreadOf(dots(before)))
    }),
    { numRuns: 20 },
  )
})

test('what is lost is no more than with any dimensions that were there', () => {
  const table = rowsIn(dimensions, tokens, 7)
  const before = learned(table)
  const kept = 4
  const lossOf = (after: LearnedWeights): number =>
    spreadOf(dots(before).map((value, cell) => value - dots(after)[cell]!))
  const principal = lossOf(keepPrincipal(before, () => table, kept))
  for (let first = 0; first + kept <= dimensions; first += 1) {
    const some = table.filter((_, at) => at % dimensions >= first && at % dimensions < first + kept)
    expect(principal).toBeLessThan(lossOf({ ...before, dimensions: kept, table: some }))
  }
})

test('cards of no length, and as many dimensions as there were, lose nothing', () => {
  const before = learned(rowsIn(3, tokens, 1))
  expect(keepPrincipal(before, () => before.table, dimensions)).toBe(before)
  const { table } = keepPrincipal(before, () => new Float32Array(dimensions), 8)
  expect(table.every(Number.isFinite)).toBe(true)
})
