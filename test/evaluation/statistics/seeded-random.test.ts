import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom, xoshiro128 } from '../../../src/evaluation/statistics/seeded-random.ts'
import { seedOf } from '../../../src/domain/random.ts'

test('the mulberry32 is xoshiro128**: the reference program gives these numbers from state 1 2 3 4', () => {
  const random = xoshiro128([1, 2, 3, 4])
  expect(Array.from({ length: 10 }, () => random.uint32())).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
  ])
})

test('a seed gives these numbers, worked out apart in whole-number arithmetic of any size', () => {
  const random = seededRandom(42)
  expect(Array.from({ length: 4 }, () => random.uint32())).toEqual([
    2837322924, 544945897, 479756282, 3500138142,
  ])
})

describe('numbers below n', () => {
  const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 })

  test('are whole and below n, and come alike one by one and in bulk', () => {
    fc.assert(
      fc.property(
        seed,
        fc.integer({ min: 1, max: 2 ** 20 }),
        fc.integer({ min: 1, max: 1500 }),
        (from, n, count) => {
          const bulk = new Uint32Array(count)
          seededRandom(from).fillBelow(bulk, n)
          const random = seededRandom(from)
          expect(Array.from({ length: count }, () => random.below(n))).toEqual([...bulk])
          expect(bulk.every((value) => value < n)).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('come equally often', () => {
    const drawn = new Uint32Array(100_000)
    seededRandom(7).fillBelow(drawn, 10)
    const counts = new Array<number>(10).fill(0)
    for (const value of drawn) counts[value]! += 1
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    expect(chiSquare).toBeLessThan(27.88) // 9 degrees of freedom, 0.1%
  })
})

test('neighbouring seeds share nothing', () => {
  const first = new Set(Array.from({ length: 1000 }, (_, seed) => seededRandom(seed).uint32()))
  expect(first.size).toBe(1000)
})

test.each([
  { name: '', seed: 2166136261 },
  { name: 'a', seed: 3826002220 },
  { name: 'foobar', seed: 3214735720 },
])('the seed of "$name" is its FNV-1a hash', ({ name, seed }) => {
  expect(seedOf(name)).toBe(seed)
})
