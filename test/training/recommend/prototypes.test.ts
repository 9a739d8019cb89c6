import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bisected, coveragePrototypes } from '../../../embeddings/trainer/src/recommend/build/prototypes.ts'

const vectors = fc
  .array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((all) => all.map((values) => Float32Array.from(values)))

/** Groups of 2, 3 and 95 points, far from each other. */
const groups = [
  { middle: 0, size: 2 },
  { middle: 100, size: 3 },
  { middle: 200, size: 95 },
].flatMap(({ middle, size }) =>
  Array.from({ length: size }, (_, at) => Float32Array.of(middle + at / 50, at % 5)),
)

describe('coverage-balanced prototypes', () => {
  test('as many as the budget, each place once, ascending', () => {
    fc.assert(
      fc.property(vectors, fc.integer({ min: 0, max: 70 }), (all, budget) => {
        const chosen = coveragePrototypes(all, budget)
        expect(chosen).toHaveLength(Math.min(budget, all.length))
        expect([...new Set(chosen)].sort((a, b) => a - b)).toEqual(chosen)
      }),
    )
  })

  test('clusters divide the texts, about the root of their number', () => {
    fc.assert(
      fc.property(vectors, (all) => {
        const clusters = bisected(all, Math.ceil(Math.sqrt(all.length)))
        const members = clusters.flatMap((cluster) => cluster.members)
        expect([...members].sort((a, b) => a - b)).toEqual([...all.keys()])
        expect(clusters.length).toBeLessThanOrEqual(Math.ceil(Math.sqrt(all.length)))
      }),
    )
    expect(bisected(groups, 10)).toHaveLength(10)
  })

  test('small groups are not starved: ten of a hundred are from each of the groups', () => {
    const chosen = coveragePrototypes(groups, 10)
    const counts = [0, 100, 200].map(
      (from) => chosen.filter((at) => Math.abs(groups[at]![0]! - from) < 50).length,
    )
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1)
    expect(counts[2]).toBeLessThan(9)
  })

  test('the medoid first, then the farthest', () => {
    const line = [0, 1, 2, 3, 10].map((value) => Float32Array.of(value))
    expect(coveragePrototypes(line.slice(0, 1), 1)).toEqual([0])
    // Three clusters of five points: {10}, {0, 1}, {2, 3}, with one prototype each.
    expect(coveragePrototypes(line, 3).map((at) => line[at]![0])).toContain(10)
  })
})
