import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuseWithReading, type ScoreList } from '../../../src/retrieval/rank/fusion.ts'
import {
  type TextReading,
  readingFeatureNames,
  readingFeatures,
} from '../../../src/retrieval/rank/reading-features.ts'

const rowOf = (reading: TextReading, document: number) =>
  Object.fromEntries(
    readingFeatures(reading)
      .of(document)
      .map((value, at) => [readingFeatureNames[at], value]),
  )

describe('features of readings', () => {
  const reading: TextReading = {
    list: new Map([
      [4, 0.9],
      [7, 0.6],
      [2, 0.3],
    ]),
    of: (document) => (document === 9 ? 0.1 : Number.NaN),
  }
  const ofQuery = { 'query-reading': 0.9, 'query-reading-spread': expect.closeTo(0.6, 9) }
  const missing = Number.NaN

  test.each([
    {
      why: 'the best',
      document: 4,
      expected: {
        reading: 0.9,
        'reading-gap': 0,
        'reading-scaled': 1,
        'reading-rank': 1,
        'reading-head': 0.3,
      },
    },
    {
      why: 'one in the middle',
      document: 7,
      expected: {
        reading: 0.6,
        'reading-gap': -0.3,
        'reading-scaled': 0.5,
        'reading-rank': 61 / 62,
        'reading-head': 0,
      },
    },
    {
      why: 'one that was not found',
      document: 9,
      expected: {
        reading: 0.1,
        'reading-gap': -0.8,
        'reading-scaled': 0,
        'reading-rank': 0,
        'reading-head': -0.5,
      },
    },
    {
      why: 'one that was not read',
      document: 5,
      expected: {
        reading: missing,
        'reading-gap': missing,
        'reading-scaled': 0,
        'reading-rank': 0,
        'reading-head': missing,
      },
    },
  ])('of $why', ({ document, expected }) => {
    const close = Object.entries(expected).map(([name, value]) => [
      name,
      Number.isNaN(value) ? value : expect.closeTo(value, 9),
    ])
    expect(rowOf(reading, document)).toEqual({ ...Object.fromEntries(close), ...ofQuery })
  })

  test('where nothing was read all is missing that speaks of a reading', () => {
    const row = rowOf({ list: new Map(), of: () => Number.NaN }, 1)
    const told = readingFeatureNames.filter((name) => !Number.isNaN(row[name]))
    expect(told).toEqual(['reading-scaled', 'reading-rank'])
  })
})

describe('the plain fusion of three retrievers', () => {
  const list = (...pairs: readonly (readonly [number, number])[]): ScoreList => new Map(pairs)

  test.each([
    {
      why: 'the reader counts as much as both others',
      found: {
        lexical: list([1, 8], [2, 4]),
        dense: list([1, 0.5], [2, 0.1]),
        reading: list([3, 0.9], [2, 0.2]),
      },
      expected: [
        [1, 0.5],
        [2, 0.125],
        [3, 0.5],
      ],
    },
    {
      why: 'one that found nothing has no say',
      found: { lexical: list(), dense: list([1, 0.5], [2, 0.1]), reading: list() },
      expected: [
        [1, 1],
        [2, 0],
      ],
    },
    { why: 'nothing was found', found: { lexical: list(), dense: list(), reading: list() }, expected: [] },
  ])('$why', ({ found, expected }) => {
    expect([...fuseWithReading(found)].sort(([a], [b]) => a - b)).toEqual(
      expected.map(([document, score]) => [document, expect.closeTo(score!, 9)]),
    )
  })

  test('the feature "fused" of a candidate is its fused score', () => {
    const scores = fc
      .uniqueArray(fc.tuple(fc.nat(20), fc.double({ min: 0.01, max: 1, noNaN: true })), {
        selector: ([document]) => document,
        minLength: 1,
      })
      .map((pairs): ScoreList => new Map([...pairs].sort((a, b) => b[1] - a[1])))
    fc.assert(
      fc.property(scores, (reading) => {
        const fused = fuseWithReading({ lexical: new Map(), dense: new Map(), reading })
        const features = readingFeatures({ list: reading, of: () => Number.NaN })
        for (const [document, score] of fused)
          expect(features.fused(document, { lexical: 0, dense: 0 })).toBeCloseTo(score / 2, 9)
      }),
    )
  })
})
