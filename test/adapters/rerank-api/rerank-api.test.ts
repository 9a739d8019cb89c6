import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fetchOfModel } from '../../../src/adapters/ai-sdk/models/language-model.ts'
import { retryingFetch } from '../../../src/adapters/http/retrying-fetch.ts'
import { rerankOptions } from '../../../src/adapters/rerank-api/options.ts'
import { rerankApi } from '../../../src/adapters/rerank-api/rerank-api.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import type { CrossEncoder, Usage } from '../../../src/retrieval/rank/cross-encoder.ts'
import { rememberScores } from '../../../src/retrieval/rank/remembered-scores.ts'
import { RerankerError } from '../../../src/retrieval/rank/service-failures.ts'
import { keepsTheCrossEncoderContract } from '../../contracts/cross-encoder.ts'
import { type RerankFault, rerankServer } from '../../fakes/rerank-server.ts'
import { unbounded } from '../../fakes/unbounded-spending.ts'

const open: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** Shared words, as a share of the document's. */
function overlap(document: string, query: string): number {
  const words = document.split(' ')
  return words.filter((word) => query.split(' ').includes(word)).length / words.length
}

const waits: number[] = []
const lines = {
  cohere: (origin: string) => `${origin}/v2#rerank-v3.5?format=cohere`,
  jina: (origin: string) => `${origin}/jina#jina-reranker-v2-base-multilingual`,
  voyage: (origin: string) => `${origin}/voyage/#rerank-2.5?format=voyage`,
  tei: (origin: string) => `${origin}#bge-reranker-base?format=tei`,
} as const
const formats = Object.keys(lines) as (keyof typeof lines)[]

/** A reranker on a server that fails as it is told; waits are noted and not kept. */
async function reranker(
  format: keyof typeof lines,
  fault?: (turn: number) => RerankFault | undefined,
  overrides: { readonly seconds?: number; readonly batch?: number } = {},
) {
  const server = await rerankServer(overlap, fault)
  open.push(server)
  waits.length = 0
  const send = retryingFetch(fetchOfModel(new URL(server.origin)), {
    longestWaitMs: 10_000,
    wait: async (ms) => void waits.push(ms),
  })
  const options = { ...rerankOptions(lines[format](server.origin), 'sk-secret'), ...overrides }
  return { server, encoder: rerankApi(options, { send, key: 'sk-secret', spending: unbounded }) }
}

const documents = ['find the weather', 'review a lease', 'write a file', 'a lease']

describe.each(formats)('the wire of %s', (format) => {
  describe('keeps the contract', () =>
    keepsTheCrossEncoderContract(async () => (await reranker(format)).encoder))

  test('is spoken as the provider types it, with the key, and its answer is read by number', async () => {
    const { server, encoder } = await reranker(format)
    const usages: Usage[] = []
    const scores = await encoder.score('review a lease', documents, {
      onUsage: (usage) => usages.push(usage),
    })
    expect([...scores]).toEqual(documents.map((each) => Math.fround(overlap(each, 'review a lease'))))
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      isCharged: true,
      headers: { authorization: 'Bearer sk-secret' },
    })
    const tokens = { input: 400, output: 0 }
    // Of a service that does not tell its tokens about those that were sent count.
    expect(usages).toEqual([
      { tokens: ['jina', 'voyage'].includes(format) ? tokens : { input: 29, output: 0 }, cost: undefined },
    ])
    expect(encoder.id).toMatch(new RegExp(`^rerank:127.0.0.1:\\d+#\\S+\\?format=${format}$`))
    expect(encoder.id).not.toContain('secret')
  })

  test('many documents go in batches, an empty one as a sign', async () => {
    const { server, encoder } = await reranker(format, undefined, format === 'tei' ? {} : { batch: 32 })
    const many = Array.from({ length: 70 }, (_, at) => (at === 40 ? '' : `number ${at} of a lease`))
    const scores = await encoder.score('number 69 lease', many)
    expect(server.requests.map(({ body }) => (body.documents ?? body.texts) as string[])).toEqual([
      many.slice(0, 32),
      many.slice(32, 64).map((each) => each || '-'),
      many.slice(64),
    ])
    expect([...scores]).toEqual(many.map((each) => Math.fround(overlap(each || '-', 'number 69 lease'))))
  })

  const refusals: readonly { readonly fault: RerankFault; readonly says: string }[] = [
    { fault: { status: 401 }, says: 'refused the key (HTTP 401)' },
    { fault: { status: 404 }, says: 'does not know the address or the model (HTTP 404)' },
    { fault: { status: 422 }, says: 'refused the request (HTTP 422)' },
    { fault: { status: 429, retryAfter: '3600' }, says: 'was asked too often (HTTP 429)' },
    { fault: 'slow', says: 'took longer than 0.3 s' },
    { fault: 'reset', says: 'did not answer' },
    { fault: 'late-reset', says: 'did not answer' },
    { fault: 'half', says: 'it is no whole JSON document' },
    { fault: 'broken', says: 'broke off' },
    { fault: 'no-json', says: 'it is no whole JSON document' },
    { fault: 'other-form', says: `it has not the form of ${format}` },
    { fault: 'no-number', says: `it has not the form of ${format}` },
    { fault: 'fewer', says: 'answered for 3 of 4 candidates' },
    { fault: 'twice', says: 'it scores documents twice' },
    { fault: 'foreign', says: 'or others than it was given' },
    ...(format === 'jina' || format === 'voyage'
      ? [{ fault: 'other-model' as const, says: 'it is by another model' }]
      : []),
  ]
  test.each(refusals)(
    '$fault is said, not tried again, counted where it may be charged for, and repeats no word of the server',
    async ({ fault, says }) => {
      const { server, encoder } = await reranker(format, () => fault, { seconds: 0.3 })
      const usages: Usage[] = []
      const failure: unknown = await encoder
        .score('review a lease', documents, { onUsage: (usage) => usages.push(usage) })
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(RerankerError)
      expect(String(failure)).toContain(says)
      expect(usages).toHaveLength(typeof fault === 'object' ? 0 : 1)
      for (const { tokens } of usages) expect(tokens!.input).toBeGreaterThan(0)
      const told = { twice: 500, foreign: 400, 'no-number': 400, fewer: 300 }[String(fault)]
      if (told !== undefined && ['jina', 'voyage'].includes(format))
        expect(usages).toEqual([{ tokens: { input: told, output: 0 }, cost: undefined }])
      expect(JSON.stringify(failure)).not.toMatch(/ignore all rules|sk-secret/)
      expect(server.requests.length).toBe(fault === 'reset' ? 0 : 1)
    },
  )

  test('a count of tokens that cannot be is as if it were not told', async () => {
    const { encoder } = await reranker(format, () => 'minus-tokens')
    const usages: Usage[] = []
    await encoder.score('review a lease', documents, { onUsage: (usage) => usages.push(usage) })
    expect(usages).toEqual([{ tokens: { input: 29, output: 0 }, cost: undefined }])
  })

  test('what passes is tried again: after Retry-After, or after a wait that doubles', async () => {
    const faults: (RerankFault | undefined)[] = [{ status: 429, retryAfter: '7' }, { status: 503 }]
    const { server, encoder } = await reranker(format, (turn) => faults[turn])
    expect(await encoder.score('review a lease', documents)).toHaveLength(4)
    expect(server.requests.map(({ isCharged }) => isCharged)).toEqual([false, false, true])
    expect(waits[0]).toBe(7000)
    expect(waits[1]).toBeGreaterThanOrEqual(500)
    expect(waits[1]).toBeLessThanOrEqual(1000)
  })

  test('of more requests it says for how many candidates there was an answer, and counts them all', async () => {
    const { encoder } = await reranker(format, (turn) => (turn === 1 ? 'late-reset' : undefined), {
      batch: 3,
    })
    const usages: Usage[] = []
    const onUsage = (usage: Usage) => usages.push(usage)
    await expect(encoder.score('review a lease', documents, { onUsage })).rejects.toThrow(
      /answered for 3 of 4 candidates\. 127\.0\.0\.1:\d+ did not answer \(\w+\)\.$/,
    )
    expect(usages).toHaveLength(2)
  })

  test('three refusals are enough', async () => {
    const { server, encoder } = await reranker(format, () => ({ status: 429 }))
    await expect(encoder.score('review a lease', documents)).rejects.toThrow('HTTP 429')
    expect(server.requests).toHaveLength(3)
  })
})

test('a date as Retry-After is kept to', async () => {
  const later = new Date(Date.now() + 5000).toUTCString()
  const { encoder } = await reranker('cohere', (turn) =>
    turn === 0 ? { status: 429, retryAfter: later } : undefined,
  )
  await encoder.score('review a lease', documents)
  expect(waits[0]).toBeGreaterThan(2000)
  expect(waits[0]).toBeLessThanOrEqual(5000)
})

test('a server of another model than the one that is named is found out before it is asked', async () => {
  const server = await rerankServer(overlap)
  open.push(server)
  const options = rerankOptions(`${server.origin}#bge-reranker-v2-m3?format=tei`, undefined)
  const encoder = rerankApi(options, { send: fetchOfModel(new URL(server.origin)), spending: unbounded })
  await expect(encoder.score('review a lease', documents)).rejects.toThrow('by another model')
  expect(server.requests).toEqual([])
})

test('where nothing listens is said', async () => {
  const { server, encoder } = await reranker('jina')
  await server.close()
  await expect(encoder.score('review a lease', documents)).rejects.toThrow('did not answer (ECONNREFUSED)')
  expect(waits).toHaveLength(2)
})

test('an abort by the caller is the caller’s, and ends the wait', async () => {
  const { encoder } = await reranker('jina', () => 'slow')
  const abort = new AbortController()
  const reason = new Error('no longer needed')
  const asked = encoder.score('review a lease', documents, { signal: abort.signal })
  abort.abort(reason)
  await expect(asked).rejects.toBe(reason)
})

/** Faults of one request in three, all kinds alike. */
const kinds: readonly RerankFault[] = [
  { status: 429, retryAfter: '1' },
  { status: 429 },
  { status: 500 },
  { status: 503 },
  { status: 400 },
  'slow',
  'reset',
  'late-reset',
  'half',
  'fewer',
  'other-model',
]

test('of 5,000 searches with a third of faults each ends, and none is charged twice', {
  timeout: 120_000,
}, async () => {
  const random = seededRandom(24)
  const fault = () => (random.uint32() % 3 === 0 ? kinds[random.uint32() % kinds.length] : undefined)
  const { server, encoder: plain } = await reranker('jina', fault, { seconds: 2 })
  const encoder = rememberScores(plain)
  let [read, failed] = [0, 0]
  const searched = async (number: number): Promise<void> => {
    // Searches that belong together ask twice, as those for candidates that can run do.
    for (let time = 0; time < 2; time++) {
      const found = await encoder.score(`search ${number}`, documents).catch((error: unknown) => error)
      if (found instanceof Float32Array && found.length === documents.length) read += 1
      else if (found instanceof RerankerError) failed += 1
    }
  }
  let next = 0
  const worker = async () => {
    while (next < 5000) await searched(next++)
  }
  await Promise.all(Array.from({ length: 64 }, worker))
  expect(read + failed).toBe(10_000)
  const charges = new Map<unknown, number>()
  for (const { body, isCharged } of server.requests)
    if (isCharged) charges.set(body.query, (charges.get(body.query) ?? 0) + 1)
  expect([...charges.values()].filter((times) => times > 1)).toEqual([])
  // Of the faults four in eleven pass, so that about three in four searches are read.
  expect(read).toBeGreaterThan(5000)
  expect(failed).toBeGreaterThan(1000)
})

describe('the line', () => {
  test.each([
    { line: 'cohere#rerank-v3.5', base: 'https://api.cohere.com/v2', format: 'cohere' },
    {
      line: 'https://api.cohere.com/v2/rerank#rerank-v3.5',
      base: 'https://api.cohere.com/v2',
      format: 'cohere',
    },
    { line: 'https://api.jina.ai/v1#m', base: 'https://api.jina.ai/v1', format: 'jina' },
    { line: 'voyage#rerank-2.5?depth=50', base: 'https://api.voyageai.com/v1', format: 'voyage' },
    {
      line: 'http://127.0.0.1:8000/v1#Qwen/Qwen3-Reranker-0.6B',
      base: 'http://127.0.0.1:8000/v1',
      format: 'jina',
    },
    { line: 'http://127.0.0.1:8080', base: 'http://127.0.0.1:8080', format: 'tei' },
    { line: 'http://127.0.0.1:8080/?format=tei&depth=64', base: 'http://127.0.0.1:8080', format: 'tei' },
  ])('$line speaks as $format to $base', ({ line, base, format }) => {
    expect(rerankOptions(line, 'key')).toMatchObject({ base, format })
  })

  test.each([
    { line: '', says: 'AUDITION_RERANKER names no address after "rerank:".' },
    {
      line: 'ftp://host#m',
      says: 'is "rerank:ftp://host", which is neither an http address nor one of cohere',
    },
    { line: 'https://me:sk-secret@host#m', says: 'an address with a user or a password in it' },
    { line: 'sk-ant-api03-aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789', says: 'neither an http address' },
    { line: 'http://host#m#n', says: 'names no model, or more than one, after "rerank:http://host"' },
    { line: 'cohere', says: 'names no model of api.cohere.com' },
    { line: 'cohere#m', key: null, says: 'api.cohere.com needs a key' },
    { line: 'cohere#m?depth=0', says: 'depth is "0"' },
    { line: 'cohere#m?format=qdrant', says: 'format is "qdrant"' },
    { line: 'cohere#m?top=3', says: 'has no setting "top"' },
  ])('"$line" is refused: $says', ({ line, key, says }) => {
    const refused = () => rerankOptions(line, key === null ? undefined : 'key')
    expect(refused).toThrow(says)
    expect(refused).not.toThrow(/sk-secret|aBcDeFgHiJ/)
  })
})

test('a failure stands for the searches that belong together, and is forgotten', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  let asked = 0
  const failing: CrossEncoder = {
    id: 'failing',
    close: async () => {},
    score: async (_, texts) => {
      asked += 1
      if (asked === 1) throw new RerankerError('busy.', 'Later.')
      return new Float32Array(texts.length)
    },
  }
  const encoder = rememberScores(failing, 2)
  await expect(encoder.score('q', ['d'])).rejects.toThrow('busy')
  await expect(encoder.score('q', ['d'])).rejects.toThrow('busy')
  clock.mockReturnValue(6000)
  expect(await encoder.score('q', ['d'])).toHaveLength(1)
  expect(await encoder.score('q', ['d'])).toHaveLength(1)
  expect(asked).toBe(2)
  await encoder.score('q2', ['d'])
  await encoder.score('q3', ['d'])
  await encoder.score('q', ['d'])
  expect(asked).toBe(5)
})

test('searches that ask for the same at once pay for it once; after an abort of the first the other asks', async () => {
  const { server, encoder: plain } = await reranker('jina', (turn) => (turn === 1 ? 'slow' : undefined))
  const encoder = rememberScores(plain)
  const usages: Usage[] = []
  const onUsage = (usage: Usage) => usages.push(usage)
  const both = [1, 2].map(() => encoder.score('review a lease', documents, { onUsage }))
  const [one, other] = await Promise.all(both)
  expect(other).toEqual(one)
  expect([server.requests.length, usages.length]).toEqual([1, 1])
  const abort = new AbortController()
  const first = encoder.score('write', documents, { signal: abort.signal })
  const second = encoder.score('write', documents)
  await vi.waitFor(() => expect(server.requests).toHaveLength(2))
  abort.abort(new Error('no longer needed'))
  await expect(first).rejects.toThrow('no longer needed')
  expect(await second).toHaveLength(4)
})
