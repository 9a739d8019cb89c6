import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { familySupport } from '../../../src/retrieval/rank/family-support.ts'

/** Every family has a tenth of the catalog. */
const tenth = () => 0.1
const liftOf = (share: number, catalogShare: number) => Math.log((share + 0.02) / (catalogShare + 0.02))

describe('family support by hand', () => {
  // The first candidates weigh 1/5, 1/6 and 1/7: in 210ths, 42, 35 and 30.
  test.each([
    { why: 'two of three are of one family', families: [4, 4, 9], shares: [35 / 65, 42 / 72, 0] },
    { why: 'all are of one family: the others are all of them', families: [4, 4, 4], shares: [1, 1, 1] },
    { why: 'each is of its own', families: [1, 2, 3], shares: [0, 0, 0] },
    { why: 'the first and the last', families: [7, 8, 7], shares: [30 / 65, 0, 42 / 77] },
    { why: 'one alone has no company', families: [7], shares: [0] },
    { why: 'none', families: [], shares: [] },
  ])('$families: $why', ({ families, shares }) => {
    const support = familySupport(families, tenth)
    expect(support.map(({ share }) => share)).toEqual(shares.map((share) => expect.closeTo(share, 12)))
    expect(support.map(({ lift }) => lift)).toEqual(
      shares.map((share) => expect.closeTo(liftOf(share, 0.1), 12)),
    )
  })

  test('the same share says more of a family that is rare in the catalog', () => {
    const support = familySupport([1, 2, 1, 2], (family) => (family === 1 ? 0.01 : 0.9))
    expect(support[0]!.lift).toBeGreaterThan(0)
    expect(support[1]!.lift).toBeLessThan(0)
  })

  test('after the thirtieth a candidate is spoken for, and does not speak', () => {
    const families = [...Array.from({ length: 30 }, (_, rank) => rank % 2), 0, 0, 2]
    const weights = Array.from({ length: 30 }, (_, rank) => 1 / (5 + rank))
    const sum = (some: readonly number[]) => some.reduce((total, weight) => total + weight, 0)
    const ofFirst = sum(weights.filter((_, rank) => rank % 2 === 0)) / sum(weights)
    const support = familySupport(families, tenth)
    expect(support.slice(30).map(({ share }) => share)).toEqual([
      expect.closeTo(ofFirst, 12),
      expect.closeTo(ofFirst, 12),
      0,
    ])
    expect(familySupport([...families, 2, 2, 2], tenth).slice(0, 33)).toEqual(support)
  })
})

test('shares are in 0..1, lifts finite, and names of families mean nothing', () => {
  const families = fc.array(fc.nat(5), { maxLength: 40 })
  fc.assert(
    fc.property(
      families,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
      (list, ofCatalog) => {
        const support = familySupport(list, (family) => ofCatalog[family]!)
        expect(support).toHaveLength(list.length)
        for (const { share, lift } of support) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1 + 1e-12)
          expect(Number.isFinite(lift)).toBe(true)
        }
        const renamed = list.map((family) => 100 - family)
        expect(familySupport(renamed, (family) => ofCatalog[100 - family]!)).toEqual(support)
      },
    ),
  )
})
