import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ListedRows, listMaxima } from '../../../src/vectors/kernels/list-maxima.ts'

/** Tables whose widths fill blocks of 4 and 8 and such that do not; lists with repeats and without any row. */
const world = fc
  .record({ width: fc.integer({ min: 1, max: 21 }), count: fc.integer({ min: 1, max: 6 }) })
  .chain(({ width, count }) => {
    const size = width * count
    return fc.record({
      width: fc.constant(width),
      table: fc.float32Array({ minLength: size, maxLength: size, min: -1, max: 1 }),
      lists: fc.array(fc.array(fc.nat(count - 1), { maxLength: 7 }), { maxLength: 5 }),
    })
  })

const listed = (table: Float32Array, width: number, lists: readonly (readonly number[])[]): ListedRows => ({
  table,
  height: table.length / width,
  width,
  rows: Uint32Array.from(lists.flat()),
  ends: Uint32Array.from(lists, (_, place) => lists.slice(0, place + 1).flat().length),
})

/** The definition: a number takes the place of a smaller one, beginning with 0. */
const greatest = (values: readonly number[]): number =>
  values.reduce((most, value) => (value > most ? value : most), 0)

describe('list maxima', () => {
  test('are the greatest of each column over the rows of a list, and of each row', () => {
    fc.assert(
      fc.property(world, ({ table, width, lists }) => {
        const { ofLists, step, ofRows } = listMaxima(listed(table, width, lists))
        const cell = (row: number, column: number) => table[row * width + column]!
        const columns = Array.from({ length: width }, (_, column) => column)
        lists.forEach((list, place) => {
          expect([...ofLists.subarray(place * step, place * step + width)]).toEqual(
            columns.map((column) => greatest(list.map((row) => cell(row, column)))),
          )
        })
        expect([...ofRows]).toEqual(
          Array.from({ length: table.length / width }, (_, row) =>
            greatest(columns.map((c) => cell(row, c))),
          ),
        )
      }),
    )
  })

  test('hold for a table that needs more memory than there was, and then for a small one again', () => {
    const width = 40
    const table = Float32Array.from({ length: 12_000 * width }, (_, at) => ((at * 7919) % 1000) / 1000)
    const all = Array.from({ length: 12_000 }, (_, row) => row)
    const { ofLists } = listMaxima(listed(table, width, [all]))
    expect([...ofLists]).toEqual(
      Array.from({ length: width }, (_, column) => greatest(all.map((row) => table[row * width + column]!))),
    )
    expect([...listMaxima(listed(Float32Array.of(-1, 2), 1, [[0, 1], [0]])).ofRows]).toEqual([0, 2])
  })

  test('what was given back stays when more is asked', () => {
    const first = listMaxima(listed(Float32Array.of(5), 1, [[0]]))
    listMaxima(listed(Float32Array.of(9), 1, [[0]]))
    expect([first.ofLists[0], first.ofRows[0]]).toEqual([5, 5])
  })

  test('rows without columns have nothing above 0', () => {
    const none = {
      table: new Float32Array(0),
      height: 2,
      width: 0,
      rows: Uint32Array.of(1),
      ends: Uint32Array.of(1),
    }
    expect(listMaxima(none)).toEqual({
      ofLists: new Float32Array(0),
      step: 0,
      ofRows: new Float32Array(2),
    })
  })
})
