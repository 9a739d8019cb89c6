import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'

const texts = [
  'review a lease',
  '',
  'find the weather of a city',
  '查询天气',
  `${'read the file '.repeat(400)}`,
  'getUserById(user_id: string)\n\t"quoted" <b>markup</b> 🙂',
  'review a lease',
]

/** What every embedding model promises; run it inside a `describe`, with a factory that gives a fresh model. */
export function keepsTheEmbeddingModelContract(make: () => Promise<EmbeddingModel>): void {
  let model: EmbeddingModel
  beforeAll(async () => {
    model = await make()
  })
  afterAll(() => model.close())

  test('it has an id and a whole number of dimensions', () => {
    expect(model.id).not.toBe('')
    expect(Number.isInteger(model.dimensions) && model.dimensions > 0).toBe(true)
  })

  test.each(['query', 'document'] as const)('every %s gets one vector of length 1', async (role) => {
    const vectors = await model.embed(texts, role)
    expect(vectors).toHaveLength(texts.length)
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array)
      expect(vector).toHaveLength(model.dimensions)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    }
  })

  test.each(['query', 'document'] as const)('each %s keeps its place', async (role) => {
    const together = await model.embed(texts, role)
    for (const [index, text] of texts.entries()) {
      const [alone] = await model.embed([text], role)
      expect(cosine(alone!, together[index]!)).toBeGreaterThan(0.999)
    }
  })

  test('the same text gives the same vector, in one call and in the next', async () => {
    const first = await model.embed(texts, 'query')
    const second = await model.embed(texts, 'query')
    expect(second).toEqual(first)
    expect(first.at(-1)).toEqual(first[0])
  })

  test('different texts give different vectors', async () => {
    const [lease, weather] = await model.embed(['review a lease', 'find the weather of a city'], 'document')
    expect(cosine(lease!, weather!)).toBeLessThan(0.999)
  })

  test('no texts give no vectors', async () => {
    expect(await model.embed([], 'document')).toEqual([])
  })

  test('vectors belong to the caller: changing one changes no other', async () => {
    const [first, second] = await model.embed(['review a lease', 'review a lease'], 'document')
    first!.fill(0)
    expect(Math.hypot(...second!)).toBeCloseTo(1, 5)
    expect(Math.hypot(...(await model.embed(['review a lease'], 'document'))[0]!)).toBeCloseTo(1, 5)
  })

  test('a signal that is already aborted refuses the work with its reason', async () => {
    const reason = new Error('no longer needed')
    await expect(model.embed(texts, 'query', AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  test('closing twice is as closing once', async () => {
    const another = await make()
    await another.close()
    await expect(another.close()).resolves.toBeUndefined()
  })
}

const cosine = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, axis) => sum + value * right[axis]!, 0)
