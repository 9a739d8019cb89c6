import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { binRows, chooseCuts } from '../../../embeddings/trainer/src/boosting/binning.ts'

const cutsOf = (values: readonly number[], bins: number): number[] =>
  Array.from(chooseCuts(Float32Array.from(values), { width: 1, bins, random: seededRandom(1) })[0]!)

test.each([
  { why: 'few values have a bin each, cut halfway', values: [3, 1, 1, 2, 7], bins: 4, cuts: [1.5, 2.5, 5] },
  { why: 'one value needs no cut', values: [2, 2, 2], bins: 4, cuts: [] },
  { why: 'missing values are left out', values: [Number.NaN, 1, Number.NaN, 2], bins: 4, cuts: [1.5] },
  { why: 'nothing known needs no cut', values: [Number.NaN], bins: 4, cuts: [] },
  {
    why: 'many values are shared out evenly',
    values: [1, 2, 3, 4, 5, 6, 7, 8],
    bins: 4,
    cuts: [2.5, 4.5, 6.5],
  },
  { why: 'a heavy value stands alone', values: [0, 0, 0, 0, 0, 0, 1, 2, 3, 4], bins: 3, cuts: [0.5, 2.5] },
  { why: 'zero has one sign', values: [-0, 0, 1], bins: 4, cuts: [0.5] },
])('$why', ({ values, bins, cuts }) => {
  expect(cutsOf(values, bins)).toEqual(cuts)
})

test('neighbouring numbers are parted by a cut at the lower one', () => {
  const next = Math.fround(1 + 2 ** -23)
  expect(cutsOf([1, next], 2)).toEqual([1])
})

const value = fc.oneof(
  fc.float({ noDefaultInfinity: true }),
  fc.integer({ min: -9, max: 9 }),
  fc.constant(Number.NaN),
)

test('there are at most as many bins as wanted, and a bin means the values up to its cut', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 80 }),
      fc.array(value, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 2, max: 12 }),
      (values, unseen, bins) => {
        const cuts = chooseCuts(Float32Array.from(values), { width: 1, bins, random: seededRandom(1) })
        const own = cuts[0]!
        expect(own.length).toBeLessThan(bins)
        expect(own.every((cut, index) => index === 0 || own[index - 1]! < cut)).toBe(true)
        const numbers = Float32Array.from([...values, ...unseen])
        const [column] = binRows(numbers, cuts).columns
        numbers.forEach((number, row) => {
          const bin = column![row]!
          if (Number.isNaN(number)) expect(bin).toBe(own.length + 1)
          else expect([bin, number > own[bin]!]).toEqual([own.filter((cut) => number > cut).length, false])
        })
      },
    ),
  )
})

test('columns keep apart, and many rows are cut by a drawn part of them', () => {
  const rows = 250_000
  const features = Float32Array.from({ length: 2 * rows }, (_, at) => (at % 2 === 0 ? (at / 2) % 1000 : 5))
  const cuts = chooseCuts(features, { width: 2, bins: 10, random: seededRandom(7) })
  expect(cuts[1]!.length).toBe(0)
  expect(cuts[0]!.length).toBe(9)
  cuts[0]!.forEach((cut, index) => {
    expect(Math.abs(cut - 100 * (index + 1))).toBeLessThan(10)
  })
})
