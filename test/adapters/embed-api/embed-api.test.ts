import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fetchOfModel } from '../../../src/adapters/ai-sdk/models/language-model.ts'
import { embedApi } from '../../../src/adapters/embed-api/embed-api.ts'
import { embedOptions } from '../../../src/adapters/embed-api/options.ts'
import { retryingFetch } from '../../../src/adapters/http/retrying-fetch.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { EmbeddingServiceError } from '../../../src/retrieval/rank/embedding-model-error.ts'
import { NotAgreedError } from '../../../src/store/catalog-writer.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'
import { type EmbedFault, embedServer } from '../../fakes/embed-server.ts'

const lines = {
  openai: '/v1#text-embedding-3-small?format=openai',
  ollama: '#some-encoder?format=ollama',
  voyage: '/voyage#voyage-3.5?format=voyage',
  cohere: '/v2#embed-v4.0?format=cohere',
  gemini: '/v1beta#gemini-embedding-001?format=gemini',
} as const
const formats = Object.keys(lines) as (keyof typeof lines)[]

const waits: number[] = []

/** A model of a service that fails as it is told; waits are noted and not kept. */
async function opened(
  line: string,
  fault?: Parameters<typeof embedServer>[0],
  { folder = temporaryFolder(), ...how }: Partial<Parameters<typeof openedAt>[2]> = {},
) {
  const server = await embedServer(fault)
  onTestFinished(() => server.close())
  return { server, folder, open: () => openedAt(server.origin, line, { folder, ...how }) }
}

async function openedAt(
  origin: string,
  line: string,
  {
    folder,
    seconds,
    asks = false,
    store = 'home',
  }: {
    readonly folder: string
    readonly seconds?: number | undefined
    /** Whether a first index waits until somebody agrees, as it does unless the line says otherwise. */
    readonly asks?: boolean
    readonly store?: string
  },
) {
  waits.length = 0
  const wait = async (ms: number): Promise<void> => void waits.push(ms)
  const send = (lost: 'leave' | 'again', sends: number) =>
    retryingFetch(fetchOfModel(new URL(origin)), { lost, sends, wait, longestWaitMs: 300_000 })
  const read = embedOptions(`${origin}${line}`, 'sk-secret')
  const options = {
    ...read,
    ...(seconds ? { seconds } : {}),
    ...(asks ? {} : { unasked: read.unasked ?? 500 }),
  }
  const model = embedApi(options, {
    key: 'sk-secret',
    folder,
    store,
    costOf: (tokens) => tokens / 1e6,
    send: { query: send('leave', 3), document: send('again', 6) },
  })
  if (!asks) await model.service.ready()
  return model
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)
const cards = ['find the weather of a city', 'review a lease', 'write a file']

describe.each(formats)('the wire of %s', (format) => {
  test('is spoken as the provider documents it, with the key and what each text is', async () => {
    const { server, open } = await opened(lines[format])
    const model = await open()
    const vectors = await model.embed(cards, 'document')
    const [query] = await model.embed(['review the lease'], 'query')
    expect(vectors.map((vector) => Math.hypot(...vector))).toEqual(
      [1, 1, 1].map((one) => expect.closeTo(one, 5)),
    )
    const near = vectors.map((vector) => dot(vector, query!))
    expect(near.indexOf(Math.max(...near))).toBe(1)
    expect(model.dimensions).toBe(24)
    const [probe, first, second] = server.requests
    expect(probe!.texts).toEqual(['audition'])
    expect([first!.texts, second!.texts]).toEqual([cards, ['review the lease']])
    const { authorization, 'x-goog-api-key': key } = first!.headers
    expect(format === 'gemini' ? key : authorization).toBe(
      format === 'gemini' ? 'sk-secret' : 'Bearer sk-secret',
    )
    const [ofCard, ofQuery] = [first!, second!].map(({ body }) => JSON.stringify(body))
    const roles = {
      openai: null,
      ollama: null,
      voyage: ['"document"', '"query"'],
      cohere: ['"search_document"', '"search_query"'],
      gemini: ['"RETRIEVAL_DOCUMENT"', '"RETRIEVAL_QUERY"'],
    }[format]
    if (roles !== null) {
      expect(ofCard).toContain(roles[0])
      expect(ofQuery).toContain(roles[1])
    }
    expect(model.id).toBe(`embed:${server.origin}${lines[format]}`)
  })

  test('asks for fewer dimensions where it is told to', async () => {
    const { open } = await opened(`${lines[format]}&dimensions=8`)
    const model = await open()
    expect((await model.embed(cards, 'document')).map(({ length }) => length)).toEqual([8, 8, 8])
    expect(model.id).toContain('dimensions=8')
  })

  const refusals: readonly { readonly fault: EmbedFault; readonly says: string }[] = [
    { fault: { status: 401 }, says: 'refused the key (HTTP 401)' },
    { fault: { status: 404 }, says: 'does not know the address or the model (HTTP 404)' },
    { fault: { status: 429, retryAfter: '3600' }, says: 'was asked too often (HTTP 429)' },
    { fault: 'slow', says: 'took longer than 0.2 s' },
    { fault: 'reset', says: 'did not answer' },
    { fault: 'late-reset', says: 'did not answer' },
    { fault: 'half', says: 'it is no whole JSON document' },
    { fault: 'broken', says: 'broke off' },
    { fault: 'other-form', says: `it has not the form of ${format}` },
    { fault: 'fewer', says: 'it has 2 vectors for 3 texts' },
    { fault: 'no-direction', says: 'a vector has no direction' },
    { fault: 'other-length', says: 'its vectors have 25 dimensions, not 24' },
    { fault: 'mixed-lengths', says: 'its vectors are of different lengths' },
    ...(['openai', 'voyage'].includes(format)
      ? [{ fault: 'twice' as const, says: 'it numbers texts twice' }]
      : []),
    ...(['openai', 'voyage', 'ollama'].includes(format)
      ? [{ fault: 'other-model' as const, says: 'it is by another model' }]
      : []),
  ]
  test.each(refusals)(
    '$fault of a query is said, not tried again, and not asked for a while',
    async ({ fault, says }) => {
      const { server, open } = await opened(lines[format], (turn) => (turn === 0 ? undefined : fault), {
        seconds: fault === 'slow' ? 0.2 : 10,
      })
      const model = await open()
      for (const _ of [1, 2]) {
        const failure: unknown = await model.embed(cards, 'query').catch((error: unknown) => error)
        expect(failure).toBeInstanceOf(EmbeddingServiceError)
        expect(String(failure)).toContain(says)
        expect(JSON.stringify(failure)).not.toMatch(/ignore all rules|sk-secret/)
      }
      expect(server.requests).toHaveLength(2)
    },
  )

  test('what passes is tried again: after Retry-After, or after a wait that doubles', async () => {
    const faults: (EmbedFault | undefined)[] = [undefined, { status: 429, retryAfter: '7' }, { status: 503 }]
    const { open } = await opened(lines[format], (turn) => faults[turn])
    expect(await (await open()).embed(cards, 'document')).toHaveLength(3)
    expect(waits[0]).toBe(7000)
    expect(waits[1]).toBeGreaterThanOrEqual(500)
    expect(waits[1]).toBeLessThanOrEqual(1000)
  })
})

test('the AI SDK sends what we send, and reads the server as we do', async () => {
  const { server, open } = await opened(lines.openai)
  const ours = await (await open()).embed(cards.slice(0, 2), 'document')
  const { origin } = server
  const compatible = createOpenAICompatible({ name: 'local', baseURL: `${origin}/v1` })
  await compatible.embeddingModel('text-embedding-3-small').doEmbed({ values: cards.slice(0, 2) })
  expect(server.requests[2]!.body).toEqual(server.requests[1]!.body)
  const gemini = await openedAt(origin, lines.gemini, { folder: temporaryFolder() })
  const vectors = await gemini.embed(cards.slice(0, 2), 'document')
  const google = createGoogleGenerativeAI({ apiKey: 'sk-secret', baseURL: `${origin}/v1beta` })
  const theirs = await google.embeddingModel('gemini-embedding-001').doEmbed({
    values: cards.slice(0, 2),
    providerOptions: { google: { taskType: 'RETRIEVAL_DOCUMENT' } },
  })
  expect(server.requests.at(-1)!.body).toEqual(server.requests.at(-2)!.body)
  expect(server.requests.at(-1)!.path).toBe(server.requests.at(-2)!.path)
  for (const [at, vector] of theirs.embeddings.entries()) {
    const length = Math.hypot(...vector)
    const unit = Float32Array.from(vector, (value) => value / length)
    expect(dot(unit, vectors[at]!)).toBeGreaterThan(0.999)
    expect(dot(unit, ours[at]!)).toBeGreaterThan(0.999)
  }
})

describe('words before queries and cards', () => {
  test.each([
    { model: 'nomic-embed-text', query: 'search_query: pay', document: 'search_document: pay' },
    { model: 'intfloat/multilingual-e5-small', query: 'query: pay', document: 'passage: pay' },
    { model: 'text-embedding-bge-small-en-v1.5', query: /^Represent this sentence.*: pay$/, document: 'pay' },
    { model: 'qwen3-embedding:0.6b', query: /^Instruct: .*\nQuery:pay$/, document: 'pay' },
    { model: 'text-embedding-3-small', query: 'pay', document: 'pay' },
    { model: 'bge-m3?queryPrefix=q%3A+&documentPrefix=d%3A+', query: 'q: pay', document: 'd: pay' },
  ])('of $model are its family’s, or those that are set', async ({ model, query, document }) => {
    const { server, open } = await opened(`/v1#${model}`)
    const embedding = await open()
    await embedding.embed(['pay'], 'query')
    await embedding.embed(['pay'], 'document')
    const [, asked, stored] = server.requests.map(({ texts }) => texts[0]!)
    expect(asked).toEqual(typeof query === 'string' ? query : expect.stringMatching(query))
    expect(stored).toBe(document)
    if (model.startsWith('qwen3')) {
      await embedding.embedInstructed!('pay', 'find tools')
      expect(server.requests.at(-1)!.texts).toEqual(['Instruct: find tools\nQuery:pay'])
    } else expect(embedding.embedInstructed).toBeUndefined()
  })
})

test('cards go in batches, and those whose vectors are kept are not sent again, by whoever asks', async () => {
  const { server, open } = await opened('/v1#m?batch=32&maxCharacters=100')
  const many = Array.from({ length: 70 }, (_, at) => (at === 40 ? '' : `${at} ${'lease '.repeat(at)}`))
  const first = await (await open()).embed(many, 'document')
  expect(server.requests.slice(1).map(({ texts }) => texts.length)).toEqual([32, 32, 6])
  expect(server.requests[2]!.texts[8]).toBe('-')
  expect(Math.max(...server.requests.flatMap(({ texts }) => texts).map(({ length }) => length))).toBe(100)
  const again = await open()
  expect(again.service!.sendingOf(many)).toMatchObject({ texts: 0, tokens: 0, isAgreed: true })
  expect(await again.embed(many, 'document')).toEqual(first)
  expect(server.requests).toHaveLength(4)
})

test('queries go in batches too, as an evaluation asks them', async () => {
  const { server, open } = await opened(`${lines.cohere}&batch=1000`)
  const many = Array.from({ length: 300 }, (_, at) => `request ${at}`)
  expect(await (await open()).embed(many, 'query')).toHaveLength(300)
  expect(server.requests.slice(1).map(({ texts }) => texts.length)).toEqual([96, 96, 96, 12])
})

test('more than a few cards are sent only once somebody agreed, and the price is told', async () => {
  const { server, open } = await opened('/v1#m?unasked=10')
  const model = await open()
  const many = Array.from({ length: 30 }, (_, at) => `card number ${at}`)
  const sending = model.service!.sendingOf([...many, ...many])
  const { host } = new URL(server.origin)
  expect(sending).toEqual({
    purpose: 'embedding',
    host,
    model: 'm',
    texts: 30,
    tokens: 120,
    cost: 120 / 1e6,
    isAgreed: false,
  })
  await expect(model.embed(many, 'document')).rejects.toThrow(NotAgreedError)
  expect(server.requests).toHaveLength(1)
  model.service!.agree(sending)
  expect(await model.embed(many, 'document')).toHaveLength(30)
  await model.embed(['a query is little'], 'query')
  await model.embed(cards, 'document')
  const more = Array.from({ length: 8 }, (_, at) => `another card ${at}`)
  await expect(model.embed(more, 'document')).rejects.toThrow('8 texts of cards would be sent')
})

test('a first index is asked for however small; once one was agreed to, few changed cards are not', async () => {
  const { server, open } = await opened('/v1#m', undefined, { asks: true })
  const first = await open()
  const sending = first.service!.sendingOf(cards)
  expect(sending.isAgreed).toBe(false)
  await expect(first.embed(cards, 'document')).rejects.toThrow(NotAgreedError)
  await expect(first.embed(['a card'], 'document')).rejects.toThrow('1 text of cards would be sent')
  await expect(first.embed(['a request'], 'query')).rejects.toThrow(NotAgreedError)
  await expect(first.service.ready()).rejects.toThrow('Nobody agreed yet that texts are sent')
  expect(() => first.dimensions).toThrow('Nobody asked')
  // Not even a word of ours went out.
  expect(server.requests).toEqual([])
  first.service!.agree(sending)
  await first.embed(cards, 'document')
  const later = await open()
  expect(later.service!.sendingOf(['a changed card']).isAgreed).toBe(true)
  expect(await later.embed(['a changed card'], 'document')).toHaveLength(1)
})

test('what was agreed for one path or store is agreed for no other, and no path has vectors of another', async () => {
  const line = '#m?format=openai'
  const { server, folder, open } = await opened(`/v1${line}`, undefined, { asks: true })
  const first = await open()
  first.service.agree(first.service.sendingOf(cards))
  await first.embed(cards, 'document')
  const before = server.requests.length
  const otherPath = await openedAt(server.origin, `/voyage${line}`, { folder, asks: true })
  expect(otherPath.id).not.toBe(first.id)
  expect(otherPath.service.sendingOf(cards)).toMatchObject({ texts: 3, isAgreed: false })
  await expect(otherPath.embed(['a request'], 'query')).rejects.toThrow(NotAgreedError)
  const otherStore = await openedAt(server.origin, `/v1${line}`, { folder, asks: true, store: 'elsewhere' })
  expect(otherStore.service.sendingOf(['another card'])).toMatchObject({ texts: 1, isAgreed: false })
  await expect(otherStore.embed(['a request'], 'query')).rejects.toThrow(NotAgreedError)
  expect(server.requests).toHaveLength(before)
})

/** Faults of one request in three. */
const kinds: readonly EmbedFault[] = [
  { status: 429, retryAfter: '1' },
  { status: 429 },
  { status: 500 },
  { status: 503 },
  { status: 400 },
  ...(['reset', 'late-reset', 'half', 'fewer', 'other-length', 'other-model'] as const),
]

test('with a third of faults no card is lost, and none is sent again that was answered', {
  timeout: 120_000,
}, async () => {
  const random = seededRandom(24)
  const fault = (turn: number) =>
    turn === 40 ? 'slow' : random.uint32() % 3 === 0 ? kinds[random.uint32() % kinds.length] : undefined
  const { server, folder } = await opened('/v1#m', fault)
  const many = Array.from({ length: 5000 }, (_, at) => `card number ${at} of the city`)
  let vectors: readonly Float32Array[] | undefined
  for (let run = 0; vectors === undefined && run < 200; run++) {
    // Each run is another process: it knows what is on the disk.
    const line = '/v1#m?batch=16&unasked=5000&dimensions=24'
    const model = await openedAt(server.origin, line, { folder, seconds: 0.1 })
    vectors = await model.embed(many, 'document').catch((error: unknown) => {
      if (error instanceof EmbeddingServiceError) return undefined
      throw error
    })
  }
  expect(vectors).toHaveLength(5000)
  const answered = new Map<string, number>()
  for (const { texts, isAnswered } of server.requests)
    for (const text of isAnswered ? texts : []) answered.set(text, (answered.get(text) ?? 0) + 1)
  expect(answered.size).toBe(5000)
  expect([...answered.values()].filter((times) => times > 1)).toEqual([])
})

test.each([
  { fault: 'broken', says: 'broke off' },
  { fault: 'half', says: 'it is no whole JSON document' },
] as const)(
  '$fault of an answer with cards is asked for again, three times in all',
  async ({ fault, says }) => {
    const { server, open } = await opened('/v1#m', (turn) => (turn === 1 || turn > 2 ? fault : undefined))
    const model = await open()
    expect(await model.embed(cards, 'document')).toHaveLength(3)
    await expect(model.embed(['another card'], 'document')).rejects.toThrow(says)
    expect(server.requests).toHaveLength(1 + 2 + 3)
  },
)

test.each(['reset', 'half'] as const)(
  '%s of the first request of an index run, a word of ours, is asked for again',
  async (fault) => {
    const { server, open } = await opened('/v1#m?unasked=3', (turn) => (turn === 0 ? fault : undefined), {
      asks: true,
    })
    const model = await open()
    await model.service.ready({ forIndex: true })
    expect(model.dimensions).toBe(24)
    expect(server.requests.map(({ texts }) => texts)).toEqual([['audition'], ['audition']])
  },
)

test('only who sends several texts is told to lower their number', async () => {
  const { open } = await opened('/v1#m', (turn) => (turn === 0 ? undefined : 'slow'), { seconds: 0.2 })
  const model = await open()
  const remedyFor = (texts: readonly string[]) =>
    model.embed(texts, 'query').catch(({ remedy }: EmbeddingServiceError) => remedy)
  expect(await remedyFor(['pay'])).toBe('Raise seconds in AUDITION_MODEL.')
  const another = await opened('/v1#m', (turn) => (turn === 0 ? undefined : 'slow'), { seconds: 0.2 })
  const failure: unknown = await (await another.open()).embed(cards, 'query').catch((error: unknown) => error)
  expect(failure).toMatchObject({ remedy: 'Raise seconds in AUDITION_MODEL, or lower batch.' })
})

test('a run that ends early says how many vectors it keeps', async () => {
  const { open } = await opened('/v1#m?batch=2', (turn) => (turn === 2 ? { status: 400 } : undefined))
  const failure: unknown = await (await open()).embed(cards, 'document').catch((error: unknown) => error)
  expect(failure).toMatchObject({
    remedy: expect.stringContaining(
      'Of 3 texts 2 came back as vectors, which are kept: the next run goes on where this one ended.',
    ),
  })
})

test('a run that ends early counts the texts of the whole index, though they are embedded part by part', async () => {
  const { open } = await opened('/v1#m', (turn) => (turn === 3 ? { status: 400 } : undefined))
  const model = await open()
  model.service.sendingOf([...cards, 'one', 'two', 'three'])
  await model.embed(cards.slice(0, 2), 'document')
  await model.embed([cards[2]!, 'one'], 'document')
  const failure: unknown = await model.embed(['two', 'three'], 'document').catch((error: unknown) => error)
  expect(failure).toMatchObject({ remedy: expect.stringContaining('Of 6 texts 4 came back as vectors') })
})

test('after a failure the service is asked again when a while has passed', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const { server, open } = await opened(lines.ollama, (turn) => (turn === 1 ? { status: 400 } : undefined))
  const model = await open()
  await expect(model.embed(['pay'], 'query')).rejects.toThrow('HTTP 400')
  await expect(model.embed(['pay'], 'query')).rejects.toThrow('HTTP 400')
  clock.mockReturnValue(31_000)
  expect(await model.embed(['pay', 'pay'], 'query')).toHaveLength(2)
  await model.embed(['pay'], 'query')
  expect(server.requests).toHaveLength(3)
})

test('searches that ask for the same at once pay for it once; after an abort of the first the other asks', async () => {
  const { server, open } = await opened(lines.ollama, (turn) => (turn === 2 ? 'slow' : undefined))
  const model = await open()
  const [one, other] = await Promise.all([
    model.embed(['pay', 'rent'], 'query'),
    model.embed(['pay'], 'query'),
  ])
  expect(other).toEqual(one.slice(0, 1))
  expect(server.requests.map(({ texts }) => texts)).toEqual([['audition'], ['pay', 'rent']])
  const abort = new AbortController()
  const first = model.embed(['lease'], 'query', abort.signal)
  const second = model.embed(['lease'], 'query')
  await vi.waitFor(() => expect(server.requests).toHaveLength(3))
  abort.abort(new Error('no longer needed'))
  await expect(first).rejects.toThrow('no longer needed')
  expect(await second).toHaveLength(1)
})

test('vectors of another length than those of the store are told, and an unknown length is taken from it', async () => {
  const { server, open } = await opened('/v1#m', undefined, { asks: true })
  const model = await open()
  await model.service!.ready({ stored: 24 })
  expect(server.requests).toEqual([])
  expect(await model.embed(['pay'], 'query')).toHaveLength(1)
  await expect(model.service!.ready({ stored: 25 })).rejects.toThrow('its vectors have 24 dimensions, not 25')
  const other = await open()
  await other.service!.ready({ stored: 8 })
  await expect(other.embed(['pay'], 'query')).rejects.toThrow('its vectors have 24 dimensions, not 8')
})

test('an abort by the caller is the caller’s', async () => {
  const { open } = await opened(lines.ollama, (turn) => (turn === 0 ? undefined : 'slow'))
  const model = await open()
  const abort = new AbortController()
  const reason = new Error('no longer needed')
  const asked = model.embed(['pay'], 'query', abort.signal)
  abort.abort(reason)
  await expect(asked).rejects.toBe(reason)
})

describe('the line', () => {
  test.each([
    { line: 'openai#text-embedding-3-small', base: 'https://api.openai.com/v1', format: 'openai' },
    { line: 'https://api.openai.com/v1/embeddings#m', base: 'https://api.openai.com/v1', format: 'openai' },
    { line: 'ollama#bge-m3', base: 'http://127.0.0.1:11434', format: 'ollama' },
    { line: 'http://gpu.local:11434/api/embed#bge-m3', base: 'http://gpu.local:11434', format: 'ollama' },
    { line: 'http://127.0.0.1:11434/v1#bge-m3', base: 'http://127.0.0.1:11434/v1', format: 'openai' },
    { line: 'voyage#voyage-3.5?dimensions=512', base: 'https://api.voyageai.com/v1', format: 'voyage' },
    { line: 'cohere#embed-v4.0', base: 'https://api.cohere.com/v2', format: 'cohere' },
    {
      line: 'gemini#gemini-embedding-001',
      base: 'https://generativelanguage.googleapis.com/v1beta',
      format: 'gemini',
    },
    {
      line: 'http://127.0.0.1:8000/v1/#Qwen/Qwen3-Embedding-0.6B',
      base: 'http://127.0.0.1:8000/v1',
      format: 'openai',
    },
  ])('$line speaks as $format to $base', ({ line, base, format }) => {
    expect(embedOptions(line, 'key')).toMatchObject({ base, format })
  })

  test.each([
    { line: '', says: 'AUDITION_MODEL names no address after "embed:".' },
    {
      line: 'ftp://host#m',
      says: 'is "embed:ftp://host", which is neither an http address nor one of openai',
    },
    { line: 'https://me:sk-secret@host#m', says: 'an address with a user or a password in it' },
    { line: 'openai', says: 'names no model, or more than one, after "embed:openai"' },
    { line: 'openai#a#b', says: 'names no model, or more than one, after "embed:openai"' },
    { line: 'openai#m', key: null, says: 'api.openai.com needs a key' },
    { line: 'openai#m?dimensions=0', says: 'dimensions is "0"' },
    { line: 'openai#m?format=qdrant', says: 'format is "qdrant"' },
    { line: 'openai#m?pooling=cls', says: 'has no setting "pooling"' },
  ])('"$line" is refused: $says', ({ line, key, says }) => {
    const refused = () => embedOptions(line, key === null ? undefined : 'key')
    expect(refused).toThrow(says)
    expect(refused).not.toThrow('sk-secret')
  })
})
