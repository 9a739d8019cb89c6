import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../../src/domain/random.ts'
import { rank } from '../../../src/domain/ranking.ts'
import { scanMemory } from '../../../src/vectors/kernels/dense-scan.ts'
import { vectorRows } from '../../../src/retrieval/index/exact-nearest.ts'
import { joinedRows } from '../../../src/retrieval/index/joined-rows.ts'
import { documentsOf, ofOneSegment } from '../../../src/retrieval/index/documents.ts'
import { tableOf } from '../../../src/retrieval/index/string-table.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { quantisedVectors, rowShape } from '../../../src/retrieval/index/quantised-vectors.ts'
import { packSections, unpackSections } from '../../../src/retrieval/text/sections.ts'

type Vectors = readonly (Float32Array | undefined)[]

const idOf = (document: number): string => String(document).padStart(3, '0')

/** Vectors packed and opened as a search image packs and opens them. */
function rowsOf(vectors: Vectors, dimensions: number) {
  const quantised = quantisedVectors(dimensions)
  vectors.forEach((vector, document) => {
    if (vector) quantised.add(idOf(document), vector)
  })
  const packed = packSections({}, quantised.sections(vectors.map((_, document) => idOf(document))))
  const memory = scanMemory(packed.length)
  memory.bytes.set(packed)
  const scan = memory.open(rowShape(vectors.length, dimensions))
  const rows = vectorRows(unpackSections(scan.bytes), [scan], {
    documents: vectors.length,
    parts: [dimensions],
  })
  return joinedRows([rows], ofOneSegment(tableOf(vectors.map((_, document) => idOf(document)))))
}

const found = (vectors: Vectors, query: Float32Array, depth: number, admitted: Uint8Array | null = null) => {
  const { documents, scores } = rowsOf(vectors, query.length).scored(query, admitted).best(depth)
  return Array.from(documents, (document, place) => [document, scores[place]!] as const)
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * b[axis]!, 0)

/** Whole numbers with 127 among them keep their values in 8 bits, so that sums are exact and ties are common. */
const wholeNumbers = (dimensions: number) =>
  fc
    .array(fc.constantFrom(0, 0, 127, -127, 1, -2), { minLength: dimensions, maxLength: dimensions })
    .map(([, ...rest]) => Float32Array.of(127, ...rest))

const exactWorld = fc.integer({ min: 1, max: 37 }).chain((dimensions) =>
  fc.record({
    vectors: fc.array(fc.option(wholeNumbers(dimensions), { nil: undefined }), { maxLength: 60 }),
    query: fc
      .array(fc.integer({ min: -2, max: 2 }), { minLength: dimensions, maxLength: dimensions })
      .map((numbers) => Float32Array.from(numbers)),
    depth: fc.integer({ min: 1, max: 12 }),
    left: fc.option(fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), { nil: null }),
  }),
)

test('finds what sorting all dot products finds: ties, filters, missing vectors and any dimension', () => {
  fc.assert(
    fc.property(exactWorld, ({ vectors, query, depth, left }) => {
      const admitted = left && Uint8Array.from(vectors, (_, document) => (left[document] ? 1 : 0))
      const all = vectors.flatMap((vector, document) =>
        vector === undefined || admitted?.[document] === 0
          ? []
          : [{ id: idOf(document), score: dot(vector, query) + 0 }],
      )
      expect(
        found(vectors, query, depth, admitted).map(([document, score]) => [document, score + 0]),
      ).toEqual(
        rank(all)
          .slice(0, depth)
          .map(({ id, score }) => [Number(id), score]),
      )
    }),
  )
})

/** Unit vectors in all directions alike. */
function directions(count: number, dimensions: number, seed: number): Float32Array[] {
  const random = mulberry32(seed)
  const uniform = (): number => 1 - random()
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, normal)
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  })
}

describe('rounding', () => {
  test.each([64, 100, 256, 384, 768])('moves no cosine of %i dimensions by 0.005', (dimensions) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
        const [query, ...vectors] = directions(40, dimensions, seed)
        const scores = found(vectors, query!, vectors.length)
        expect(scores).toHaveLength(vectors.length)
        for (const [document, score] of scores)
          expect(Math.abs(score - dot(vectors[document]!, query!))).toBeLessThan(0.005)
      }),
      { numRuns: 20 },
    )
  })

  test('moves no score by more than half a step of the row along the query', () => {
    const numbers = (length: number) =>
      fc.float32Array({ minLength: length, maxLength: length, min: -1000, max: 1000, noNaN: true })
    const anyWorld = fc
      .integer({ min: 1, max: 20 })
      .chain((dimensions) => fc.tuple(fc.array(numbers(dimensions), { maxLength: 9 }), numbers(dimensions)))
    fc.assert(
      fc.property(anyWorld, ([vectors, query]) => {
        const along = query.reduce((sum, value) => sum + Math.abs(value), 0)
        const scores = found(vectors, query, vectors.length)
        expect(scores).toHaveLength(vectors.length)
        for (const [document, score] of scores) {
          const vector = vectors[document]!
          const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
          // The query's own rounding to 16 bits, of which a power of two may cost one, is the second term.
          const bound = (largest / 254) * along + largest * query.length * (along / 2 ** 14)
          expect(Math.abs(score - dot(vector, query))).toBeLessThanOrEqual(bound + 1e-30)
        }
      }),
    )
  })
})

test.each([
  { why: 'all', admit: () => true },
  { why: 'every third', admit: (document: number) => document % 3 === 0 },
  { why: 'a few', admit: (document: number) => document % 997 === 5 },
  { why: 'a run', admit: (document: number) => document >= 7001 && document < 7030 },
  { why: 'none', admit: () => false },
])('among many documents, of which $why are admitted, the best are found', ({ admit }) => {
  const dimensions = 16
  const vectors: Vectors = directions(9001, dimensions, 3).map((vector, document) =>
    // Runs of equal vectors, so that ties stand where the list is cut; and some without a vector.
    document % 11 === 4 ? undefined : vector.map((value) => (document % 5 === 0 ? Math.sign(value) : value)),
  )
  const admitted = Uint8Array.from(vectors, (_, document) => (admit(document) ? 1 : 0))
  const rows = rowsOf(vectors, dimensions)
  const [query] = directions(1, dimensions, 9)
  const all = rows.scored(query!, null).best(vectors.length)
  const sorted = rank(
    Array.from(all.documents, (document, place) => ({
      id: idOf(10_000 + document),
      score: all.scores[place]!,
    })),
  )
  for (const depth of [1, 2, 10, 100, 3000]) {
    const { documents } = rows.scored(query!, admitted).best(depth)
    const expected = sorted.map(({ id }) => Number(id) - 10_000).filter(admit)
    expect([...documents]).toEqual(expected.slice(0, depth))
  }
  expect(all.documents).toHaveLength(vectors.filter((vector) => vector !== undefined).length)
})

test('a zero vector is found, with no score; one that is not of finite numbers is as none at all', () => {
  const vectors = [
    Float32Array.of(1, 0),
    Float32Array.of(0, 0),
    undefined,
    Float32Array.of(Number.NaN, 1),
    Float32Array.of(1, Number.POSITIVE_INFINITY),
    Float32Array.of(-1, 0),
  ]
  const scores = found(vectors, Float32Array.of(1, 0), 10)
  expect(scores.map(([document, score]) => [document, score.toFixed(5)])).toEqual([
    [0, '1.00000'],
    [1, '0.00000'],
    [5, '-1.00000'],
  ])
})

test.each([
  { why: 'not a number', query: [Number.NaN, 1], expected: [] },
  { why: 'infinite', query: [1, Number.NEGATIVE_INFINITY], expected: [] },
  { why: 'zero: all are alike, the last first', query: [0, 0], expected: [2, 1, 0] },
])('a query that is $why', ({ query, expected }) => {
  const vectors = directions(3, 2, 5)
  expect(found(vectors, Float32Array.from(query), 3).map(([document]) => document)).toEqual(expected)
})

test('nothing is found among no documents, and vectors of another length are refused in words', () => {
  expect(found([], Float32Array.of(1), 5)).toEqual([])
  expect(() =>
    rowsOf(directions(3, 4, 1), 4)
      .scored(new Float32Array(3), null)
      .best(1),
  ).toThrow(new RangeError('The query has 3 dimensions, the vectors of the cards have 4.'))
  expect(() => quantisedVectors(4).add('a/one', new Float32Array(3))).toThrow(
    new RangeError('The vector of "a/one" has 3 dimensions where 4 are expected.'),
  )
})

describe('the score of one document', () => {
  test('is that of the list, for documents in it and below its end', () => {
    fc.assert(
      fc.property(exactWorld, ({ vectors, query, depth }) => {
        const scored = rowsOf(vectors, query.length).scored(query, null)
        const { documents, scores } = scored.best(depth)
        expect(Float32Array.from(documents, (document) => scored.of(document))).toEqual(scores)
        vectors.forEach((vector, document) => {
          const expected = vector === undefined ? Number.NaN : dot(vector, query)
          expect(scored.of(document) + 0).toBe(expected + 0)
        })
      }),
    )
  })

  test('is of the query that was asked for last', () => {
    const rows = rowsOf([Float32Array.of(127, 0), Float32Array.of(0, 127)], 2)
    const first = rows.scored(Float32Array.of(1, 0), null)
    expect([first.of(0), first.of(1)]).toEqual([127, 0])
    expect(rows.scored(Float32Array.of(0, 2), Uint8Array.of(0, 1)).of(1)).toBe(254)
  })

  test('is none for a document that is not there', () => {
    const scored = rowsOf([Float32Array.of(127)], 1).scored(Float32Array.of(1), null)
    // Rows are laid out by four: those that fill up stand for no document.
    for (const document of [1, 3, 4, 1000]) expect(scored.of(document)).toBeNaN()
  })
})

describe('the head of the vectors', () => {
  /** Values that are looked at first, of 64. */
  const headOf = (valueAt: (axis: number) => number): number => {
    const quantised = quantisedVectors(64)
    for (const document of [0, 1, 2, 3])
      quantised.add(
        idOf(document),
        Float32Array.from({ length: 64 }, (_, axis) => valueAt(axis)),
      )
    return quantised.sections([0, 1, 2, 3].map(idOf))['vectors.heads']!.length / 4
  }

  test.each([
    { where: 'the first axes', valueAt: (axis: number) => (axis < 10 ? 1 : 0.1), head: 16 },
    { where: 'all axes alike', valueAt: () => 1, head: 64 },
    { where: 'the last axes', valueAt: (axis: number) => (axis < 60 ? 0.1 : 1), head: 64 },
    { where: 'no axis', valueAt: () => 0, head: 64 },
  ])('holds four fifths of the squares: they are on $where', ({ valueAt, head }) => {
    expect(headOf(valueAt)).toBe(head)
  })
})

test('of more than 100,000 documents, in segments, finds nearly all that sorting all dot products finds', () => {
  const [dimensions, perSegment, depth] = [64, 34_000, 100]
  const random = seededRandom(7)
  const normal = (): number => random.below(1000) + random.below(1000) + random.below(1000) - 1498.5
  const near = (centre: readonly number[] | undefined): Float32Array => {
    // What tells most stands first, as the models that ship put it.
    const vector = Float32Array.from(
      { length: dimensions },
      (_, at) => normal() / (at + 4) + (centre?.[at] ?? 0),
    )
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
  const centres = Array.from({ length: 600 }, () => [...near(undefined)].map((value) => 600 * value))
  const vectors = Array.from({ length: 3 * perSegment }, () => near(centres[random.below(centres.length)]))
  const name = (document: number): string => String(document).padStart(6, '0')
  const segments = [0, 1, 2].map((at) => {
    const own = vectors.slice(at * perSegment, (at + 1) * perSegment)
    const ids = own.map((_, place) => name(at * perSegment + place))
    const quantised = quantisedVectors(dimensions)
    own.forEach((vector, place) => {
      quantised.add(ids[place]!, vector)
    })
    const packed = packSections({}, quantised.sections(ids))
    const memory = scanMemory(packed.length)
    memory.bytes.set(packed)
    const scan = memory.open(rowShape(perSegment, dimensions))
    const shape = { documents: perSegment, parts: [dimensions] }
    return { ids: tableOf(ids), rows: vectorRows(unpackSections(scan.bytes), [scan], shape) }
  })
  const rows = joinedRows(
    segments.map((segment) => segment.rows),
    documentsOf(segments.map(({ ids }) => ({ ids, live: null }))),
  )
  const shares = Array.from({ length: 12 }, () => {
    const query = near(centres[random.below(centres.length)])
    const scored = rows.scored(query, null)
    const { documents, scores } = scored.best(depth)
    expect(documents).toHaveLength(depth)
    expect(Array.from(documents, (document) => scored.of(document))).toEqual([...scores])
    const least = vectors
      .map((vector) => dot(vector, query))
      .sort((a, b) => b - a)
      .at(depth - 1)!
    return (
      Array.from(documents).filter((document) => dot(vectors[document]!, query) >= least - 0.01).length /
      depth
    )
  })
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.98)
})
