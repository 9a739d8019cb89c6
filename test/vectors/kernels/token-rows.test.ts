import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, sharedBytes } from '../../../src/vectors/kernels/web-assembly.ts'
import { tokenRows } from '../../../src/vectors/kernels/token-rows.ts'

/** Dimensions that fill whole blocks of 16 and such that do not; lists of odd length, with repeats. */
const world = fc
  .record({ count: fc.integer({ min: 1, max: 9 }), dimensions: fc.integer({ min: 1, max: 40 }) })
  .chain(({ count, dimensions }) =>
    fc.record({
      dimensions: fc.constant(dimensions),
      rows: fc.int8Array({ minLength: count * dimensions, maxLength: count * dimensions }),
      tokens: fc.array(fc.nat(count - 1), { maxLength: 7 }),
      others: fc.array(fc.nat(count - 1), { maxLength: 12 }),
    }),
  )

/** The definition, row by row. */
const products = (
  rows: Int8Array,
  dimensions: number,
  tokens: ArrayLike<number>,
  others: ArrayLike<number>,
): number[] => {
  const rowOf = (token: number) => rows.subarray(token * dimensions, (token + 1) * dimensions)
  return Array.from(tokens).flatMap((token) =>
    Array.from(others, (other) =>
      rowOf(token).reduce((sum, value, at) => sum + value * rowOf(other)[at]!, 0),
    ),
  )
}

describe('token rows', () => {
  test('give exact dot products of each of one list with each of another, in the order asked', () => {
    fc.assert(
      fc.property(world, ({ rows, dimensions, tokens, others }) => {
        expect([...tokenRows(rows, dimensions).dots(tokens, others)]).toEqual(
          products(rows, dimensions, tokens, others),
        )
      }),
    )
  })

  test.each([
    { why: 'many with few', height: 20_000, width: 3 },
    { why: 'few with many', height: 3, width: 20_000 },
    { why: 'as many others as are kept at once', height: 5, width: 64 },
    { why: 'one more than that', height: 5, width: 65 },
    { why: 'each with one', height: 1, width: 1 },
  ])('take lists of any length: $why', ({ height, width }) => {
    const dimensions = 5
    const rows = Int8Array.from({ length: 7 * dimensions }, (_, at) => ((at * 37) % 255) - 127)
    const tokens = Uint32Array.from({ length: height }, (_, at) => (at * at) % 7)
    const others = Uint32Array.from({ length: width }, (_, at) => (3 * at) % 7)
    expect([...tokenRows(rows, dimensions).dots(tokens, others)]).toEqual(
      products(rows, dimensions, tokens, others),
    )
  })

  test('keep their rows when memory grows for a long answer', () => {
    const rows = Int8Array.of(1, 2, 3, -4)
    const held = tokenRows(rows, 2)
    const before = held.dots([0, 1], [0, 1])
    const many = new Uint32Array(300_000).fill(1)
    expect(held.dots(many, [0, 1]).length).toBe(600_000)
    expect([...held.dots([0, 1], [0, 1])]).toEqual([5, -5, -5, 25])
    expect([...before]).toEqual([5, -5, -5, 25])
  })

  test('two over the same memory do not disturb each other', () => {
    const dimensions = 16
    const rows = Int8Array.from({ length: 5 * dimensions }, (_, at) => ((at * 37) % 255) - 127)
    const shared = sharedBytes(rows.length)
    bytesOf(shared).set(rows)
    const lying = new Int8Array(shared.memory.buffer, bytesOf(shared).byteOffset, rows.length)
    const [one, other] = [0, 1].map(() => tokenRows(lying, dimensions, shared.memory))
    const many = new Uint32Array(900).map((_, at) => at % 5)
    const expected = tokenRows(rows, dimensions)
    expect(one!.dots([0, 1, 2], many)).toEqual(expected.dots([0, 1, 2], many))
    expect(other!.dots(many, [3, 4])).toEqual(expected.dots(many, [3, 4]))
    expect(one!.weightedSum([2, 4], [0.5, 3])).toEqual(expected.weightedSum([2, 4], [0.5, 3]))
    expect(bytesOf(shared)).toEqual(new Uint8Array(rows.buffer))
  })

  test('hold the greatest sums of 1,024 dimensions', () => {
    const rows = new Int8Array(2 * 1024).fill(-127, 0, 1024).fill(127, 1024)
    expect([...tokenRows(rows, 1024).dots([0], [0, 1])]).toEqual([1024 * 127 * 127, -1024 * 127 * 127])
  })

  test('what was given back is not what another holds, nor changed by what is asked next', () => {
    const [one, other] = [tokenRows(Int8Array.of(1, 2), 2), tokenRows(Int8Array.of(3, 4), 2)]
    const first = one.dots([0], [0])
    expect([...other.dots([0], [0])]).toEqual([25])
    expect([...one.dots([0, 0], [0])]).toEqual([5, 5])
    expect([...first]).toEqual([5])
  })

  test.each([
    { tokens: [], others: [0] },
    { tokens: [0], others: [] },
    { tokens: [], others: [] },
  ])('nothing with anything gives nothing', ({ tokens, others }) => {
    expect(tokenRows(Int8Array.of(1), 1).dots(tokens, others)).toHaveLength(0)
  })
})
