import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CrossEncoder } from '../../src/retrieval/rank/cross-encoder.ts'

const documents = [
  'find the weather of a city',
  '',
  'review a lease',
  '查询天气',
  `${'read the file '.repeat(400)}`,
  'getUserById(user_id: string)\n\t"quoted" <b>markup</b> 🙂',
  'review a lease',
]

/** What every cross-encoder promises; run it inside a `describe`, with a factory that gives a fresh one. */
export function keepsTheCrossEncoderContract(make: () => Promise<CrossEncoder>): void {
  let encoder: CrossEncoder
  beforeAll(async () => {
    encoder = await make()
  })
  afterAll(() => encoder.close())

  test('it has an id', () => {
    expect(encoder.id).not.toBe('')
  })

  test.each([{ query: 'review a lease' }, { query: '' }, { query: 'read a file '.repeat(1500) }])(
    'every document gets one finite number for "$query"',
    async ({ query }) => {
      const scores = await encoder.score(query, documents)
      expect(scores).toBeInstanceOf(Float32Array)
      expect(scores).toHaveLength(documents.length)
      expect(scores.every(Number.isFinite)).toBe(true)
    },
  )

  test('each document keeps its place, whatever stands beside it', async () => {
    const together = await encoder.score('review a lease', documents)
    for (const [index, document] of documents.entries()) {
      const [alone] = await encoder.score('review a lease', [document])
      expect(together[index]).toBeCloseTo(alone!, 4)
    }
  })

  test('the same pair gives the same number, in one call and in the next', async () => {
    const first = await encoder.score('review a lease', documents)
    expect(await encoder.score('review a lease', documents)).toEqual(first)
    expect(first.at(-1)).toBe(first[2])
  })

  test('the query has a say', async () => {
    const [lease] = await encoder.score('review a lease', ['review a lease'])
    const [weather] = await encoder.score('find the weather', ['review a lease'])
    expect(lease).not.toBeCloseTo(weather!, 4)
  })

  test('no documents give no numbers', async () => {
    expect(await encoder.score('review a lease', [])).toEqual(new Float32Array(0))
  })

  test('a signal that is already aborted refuses the work with its reason', async () => {
    const reason = new Error('no longer needed')
    await expect(encoder.score('lease', documents, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
  })

  test('closing twice is as closing once, and a closed one refuses work', async () => {
    const another = await make()
    await another.close()
    await expect(another.close()).resolves.toBeUndefined()
    await expect(another.score('lease', ['lease'])).rejects.toThrow('closed')
  })
}
