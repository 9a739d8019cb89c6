import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCardIndex, openSharedIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import { quantisedVectors } from '../../../src/retrieval/index/quantised-vectors.ts'
import { bytesOfRounded, roundedOfBytes, roundedVector } from '../../../src/vectors/rounded-vector.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

/** Side by side, as a model of several parts gives them; null is a part that a card has not. */
const joined = (parts: readonly (Float32Array | null)[], lengths: readonly number[]): Float32Array =>
  Float32Array.from(
    parts.flatMap((part, at) => [...(part ?? new Float32Array(lengths[at]!))]),
    (value) => value / Math.sqrt(parts.length),
  )

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, axis) => sum + value * b[axis]!, 0)

const unitOf = (length: number) =>
  fc
    .array(fc.integer({ min: -50, max: 50 }), { minLength: length, maxLength: length })
    .filter((values) => values.some((value) => value !== 0))
    .map(unit)

const world = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 3 }).chain((lengths) => {
  const [first, ...rest] = lengths
  const card = fc.tuple(unitOf(first!), ...rest.map((length) => fc.option(unitOf(length), { nil: null })))
  return fc.record({
    lengths: fc.constant(lengths),
    cards: fc.array(card, { minLength: 1, maxLength: 30 }),
    query: fc.tuple(...lengths.map(unitOf)),
    left: fc.option(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), { nil: null }),
  })
})

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never

/** Cards without words, in the order of their numbers. */
function indexOf({ lengths, cards }: Pick<World, 'lengths' | 'cards'>) {
  const vectors = quantisedVectors(
    lengths.reduce((sum, length) => sum + length, 0),
    lengths,
  )
  const tools = cards.map((parts, number) => {
    const tool = toolCard(`a/${String(number).padStart(3, '0')}`)
    vectors.add(tool.id, joined(parts, lengths))
    return tool
  })
  return openCardIndex(packCardIndex(tools, { vectors }))!
}

describe('an index of vectors of several parts', () => {
  test('scores each part by its cosines, for those that are admitted and have it', () => {
    fc.assert(
      fc.property(world, ({ lengths, cards, query, left }) => {
        const index = indexOf({ lengths, cards })
        const admitted = left && Uint8Array.from(cards, (_, document) => (left[document] ? 1 : 0))
        const { parts } = index.vectors!.scored(joined(query, lengths), admitted)
        expect(parts).toHaveLength(lengths.length)
        parts.forEach((part, place) => {
          const expected = cards.flatMap((card, document) =>
            card[place] && admitted?.[document] !== 0 ? [[document, cosine(card[place], query[place]!)]] : [],
          ) as [number, number][]
          const { documents, scores } = part.best(cards.length)
          const byDocument = new Map(Array.from(documents, (document, rank) => [document, scores[rank]!]))
          expect([...byDocument.keys()].sort((a, b) => a - b)).toEqual(expected.map(([document]) => document))
          for (const [document, score] of expected) {
            expect(Math.abs(byDocument.get(document)! - score)).toBeLessThan(0.02)
            expect(part.of(document)).toBe(byDocument.get(document))
          }
        })
      }),
    )
  })

  test('has the first part alone for a query of its length, as an index of it alone has', () => {
    fc.assert(
      fc.property(world, ({ lengths, cards, query }) => {
        const both = indexOf({ lengths, cards }).vectors!.scored(query[0]!, null)
        const alone = indexOf({ lengths: lengths.slice(0, 1), cards: cards.map(([first]) => [first]) })
        const one = alone.vectors!.scored(query[0]!, null)
        expect([both.parts.length, one.parts.length]).toEqual([1, 1])
        expect(both.best(9).documents).toHaveLength(Math.min(9, cards.length))
        cards.forEach((_, document) => {
          // A value between two steps may fall to either once it was divided.
          expect(Math.abs(both.of(document) - one.of(document))).toBeLessThan(0.01)
        })
      }),
    )
  })

  test('tells how many documents have each part', () => {
    const [one, two] = [unit([1, 2]), unit([3, 4, 5])]
    const index = indexOf({
      lengths: [2, 3],
      cards: [
        [one, two],
        [one, null],
        [one, two],
      ],
    })
    expect(index.vectors!.held).toEqual([3, 2])
    expect(index.vectors!.dimensions).toBe(5)
  })

  test('is scored in another thread as in its own, each for its own query', () => {
    const [one, two] = [unit([1, 2]), unit([3, 4, 5])]
    const cards: World['cards'] = [
      [one, two],
      [unit([2, -1]), null],
    ]
    const index = indexOf({ lengths: [2, 3], cards })
    const there = openSharedIndex(index.image).vectors!.scored(joined([one, two], [2, 3]), null)
    const here = index.vectors!.scored(joined([one, unit([3, 4, -5])], [2, 3]), null)
    expect([there.parts[1]!.of(0), there.parts[1]!.of(1)]).toEqual([expect.closeTo(1, 2), Number.NaN])
    expect([here.parts[1]!.of(0), here.of(0)]).toEqual([expect.closeTo(0, 2), expect.closeTo(1, 2)])
  })

  test('takes a query whose parts are not of one length, as a sum of others is', () => {
    const [one, two] = [unit([1, 2]), unit([3, 4, 5])]
    const index = indexOf({ lengths: [2, 3], cards: [[one, two]] })
    const query = Float32Array.from([...one.map((value) => 3 * value), ...two.map((value) => value / 7)])
    const { parts } = index.vectors!.scored(query, null)
    expect(parts.map((part) => part.of(0))).toEqual([expect.closeTo(1, 2), expect.closeTo(1, 2)])
  })

  test('refuses a query of another length in words', () => {
    const index = indexOf({ lengths: [2, 3], cards: [[unit([1, 2]), null]] })
    expect(() => index.vectors!.scored(new Float32Array(3), null)).toThrow(
      new RangeError('The query has 3 dimensions, the vectors of the cards have 5.'),
    )
  })
})

test('an image of vectors of one part says nothing of parts', () => {
  const vectors = quantisedVectors(2)
  vectors.add('a/one', Float32Array.of(1, 0))
  const image = Buffer.from(packCardIndex([toolCard('a/one')], { vectors })).toString('latin1')
  expect(image).toContain('"dimensions":2,"hasTokens"')
  expect(image).not.toContain('vectors.1')
})

test('a rounded vector is the same from its bytes, which another number of them is not', () => {
  const vector = Float32Array.of(0.1, -0.7, 0.2, 0, 0)
  const rounded = roundedVector(vector, [3, 2])!
  expect([...rounded.values]).toEqual([18, -127, 36, 0, 0])
  expect(roundedOfBytes(bytesOfRounded(rounded), [3, 2])).toEqual(rounded)
  expect(() => roundedOfBytes(new Uint8Array(12), [3, 2])).toThrow('A vector of 12 bytes, not 13.')
  expect(roundedVector(Float32Array.of(0, Number.NaN), [1, 1])).toBeNull()
})
