import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseParts } from '../../src/tasks/description.ts'
import { entailmentReport, leastNear } from '../../src/tasks/multi.ts'
import { kMeans } from '../../src/tasks/toolret.ts'
import { centroid, dot, isAmong, rougeL, wordVectors } from '../../src/tasks/texts.ts'

test.each([
  { why: 'the same words', one: 'a b c', other: 'A, b: c!', expected: 1 },
  {
    why: 'two of three, in order',
    one: 'police killed the gunman',
    other: 'police kill the gunman',
    expected: 0.75,
  },
  { why: 'the order counts', one: 'a b', other: 'b a', expected: 0.5 },
  { why: 'nothing in common', one: 'a b', other: 'c d', expected: 0 },
  { why: 'no words', one: '', other: 'a', expected: 0 },
])('ROUGE-L is $expected for $why', ({ one, other, expected }) => {
  expect(rougeL(one, other)).toBeCloseTo(expected, 9)
})

test('ROUGE-L is the same both ways, and 1 of a text with itself', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(words, words, (one, other) => {
      expect(rougeL(one, other)).toBeCloseTo(rougeL(other, one), 12)
      expect(rougeL(one, one)).toBe(1)
    }),
  )
})

test('tasks that differ in one word of ten say the same', () => {
  const text = 'which date is twelve days after the first of May'
  expect(isAmong(text.replace('twelve', 'thirteen'), [text])).toBe(true)
  expect(isAmong('turn 3 miles into kilometres', [text])).toBe(false)
})

test('vectors of words have length 1, and point alike for like texts', () => {
  const [one, other, far] = wordVectors(['review a lease', 'review the lease of a flat', 'bake bread'])
  expect(dot(one!, one!)).toBeCloseTo(1, 5)
  expect(dot(one!, other!)).toBeGreaterThan(dot(one!, far!))
  expect(dot(centroid([one!, other!]), one!)).toBeGreaterThan(0.8)
})

describe('k-means', () => {
  const at = (...values: readonly number[]) => Float32Array.from(values)

  test('gives the one nearest to the centre of each cluster', () => {
    const left = [at(0, 0), at(0.1, 0), at(0.2, 0)]
    const right = [at(5, 5), at(5, 5.1), at(5, 5.2)]
    expect([...kMeans([...left, ...right], 2, 1)].sort()).toEqual([1, 4])
  })

  test('gives each place once, at most k of them, and all where k is their number', () => {
    const vectors = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(vectors, fc.integer({ min: 1, max: 30 }), (points, wanted) => {
        const k = Math.min(wanted, points.length)
        const places = kMeans(
          points.map((point) => at(...point)),
          k,
          7,
        )
        expect(new Set(places).size).toBe(places.length)
        expect(places.length).toBeLessThanOrEqual(k)
        const different = new Set(points.map(String)).size
        if (k === points.length) expect(places.length).toBe(different)
      }),
    )
  })
})

describe('parts of a description', () => {
  test('are chosen so that criteria are shared out', () => {
    const meets = (...places: readonly number[]) => [0, 1, 2, 3, 4].map((at) => places.includes(at))
    // Twelve queries that meet the first two criteria, and three for each of the others.
    const met = [
      ...Array.from({ length: 12 }, () => meets(0, 1)),
      ...[2, 3, 4].flatMap((at) => Array.from({ length: 3 }, () => meets(at))),
    ]
    const chosen = chooseParts(met)
    expect(chosen).toHaveLength(10)
    expect(new Set(chosen).size).toBe(10)
    // By hand: the score of a query falls when one of its criteria has been chosen three times; until then the first of the best stays.
    const counts = [0, 1, 2, 3, 4].map((at) => chosen.filter((place) => met[place]![at]).length)
    expect(counts).toEqual([3, 3, 3, 3, 1])
  })

  test('are all there are when there are fewer than ten', () => {
    expect(chooseParts([[true, false, false, false, false]])).toEqual([0])
  })
})

test('agreement of reader and model is told with kappa', () => {
  const part = (reader: boolean, model: boolean | null) => ({ reader, model })
  const judged = [
    part(true, true),
    part(true, true),
    part(true, false),
    part(false, false),
    part(false, null),
  ]
  const by = { writer: 'm', reader: 'r', isByRule: false }
  expect(entailmentReport(judged, by)).toEqual({
    by: 'm',
    reader: 'r',
    threshold: leastNear,
    pairs: 5,
    byReader: 3,
    byModel: 2,
    agreement: 0.75,
    // Chance: 3/4 * 2/4 + 1/4 * 2/4 = 1/2.
    kappa: expect.closeTo(0.5, 9),
  })
  expect(entailmentReport([], by)).toBeUndefined()
})
