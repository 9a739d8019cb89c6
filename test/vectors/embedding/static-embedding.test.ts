import { RemedyError } from '../../../src/domain/remedy-error.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openEmbedding, packEmbedding } from '../../../src/vectors/embedding/packed-embedding.ts'

import { byteTokens } from '../../../src/vectors/embedding/segment-word.ts'
import {
  type LearnedWeights,
  quantise,
  staticEmbedding,
} from '../../../src/vectors/embedding/static-embedding.ts'
import { vocabularyOf } from '../../../src/vectors/embedding/vocabulary.ts'

const words = ['send', 'email', 'invoice', 'weather', 'city']
const vocabulary = vocabularyOf([...byteTokens, ...words])
const dimensions = 8

/** Weights that numbers decide: the vector of token t holds sin(t * 7 + i). */
const learned = (more: Partial<LearnedWeights> = {}): LearnedWeights => ({
  vocabulary,
  dimensions,
  table: Float32Array.from({ length: vocabulary.size * dimensions }, (_, at) => Math.sin(at * 0.9)),
  queryWeights: Float32Array.from({ length: vocabulary.size }, (_, token) => Math.cos(token)),
  documentWeights: Float32Array.from({ length: vocabulary.size }, (_, token) => Math.sin(token)),
  queryLimit: 4,
  fields: [
    { name: 'name', limit: 2, weight: 1.5 },
    { name: 'description', limit: 3, weight: 0.5 },
  ],
  ...more,
})

/**
 * The definition over the weights before rounding, with how far rounding can turn it: every vector is off by at
 * most half a step per dimension, and vectors that nearly cancel each other leave a short sum of long parts.
 */
function expected(
  { table, queryWeights, documentWeights, fields, queryLimit }: LearnedWeights,
  texts: string | { readonly [field: string]: string },
): { readonly vector: number[]; readonly leastCosine: number } {
  const sum = new Array<number>(dimensions).fill(0)
  let error = 0
  const add = (text: string, limit: number, weights: Float32Array, weight: number): void => {
    for (const token of vocabulary.encode(text, limit)) {
      const row = table.subarray(token * dimensions, (token + 1) * dimensions)
      const factor = weight * Math.exp(weights[token]!)
      row.forEach((value, at) => {
        sum[at]! += factor * value
      })
      error += factor * (Math.max(...row.map(Math.abs)) / 254) * Math.sqrt(dimensions)
    }
  }
  if (typeof texts === 'string') add(texts, queryLimit, queryWeights, 1)
  else for (const { name, limit, weight } of fields) add(texts[name] ?? '', limit, documentWeights, weight)
  const length = Math.hypot(...sum)
  const sine = length > 0 ? Math.min(1, error / length) : 0
  return {
    vector: sum.map((value) => (length > 0 ? value / length : 0)),
    leastCosine: Math.sqrt(1 - sine * sine) - 1e-5,
  }
}

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, at) => sum + value * b[at]!, 0)

const text = fc.array(fc.constantFrom(...words, 'ω', 'xyz'), { maxLength: 8 }).map((list) => list.join(' '))

describe('static embedding', () => {
  const embedding = staticEmbedding(quantise(learned()))

  test('a query is the weighted mean of its tokens, but for the rounding to 8 bits', () => {
    fc.assert(
      fc.property(text, (query) => {
        const vector = embedding.query(query)
        const wanted = expected(learned(), query)
        if (query === '') return vector.every((value) => value === 0)
        return (
          cosine(vector, wanted.vector) > wanted.leastCosine && Math.abs(cosine(vector, vector) - 1) < 1e-5
        )
      }),
    )
  })

  test('a document reads each field up to its limit, with its weight', () => {
    fc.assert(
      fc.property(text, text, (name, description) => {
        const vector = embedding.document({ name, description, unknown: 'weather' })
        const wanted = expected(learned(), { name, description })
        return name + description === ''
          ? vector.every((value) => value === 0)
          : cosine(vector, wanted.vector) > wanted.leastCosine
      }),
    )
  })

  test('tokens beyond a limit, missing fields and unknown fields change nothing', () => {
    expect(embedding.query('send email invoice weather city')).toEqual(
      embedding.query('send email invoice weather send'),
    )
    expect(embedding.document({ name: 'send email' })).toEqual(
      embedding.document({ name: 'send email city', other: 'weather' }),
    )
  })

  test('tokens meet tokens by the cosine of their vectors; a token itself by 1, one without vector by 0', () => {
    const table = learned().table
    const [send, email, city] = words.map((word) => vocabulary.encode(word, 1)[0]!) as [
      number,
      number,
      number,
    ]
    table.fill(0, city * dimensions, (city + 1) * dimensions)
    const { tokens } = staticEmbedding(quantise(learned({ table })))
    const row = (token: number) => Array.from(table.subarray(token * dimensions, (token + 1) * dimensions))
    const wanted = cosine(row(send), row(email)) / (Math.hypot(...row(send)) * Math.hypot(...row(email)))
    const found = tokens.cosines([send, city], [send, email, city])
    expect(found[0]).toBe(1)
    expect(found[1]).toBeCloseTo(wanted, 2)
    expect([found[2], found[3]]).toEqual([0, 0])
    expect(found[5]).toBe(1)
    expect(tokens.queryWeight(city)).toBe(0)
    expect(tokens.queryWeight(send)).toBeCloseTo(Math.hypot(...row(send)) * Math.exp(Math.cos(send)), 1)
    expect([...tokens.tokensOf('send email send city', 3)]).toEqual([send, email])
  })
})

describe('quantised weights', () => {
  test('the largest value of each vector becomes 127, and no value is off by more than half a step', () => {
    const { table } = learned()
    const { rows } = quantise(learned())
    for (let token = 0; token < vocabulary.size; token++) {
      const own = table.subarray(token * dimensions, (token + 1) * dimensions)
      const largest = Math.max(...own.map(Math.abs))
      const rounded = rows.subarray(token * dimensions, (token + 1) * dimensions)
      expect(Math.max(...Array.from(rounded, Math.abs))).toBe(127)
      own.forEach((value, at) => {
        expect(Math.abs(value - (rounded[at]! * largest) / 127)).toBeLessThanOrEqual(largest / 254 + 1e-6)
      })
    }
  })
})

describe('packed embedding', () => {
  const packed = packEmbedding(quantise(learned()))

  test('opens to the same vectors, to the last bit, also at an odd place of a larger buffer', () => {
    const shifted = new Uint8Array(packed.bytes.length + 1)
    shifted.set(packed.bytes, 1)
    const before = staticEmbedding(quantise(learned()))
    for (const bytes of [packed.bytes, shifted.subarray(1)]) {
      const after = staticEmbedding(openEmbedding({ head: packed.head, bytes }, 'weights.bin'))
      expect(after.query('send email xyz')).toEqual(before.query('send email xyz'))
      expect(after.document({ name: 'weather' })).toEqual(before.document({ name: 'weather' }))
    }
  })

  test('its head survives JSON', () => {
    expect(JSON.parse(JSON.stringify(packed.head))).toEqual(packed.head)
    expect(packed.head).toMatchObject({ dimensions, tokens: vocabulary.size, queryLimit: 4 })
  })

  test.each([
    { why: 'cut short', bytes: packed.bytes.subarray(0, -1), message: /weights\.bin: \d+ bytes, but/ },
    { why: 'too long', bytes: new Uint8Array([...packed.bytes, 0]), message: /weights\.bin: \d+ bytes, but/ },
    {
      why: 'changed in one place',
      bytes: packed.bytes.map((value, at) => (at === packed.bytes.length - 9 ? value ^ 1 : value)),
      message: /weights\.bin: the checksum/,
    },
  ])('bytes that are $why are refused, and the file is named', ({ bytes, message }) => {
    const open = () => openEmbedding({ head: packed.head, bytes }, 'weights.bin')
    expect(open).toThrow(RemedyError)
    expect(open).toThrow(message)
  })
})
