import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DenseScan,
  mostQueryMagnitude,
  openSharedBytes,
  type RowsAbove,
  rowsAtOnce,
  scanMemory,
  valuesAtOnce,
} from '../../../src/vectors/kernels/dense-scan.ts'

type Rows = {
  readonly rows: Int8Array
  readonly scales: Float32Array
  readonly values: number
  /** Values of a row that are looked at first. @defaultValue all */
  readonly head?: number
  /** Bytes that lie before. */
  readonly before?: number
}

/** Rows, cut into heads and tails, and what belongs to them as one buffer, opened. */
function opened({ rows, scales, values, head = values, before = 0 }: Rows) {
  const count = scales.length
  const part = (from: number, to: number): Int8Array =>
    Int8Array.from(
      { length: count * (to - from) },
      (_, at) => rows[Math.floor(at / (to - from)) * values + from + (at % (to - from))]!,
    )
  const [heads, tails] = [part(0, head), part(head, values)]
  const reaches = scales.map(
    (scale, row) =>
      scale *
      Math.hypot(...tails.subarray(row * (values - head), (row + 1) * (values - head))) *
      (1 + 2 ** -20),
  )
  const parts = [scales, reaches, heads, tails]
  const memory = scanMemory(before + parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  memory.bytes.fill(7)
  const starts: number[] = []
  let start = before
  for (const { buffer, byteOffset, byteLength } of parts) {
    memory.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start)
    starts.push(start)
    start += byteLength
  }
  const bytes = Uint8Array.from(memory.bytes)
  const scan: DenseScan = memory.open({ rows: count, values })
  const { buffer, byteOffset } = scan.bytes
  const at = (place: number): number => byteOffset + starts[place]!
  return {
    scan,
    bytes,
    again: () => openSharedBytes(memory.shared).open({ rows: count, values }),
    views: {
      scales: new Float32Array(buffer, at(0), count),
      reaches: new Float32Array(buffer, at(1), count),
      heads: new Int8Array(buffer, at(2), heads.length),
      tails: new Int8Array(buffer, at(3), tails.length),
    },
  }
}

const world = fc
  .record({ blocks: fc.integer({ min: 0, max: 11 }), steps: fc.integer({ min: 1, max: 5 }) })
  .chain(({ blocks, steps }) => {
    const [count, values] = [blocks * rowsAtOnce, steps * valuesAtOnce]
    const sized = (length: number) => ({ minLength: length, maxLength: length })
    return fc.record({
      values: fc.constant(values),
      head: fc.integer({ min: 1, max: steps }).map((some) => some * valuesAtOnce),
      rows: fc.int8Array({ ...sized(count * values), min: -127, max: 127 }),
      scales: fc.float32Array({ ...sized(count), min: 0, max: 4, noNaN: true }),
      query: fc.int16Array({ ...sized(values), min: -32767, max: 32767 }),
      admitted: fc.option(fc.uint8Array({ ...sized(count), max: 1 }), { nil: null }),
      exponent: fc.integer({ min: -20, max: 4 }),
      before: fc.integer({ min: 0, max: 4 }).map((words) => 8 * words),
    })
  })

const scoreBy = (
  rows: Int8Array,
  values: number,
  query: Int16Array,
  unit: number,
  scale: number,
  row: number,
) => {
  const sum = query.reduce((total, value, at) => total + value * rows[row * values + at]!, 0)
  return Math.fround(scale * Math.fround(unit * Math.fround(sum)))
}

describe('a dense scan', () => {
  test('gives the dot product of every admitted row times its scale and the unit', () => {
    fc.assert(
      fc.property(world, ({ query, admitted, exponent, ...rows }) => {
        const { scan, bytes, views } = opened(rows)
        const unit = 2 ** exponent
        const scores = scan.scores({ query, unit, admitted, ...views })
        expect(scores.atMost).toHaveLength(rows.scales.length)
        const asked = Uint32Array.from(rows.scales.keys()).filter((row) => admitted?.[row] !== 0)
        const exact = Array.from(asked, (row) =>
          scoreBy(rows.rows, rows.values, query, unit, rows.scales[row]!, row),
        )
        asked.forEach((row, at) => {
          expect(scores.atMost[row]).toBeGreaterThanOrEqual(exact[at]!)
        })
        scores.complete(asked)
        expect(Array.from(asked, (row) => scores.atMost[row])).toEqual(exact)
        expect(scan.bytes).toEqual(bytes)
      }),
    )
  })

  test('that is opened again over the same bytes leaves the other alone', () => {
    fc.assert(
      fc.property(world, ({ query, ...rows }) => {
        const { scan, bytes, views, again } = opened(rows)
        const ask = (of: DenseScan, given: Int16Array) =>
          of.scores({ query: given, unit: 1, admitted: null, ...views })
        const first = ask(scan, query)
        const bounds = first.atMost.slice()
        const second = again()
        ask(second, new Int16Array(query.length)).complete(Uint32Array.from(rows.scales.keys()))
        expect(first.atMost).toEqual(bounds)
        expect(ask(second, query).atMost).toEqual(bounds)
        expect(scan.bytes).toEqual(bytes)
      }),
    )
  })

  test('bounds a row by its tail: the nearer the bound, the shorter the tail', () => {
    const values = 2 * valuesAtOnce
    const row = Int8Array.from({ length: values }, (_, at) => (at < valuesAtOnce ? 100 : 1))
    const rows = Int8Array.from({ length: rowsAtOnce * values }, (_, at) => row[at % values]!)
    const scales = new Float32Array(rowsAtOnce).fill(1)
    const { scan, views } = opened({ rows, scales, values, head: valuesAtOnce })
    const query = new Int16Array(values).fill(1)
    const { atMost } = scan.scores({ query, unit: 1, admitted: null, ...views })
    expect(atMost[0]).toBeCloseTo(100 * valuesAtOnce + valuesAtOnce, 1)
    query.fill(-1, valuesAtOnce)
    expect(scan.scores({ query, unit: 1, admitted: null, ...views }).atMost[0]).toBeCloseTo(
      100 * valuesAtOnce + valuesAtOnce,
      1,
    )
  })

  test('tells the rows that may reach a score', () => {
    fc.assert(
      fc.property(world, fc.float({ noNaN: true }), ({ query, scales, ...rows }, bar) => {
        const some = scales.map((scale, row) => (row % 3 === 1 ? Number.NaN : scale))
        const { scan, views } = opened({ ...rows, scales: some })
        const { atMost, reaching } = scan.scores({ query, unit: 2 ** -10, admitted: null, ...views })
        for (const least of [bar, atMost[2] ?? 0, Number.NEGATIVE_INFINITY]) {
          const expected = [...atMost.keys()].filter((row) => atMost[row]! >= least)
          expect([...reaching(least)]).toEqual(expected)
        }
      }),
    )
  })

  test('looks for rows above a bar as it scores them', () => {
    fc.assert(
      fc.property(world, fc.float({ noNaN: true }), ({ query, scales, admitted, ...rows }, bar) => {
        const some = scales.map((scale, row) => (row % 5 === 1 ? Number.NaN : scale))
        const { scan, bytes, views } = opened({ ...rows, scales: some })
        const request = { query, unit: 2 ** -10, admitted, ...views }
        const scored = scan.scores(request)
        const most = scored.atMost.slice()
        const exact = Array.from(
          some,
          (scale, row) => scoreBy(rows.rows, rows.values, query, 2 ** -10, scale, row) + 0,
        )
        const second = { ...request, query: query.map((value, at) => (at % 2 === 0 ? -value : value >> 1)) }
        const bySecond = Array.from(
          some,
          (scale, row) => scoreBy(rows.rows, rows.values, second.query, 2 ** -10, scale, row) + 0,
        )
        for (const least of [bar, most[2] ?? 0, Number.NEGATIVE_INFINITY]) {
          const expectedOf = (scores: readonly number[]) => {
            const found = scores.flatMap((score, row) =>
              admitted?.[row] !== 0 && score >= least ? [row] : [],
            )
            return { rows: found, scores: found.map((row) => scores[row]!) }
          }
          const told = ({ rows: found, scores }: RowsAbove) => ({
            rows: [...found],
            scores: Array.from(scores, (score) => score + 0),
          })
          const wanted = { bar: least, tailShare: 1 }
          const [found] = scan.above([{ ...request, ...wanted }])
          expect(told(found!)).toEqual(expectedOf(exact))
          const both = scan.above([
            { ...request, ...wanted },
            { ...second, ...wanted },
          ])
          expect(both.map(told)).toEqual([expectedOf(exact), expectedOf(bySecond)])
          const [fewer] = scan.above([{ ...request, bar: least, tailShare: 0.5 }])
          expect(fewer!.rows.length).toBeLessThanOrEqual(found!.rows.length)
        }
        const look = scan.look(request)
        some.forEach((scale, row) => {
          expect(look.of(row) + 0).toBe(exact[row])
          if (Math.abs(look.tailOf(row)) > 1.01) throw new Error(`of row ${row}, scale ${scale}`)
        })
        expect(scan.bytes).toEqual(bytes)
      }),
    )
  })

  test.each([
    { where: 'in the head', head: 65_536 },
    { where: 'in both parts', head: 32_768 },
  ])('holds sums of the greatest query that is allowed, $where', ({ head }) => {
    const values = 65_536
    const each = Math.floor(mostQueryMagnitude / values)
    for (const sign of [1, -1]) {
      const rows = new Int8Array(rowsAtOnce * values).fill(127 * sign)
      const scales = new Float32Array(rowsAtOnce).fill(1)
      const { scan, views } = opened({ rows, scales, values, head })
      const query = new Int16Array(values).fill(each)
      const look = scan.look({ query, unit: 1, admitted: null, ...views })
      for (let row = 0; row < rowsAtOnce; row++)
        expect(look.of(row)).toBe(Math.fround(sign * 127 * values * each))
    }
  })

  test('of one memory does not touch another', () => {
    const make = (value: number) =>
      opened({
        rows: new Int8Array(rowsAtOnce * valuesAtOnce).fill(value),
        scales: new Float32Array(rowsAtOnce).fill(1),
        values: valuesAtOnce,
      })
    const [one, other] = [make(1), make(2)]
    const query = new Int16Array(valuesAtOnce).fill(1)
    const scoresOf = ({ scan, views }: typeof one) =>
      scan.scores({ query, unit: 1, admitted: null, ...views }).atMost
    const [first, second] = [scoresOf(one), scoresOf(other)]
    expect([first[0], second[0]]).toEqual([valuesAtOnce, 2 * valuesAtOnce])
  })
})
