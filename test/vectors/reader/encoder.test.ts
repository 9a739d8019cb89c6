import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomTables, safetensorsOf } from '../../../bench/random-reader.ts'
import { bytesOf, sharedBytes } from '../../../src/vectors/kernels/web-assembly.ts'
import { type Encoder, openEncoder } from '../../../src/vectors/reader/encoder.ts'
import { type EncoderShape, tablesOf } from '../../../src/vectors/reader/encoder-tables.ts'
import type { TensorForm } from '../../../src/vectors/reader/safetensors.ts'
import { plainTransformer } from './plain-transformer.ts'

const small: EncoderShape = {
  layers: 2,
  hidden: 48,
  heads: 4,
  intermediate: 96,
  positions: 40,
  tokens: 50,
  epsilon: 1e-12,
}

function encoderOf(shape: EncoderShape, { seed = 1, threads = 1 } = {}): Encoder {
  return opened(safetensorsOf(randomTables(shape, seed), tablesOf(shape)), { shape, threads })
}

function opened(bytes: Uint8Array, { shape = small, threads = 1 } = {}): Encoder {
  return openedIn(inMemory(bytes), { shape, threads })
}

function inMemory(bytes: Uint8Array) {
  const weights = sharedBytes(bytes.length)
  bytesOf(weights).set(bytes)
  return weights
}

function openedIn(weights: ReturnType<typeof inMemory>, { shape = small, threads = 1 } = {}): Encoder {
  const encoder = openEncoder({ weights, shape, file: 'weights.safetensors', threads })
  onTestFinished(() => encoder.close())
  return encoder
}

const text = fc.array(fc.nat(small.tokens - 1), { minLength: 1, maxLength: small.positions })
const furthest = (a: Float32Array, b: readonly number[]): number =>
  a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at]!)), 0)
const digest = (vectors: readonly Float32Array[]): string =>
  createHash('sha256')
    .update(Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer))))
    .digest('hex')

describe('an encoder', () => {
  test.each([
    { layers: 1, seed: 1 },
    { layers: 2, seed: 2 },
    { layers: 3, seed: 3 },
  ])('computes what a plain transformer of $layers layers does', ({ layers, seed }) => {
    const shape = { ...small, layers }
    const encoder = encoderOf(shape, { seed })
    const tables = randomTables(shape, seed)
    const exact = plainTransformer(shape, tables, null)
    const stepped = plainTransformer(shape, tables, 2047)
    fc.assert(
      fc.property(text, (tokens) => {
        const [vector] = encoder.encode([tokens])
        // A value between two steps may fall to either: that is the most by which the second can differ.
        expect(furthest(vector!, stepped(tokens))).toBeLessThan(2e-4)
        expect(furthest(vector!, exact(tokens))).toBeLessThan(2e-3)
      }),
      { numRuns: 40 },
    )
  })

  test('takes heads of 4 values, an odd number of tokens, one token, and all positions', () => {
    const shape = { ...small, heads: 12, layers: 1 }
    const encoder = encoderOf(shape)
    const plain = plainTransformer(shape, randomTables(shape, 1), 2047)
    for (const length of [1, 2, 3, 5, small.positions]) {
      const tokens = Array.from({ length }, (_, at) => (at * 7) % small.tokens)
      expect(furthest(encoder.encode([tokens])[0]!, plain(tokens))).toBeLessThan(2e-4)
    }
  })

  test('gives a text the same bits whatever stands beside it', () => {
    const encoder = encoderOf(small)
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        const alone = texts.map((tokens) => encoder.encode([tokens])[0]!)
        expect(encoder.encode(texts)).toEqual(alone)
      }),
      { numRuns: 30 },
    )
  })

  test.each([16, 31, 32, 33])('also where texts of %s tokens fill what is computed at once', (length) => {
    const encoder = encoderOf(small)
    const texts = Array.from({ length: 20 }, (_, place) =>
      Array.from({ length }, (_, at) => (place * 11 + at * 3) % small.tokens),
    )
    expect(encoder.encode(texts)).toEqual(texts.map((tokens) => encoder.encode([tokens])[0]!))
  })

  test('gives the same bits on two threads as on one', () => {
    const texts = Array.from({ length: 100 }, (_, place) =>
      Array.from(
        { length: 1 + ((place * 13) % small.positions) },
        (_, at) => (place + at * 3) % small.tokens,
      ),
    )
    expect(encoderOf(small, { threads: 2 }).encode(texts)).toEqual(encoderOf(small).encode(texts))
  })

  test('two over the same bytes do not disturb each other', () => {
    const weights = inMemory(safetensorsOf(randomTables(small, 1), tablesOf(small)))
    const [one, other] = [openedIn(weights), openedIn(weights)]
    const first = one.encode([[1, 2, 3]])
    const second = other.encode([[4, 5]])
    expect(
      one.encode([
        [1, 2, 3],
        [4, 5],
      ]),
    ).toEqual([...first, ...second])
    expect(
      encoderOf(small).encode([
        [1, 2, 3],
        [4, 5],
      ]),
    ).toEqual([...first, ...second])
  })

  test('gives the same bits on every machine', () => {
    const texts = Array.from({ length: 20 }, (_, place) =>
      Array.from({ length: 1 + place }, (_, at) => (place * 5 + at) % small.tokens),
    )
    expect(digest(encoderOf({ ...small, layers: 3 }).encode(texts))).toMatchInlineSnapshot(
      `"3833416c17907df7068b7d6f9d0c7665ed4621e9cd743a8a712d15f672d1cfe8"`,
    )
  })

  test("gives the rows of a text's tokens, of which its vector is the mean at length 1", () => {
    const encoder = encoderOf(small)
    const tokens = [3, 1, 4, 1, 5]
    const rows = encoder.rowsOf(tokens)
    expect(rows).toHaveLength(tokens.length * small.hidden)
    const sum = Array.from({ length: small.hidden }, (_, at) =>
      tokens.reduce((all, _token, row) => all + rows[row * small.hidden + at]!, 0),
    )
    const length = Math.hypot(...sum)
    const vector = sum.map((value) => value / length)
    expect(furthest(encoder.encode([tokens])[0]!, vector)).toBeLessThan(1e-5)
    expect(() => encoder.rowsOf([])).toThrow(RangeError)
  })

  test('gives vectors of length 1 that belong to the caller', () => {
    const encoder = encoderOf(small)
    const [first, second] = encoder.encode([
      [1, 2],
      [1, 2],
    ])
    expect(Math.hypot(...first!)).toBeCloseTo(1, 6)
    first!.fill(0)
    expect(encoder.encode([[1, 2]])).toEqual([second])
    expect(encoder.encode([])).toEqual([])
  })

  test('a table of zeros gives no numbers that are none', () => {
    const tables = new Map([...randomTables(small, 1)])
    for (const name of ['embeddings.norm.weight', 'embeddings.norm.bias'])
      tables.set(name, new Float32Array(48))
    const bytes = safetensorsOf(tables, tablesOf(small))
    const [vector] = opened(bytes).encode([[3, 4, 5]])
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 6)
  })

  describe('of words in four bits', () => {
    const levels = Int8Array.of(-127, -90, -70, -50, -35, -20, -10, -3, 0, 3, 10, 20, 35, 50, 90, 127)
    const places = Uint8Array.from(
      { length: small.tokens * small.hidden },
      (_, at) => (at * 7 + (at >> 4)) % 16,
    )
    const words = Int8Array.from(places, (place) => levels[place]!)
    const packed = Uint8Array.from(
      { length: places.length / 2 },
      (_, at) => places[2 * at]! + 16 * places[2 * at + 1]!,
    )
    const forms = new Map<string, TensorForm>([
      ...tablesOf(small),
      ['embeddings.word.packed', { dtype: 'U8', shape: [small.tokens, small.hidden / 2] }],
      ['embeddings.word.levels', { dtype: 'I8', shape: [16] }],
    ])
    const fileWith = (given: readonly (readonly [string, Int8Array | Uint8Array])[]) => {
      const { 'embeddings.word': _, ...rest } = Object.fromEntries(randomTables(small, 1))
      const tables = new Map<string, Int8Array | Uint8Array | Float32Array>(given)
      for (const [name, table] of Object.entries(rest)) tables.set(name, table)
      return opened(safetensorsOf(tables, forms))
    }

    test('computes what it does of the same words in eight', () => {
      const texts = Array.from({ length: 9 }, (_, at) => [2, 3 + at, small.tokens - 1 - at])
      const four = fileWith([
        ['embeddings.word.packed', packed],
        ['embeddings.word.levels', levels],
      ])
      expect(four.encode(texts)).toEqual(fileWith([['embeddings.word', words]]).encode(texts))
    })

    test('says what is missing of them', () => {
      expect(() => fileWith([['embeddings.word.packed', packed]])).toThrow(
        'weights.safetensors: there is no tensor "embeddings.word.levels".',
      )
      expect(() => fileWith([])).toThrow('weights.safetensors: there is no tensor "embeddings.word".')
    })
  })

  test('refuses a text without tokens, and one with more than there are positions', () => {
    const encoder = encoderOf(small)
    expect(() => encoder.encode([[1], []])).toThrow('A text of 0 tokens; from 1 to 40 can be encoded.')
    expect(() => encoder.encode([Array(41).fill(1)])).toThrow(RangeError)
  })
})
