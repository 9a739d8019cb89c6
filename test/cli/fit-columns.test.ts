import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitColumns } from '../../src/cli/render/table.ts'

describe('fitColumns', () => {
  test.each([
    {
      why: 'everybody gets what it needs when there is room',
      needs: [need(5), need(10)],
      total: 20,
      expected: [5, 10],
    },
    { why: 'the widest gives first', needs: [need(5), need(30, 5)], total: 20, expected: [5, 15] },
    { why: 'equals give evenly', needs: [need(20, 5), need(20, 5)], total: 20, expected: [10, 10] },
    {
      why: 'none goes below its least',
      needs: [need(30, 12), need(30, 2)],
      total: 20,
      expected: [12, 8],
    },
    { why: 'too narrow for the least of all', needs: [need(10), need(10, 8)], total: 17, expected: null },
    { why: 'no columns need no room', needs: [], total: 0, expected: [] },
  ])('$why', ({ needs, total, expected }) => {
    expect(fitColumns(needs, total)).toEqual(expected)
  })

  test('fills the room exactly when it is short, between least and natural', () => {
    const needsOf = fc.array(fc.record({ natural: fc.nat({ max: 200 }), least: fc.nat({ max: 200 }) }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(needsOf, fc.nat({ max: 400 }), (needs, total) => {
        const widths = fitColumns(needs, total)
        const natural = sum(needs.map((one) => one.natural))
        const least = sum(needs.map((one) => Math.min(one.natural, one.least)))
        if (widths === null) {
          expect(least).toBeGreaterThan(total)
          return
        }
        expect(sum(widths)).toBe(Math.min(natural, total))
        widths.forEach((width, index) => {
          expect(width).toBeLessThanOrEqual(needs[index]!.natural)
          expect(width).toBeGreaterThanOrEqual(Math.min(needs[index]!.natural, needs[index]!.least))
        })
      }),
    )
  })
})

function need(natural: number, least = natural) {
  return { natural, least }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
