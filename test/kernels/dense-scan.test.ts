import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DenseScan,
  mostQueryMagnitude,
  rowsAtOnce,
  scanMemory,
  valuesAtOnce,
} from '../../src/kernels/dense-scan.ts'

/** Rows and their scales as one buffer, opened. */
function opened(rows: Int8Array, scales: Float32Array, values: number, before = 0) {
  const bytes = new Uint8Array(before + scales.byteLength + rows.byteLength).fill(7)
  bytes.set(new Uint8Array(scales.buffer), before)
  bytes.set(new Uint8Array(rows.buffer), before + scales.byteLength)
  const memory = scanMemory(bytes.length)
  memory.bytes.set(bytes)
  const scan: DenseScan = memory.open({ rows: scales.length, values })
  const { buffer, byteOffset } = scan.bytes
  return {
    scan,
    bytes,
    scales: new Float32Array(buffer, byteOffset + before, scales.length),
    rows: new Int8Array(buffer, byteOffset + before + scales.byteLength, rows.length),
  }
}

const world = fc
  .record({ blocks: fc.integer({ min: 0, max: 5 }), steps: fc.integer({ min: 1, max: 5 }) })
  .chain(({ blocks, steps }) => {
    const [count, values] = [blocks * rowsAtOnce, steps * valuesAtOnce]
    const sized = (length: number) => ({ minLength: length, maxLength: length })
    return fc.record({
      values: fc.constant(values),
      rows: fc.int8Array({ ...sized(count * values), min: -127, max: 127 }),
      scales: fc.float32Array({ ...sized(count), min: 0, max: 4, noNaN: true }),
      query: fc.int16Array({ ...sized(values), min: -32767, max: 32767 }),
      admitted: fc.option(fc.uint8Array({ ...sized(count), max: 1 }), { nil: null }),
      exponent: fc.integer({ min: -20, max: 4 }),
      before: fc.integer({ min: 0, max: 4 }).map((words) => 8 * words),
    })
  })

describe('a dense scan', () => {
  test('gives the dot product of every admitted row times its scale and the unit', () => {
    fc.assert(
      fc.property(world, ({ values, rows, scales, query, admitted, exponent, before }) => {
        const { scan, bytes, ...views } = opened(rows, scales, values, before)
        const unit = 2 ** exponent
        const scores = scan.scores({ query, unit, admitted, ...views })
        expect(scores).toHaveLength(scales.length)
        scales.forEach((scale, row) => {
          if (admitted?.[row] === 0) return
          const sum = query.reduce((total, value, at) => total + value * rows[row * values + at]!, 0)
          expect(scores[row]).toBe(Math.fround(scale * Math.fround(unit * Math.fround(sum))))
        })
        expect(scan.bytes).toEqual(bytes)
      }),
    )
  })

  test('tells the rows that reach a score', () => {
    fc.assert(
      fc.property(world, fc.float({ noNaN: true }), ({ values, rows, scales, query }, bar) => {
        const some = scales.map((scale, row) => (row % 3 === 1 ? Number.NaN : scale))
        const { scan, ...views } = opened(rows, some, values)
        const scores = scan.scores({ query, unit: 2 ** -10, admitted: null, ...views })
        for (const least of [bar, scores[2] ?? 0, Number.NEGATIVE_INFINITY]) {
          const expected = [...scores.keys()].filter((row) => scores[row]! >= least)
          expect([...scan.atLeast(least)]).toEqual(expected)
        }
      }),
    )
  })

  test('holds sums of the greatest query that is allowed', () => {
    const values = 65_536
    const each = Math.floor(mostQueryMagnitude / values)
    for (const sign of [1, -1]) {
      const rows = new Int8Array(rowsAtOnce * values).fill(127 * sign)
      const { scan, rows: held, scales } = opened(rows, new Float32Array(rowsAtOnce).fill(1), values)
      const query = new Int16Array(values).fill(each)
      const scores = scan.scores({ query, unit: 1, rows: held, scales, admitted: null })
      expect([...scores]).toEqual(Array.from(scores, () => Math.fround(sign * 127 * values * each)))
    }
  })

  test('of one memory does not touch another', () => {
    const make = (value: number) =>
      opened(
        new Int8Array(rowsAtOnce * valuesAtOnce).fill(value),
        new Float32Array(rowsAtOnce).fill(1),
        valuesAtOnce,
      )
    const [one, other] = [make(1), make(2)]
    const query = new Int16Array(valuesAtOnce).fill(1)
    const scoresOf = ({ scan, rows, scales }: typeof one) =>
      scan.scores({ query, unit: 1, rows, scales, admitted: null })
    const [first, second] = [scoresOf(one), scoresOf(other)]
    expect([first[0], second[0]]).toEqual([valuesAtOnce, 2 * valuesAtOnce])
  })
})
