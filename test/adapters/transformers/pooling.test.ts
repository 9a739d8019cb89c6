import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseRows, poolTokens } from '../../../src/adapters/transformers/embedding-head.ts'

// Two texts of two dimensions; the first has three tokens, the second two and one of padding.
const data = Float32Array.of(1, 2, 3, 4, 5, 9, 10, 20, 30, 40, 999, 999)
const vectors = { data, texts: 2, tokens: 3, dimensions: 2 }

test.each([
  { pooling: 'mean', why: 'all tokens but padding', expected: [3, 5, 20, 30] },
  { pooling: 'cls', why: 'the first token', expected: [1, 2, 10, 20] },
  { pooling: 'last', why: 'the last token before the padding', expected: [5, 9, 30, 40] },
] as const)('$pooling pooling takes $why', ({ pooling, expected }) => {
  expect([...poolTokens(vectors, [3, 2], pooling)]).toEqual(expected)
})

test('normalised rows have length 1 and keep their direction', () => {
  const row = fc.array(fc.float({ min: -1000, max: 1000, noNaN: true }), { minLength: 3, maxLength: 3 })
  const sizeable = row.filter((values) => Math.hypot(...values) > 0.01)
  fc.assert(
    fc.property(fc.array(sizeable, { minLength: 1, maxLength: 5 }), (rows) => {
      const flat = Float32Array.from(rows.flat())
      expect(normaliseRows(flat, 3)).toBeNull()
      rows.forEach((values, index) => {
        const length = Math.hypot(...values)
        const unit = flat.subarray(index * 3, index * 3 + 3)
        expect(Math.hypot(...unit)).toBeCloseTo(1, 5)
        for (const [axis, value] of values.entries()) expect(unit[axis]).toBeCloseTo(value / length, 4)
      })
    }),
  )
})

test.each([
  { what: 'zero', bad: [0, 0] },
  { what: 'not a number', bad: [Number.NaN, 1] },
  { what: 'infinite', bad: [Number.POSITIVE_INFINITY, 1] },
])('a row that is $what is pointed out by its number', ({ bad }) => {
  expect(normaliseRows(Float32Array.from([3, 4, ...bad]), 2)).toBe(1)
})
