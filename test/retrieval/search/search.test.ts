import { describe, expect, test } from 'vitest'
import type { SearchAnswer, SearchRequest } from '../../../src/retrieval/answer.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { retrievalDefaults } from '../../../src/retrieval/search/retrieve.ts'
import { maxQueryLength } from '../../../src/retrieval/search/request-texts.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { smallCatalog } from '../small-catalog.ts'

const model = hashedWordsModel({ dispatch: 'send', letter: 'email' })
const withVectors = { snapshot: await memorySnapshot(smallCatalog, model), model }
const withoutVectors = { snapshot: await memorySnapshot(smallCatalog), model: null }

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ card }) => card.id)
const tools = (query: string, parts: Partial<SearchRequest> = {}): SearchRequest => ({
  kind: 'tool',
  query,
  ...parts,
})

describe('the ranker', () => {
  test.each([
    { why: 'no vectors are stored', context: withoutVectors, ranker: 'lexical' },
    {
      why: 'there are vectors, but no model for the query',
      context: { ...withVectors, model: null },
      ranker: 'lexical',
    },
    { why: 'there are both', context: withVectors, ranker: 'hybrid' },
  ])('is $ranker by itself when $why', async ({ context, ranker }) => {
    expect((await search(context, tools('send email'))).ranker).toBe(ranker)
    expect((await search(context, tools('send email', { ranker: 'auto' }))).ranker).toBe(ranker)
  })

  test.each(['dense', 'hybrid', 'rrf'] as const)(
    '%s is an error without vectors, or with the model switched off, that says which and what to do',
    async (ranker) => {
      await expect(search(withoutVectors, tools('send email', { ranker }))).rejects.toMatchObject({
        message: `Ranker "${ranker}" needs vectors, and the store has none.`,
        remedy: expect.stringContaining('Run `audition index`'),
      })
      await expect(search({ ...withVectors, model: null }, tools('x', { ranker }))).rejects.toMatchObject({
        message: `Ranker "${ranker}" needs a model, and AUDITION_MODEL=none switches it off.`,
        remedy: expect.stringContaining('Unset it'),
      })
    },
  )

  test.each([
    { ranker: 'lexical', why: 'no word is common', found: false },
    { ranker: 'dense', why: 'the meaning is', found: true },
    { ranker: 'hybrid', why: 'one of both retrievers is enough', found: true },
    { ranker: 'rrf', why: 'one of both retrievers is enough', found: true },
  ] as const)('$ranker finds a synonym: $found, since $why', async ({ ranker, found }) => {
    const answer = await search(withVectors, tools('dispatch letter', { ranker }))
    expect(answer.ranker).toBe(ranker)
    expect(idsOf(answer)[0] === 'post/send_email').toBe(found)
  })

  test('lexical asks no model', async () => {
    const own = hashedWordsModel()
    await search({ ...withVectors, model: own }, tools('send email', { ranker: 'lexical' }))
    expect(own.embedded).toEqual([])
  })

  test('dense tells a cosine and no BM25; lexical the reverse; hybrid both where both found it', async () => {
    const signals = async (ranker: NonNullable<SearchRequest['ranker']>) =>
      (await search(withVectors, tools('send an email', { ranker }))).candidates[0]!.signals
    expect(await signals('dense')).toMatchObject({ dense: expect.any(Number) })
    expect(await signals('dense')).not.toHaveProperty('lexical')
    expect(await signals('lexical')).toMatchObject({ lexical: expect.any(Number) })
    expect(await signals('lexical')).not.toHaveProperty('dense')
    expect(await signals('hybrid')).toMatchObject({ lexical: expect.any(Number), dense: expect.any(Number) })
  })

  test('hybrid goes by the weights of the settings', async () => {
    const firstWith = async (lexical: number, dense: number) => {
      const settings = { ...retrievalDefaults, weights: { lexical, dense } }
      return idsOf(await search({ ...withVectors, settings }, tools('dispatch letter to my inbox')))[0]
    }
    expect(await firstWith(1, 0)).toBe('post/search_inbox')
    expect(await firstWith(0, 1)).toBe('post/send_email')
  })
})

describe('the query', () => {
  test('is embedded once, then step by step, and what is said beside it by itself', async () => {
    const own = hashedWordsModel()
    const query = 'book a flight to Rome and then reserve a hotel room'
    const besides = { context: 'we travel in May', instruction: 'for two people' }
    await search({ ...withVectors, model: own }, tools(query, besides))
    expect(own.embedded).toEqual([
      { role: 'query', text: query },
      { role: 'query', text: 'book a flight to Rome' },
      { role: 'query', text: 'and then reserve a hotel room' },
      { role: 'query', text: 'for two people' },
      { role: 'query', text: 'we travel in May' },
    ])
  })

  test('and its instruction are looked for together', async () => {
    const alone = await search(withoutVectors, tools('convert it'))
    const joined = await search(withoutVectors, tools('convert it', { instruction: 'a recording, to wav' }))
    expect(idsOf(alone)[0]).toBe('money/convert_currency')
    expect(idsOf(joined)[0]).toBe('media/mp3_to_wav')
    expect(joined.candidates[0]!.signals.matched).toContain('recording')
  })

  test('makes the steps; the instruction makes none', async () => {
    const { facets } = await search(
      withoutVectors,
      tools('review a lease', { instruction: 'Be quick. Use few words.' }),
    )
    expect(facets).toEqual(['review a lease'])
  })

  test('is read up to its limit', async () => {
    const filler = 'zzz '.repeat(maxQueryLength / 4)
    expect(idsOf(await search(withoutVectors, tools(`umbrella ${filler}`)))).toEqual(['sky/get_forecast'])
    expect(idsOf(await search(withoutVectors, tools(`${filler} umbrella`)))).toEqual([])
  })

  test('tells which steps a candidate serves best', async () => {
    const { candidates, facets } = await search(
      withoutVectors,
      tools('book a flight to Rome and then reserve a hotel room'),
    )
    const served = Object.fromEntries(candidates.map(({ card, signals }) => [card.id, signals.facets]))
    expect(facets).toHaveLength(2)
    expect(served).toMatchObject({ 'trip/book_flight': [0], 'trip/reserve_hotel': [1] })
  })

  test('tells the step a candidate serves best, not every one it serves', async () => {
    const { candidates } = await search(
      withoutVectors,
      tools('weather forecast for a city and then reserve a hotel room in the city'),
    )
    const served = Object.fromEntries(candidates.map(({ card, signals }) => [card.id, signals.facets]))
    expect(served).toMatchObject({ 'sky/get_forecast': [0], 'trip/reserve_hotel': [1] })
  })

  test('of one step serves none', async () => {
    const { candidates } = await search(withoutVectors, tools('send an email'))
    for (const { signals } of candidates) expect(signals.facets).toEqual([])
  })

  test('of many words tells at most eight of those that matched', async () => {
    const query = 'weather forecast city temperature rain wind seven days umbrella Oslo name'
    const { candidates } = await search(withoutVectors, tools(query))
    expect(candidates[0]!.signals.matched).toHaveLength(8)
  })
})

describe('the number of candidates', () => {
  const many = Array.from({ length: 150 }, (_, place) =>
    toolCard(`s${place}/weather`, { description: `Weather of place ${'abcdefghij'[place % 10]}${place}` }),
  )

  test.each([
    { why: 'five unless asked otherwise', k: undefined, found: 5 },
    { why: 'one', k: 1, found: 1 },
    { why: 'as many as retrieval looks at', k: 100, found: 100 },
  ])('is $found: $why', async ({ k, found }) => {
    const snapshot = await memorySnapshot(many)
    const answer = await search({ snapshot, model: null }, tools('weather', { ...(k ? { k } : {}) }))
    expect(answer.candidates).toHaveLength(found)
    expect(answer.searched).toBe(150)
  })

  test('is what there is when that is less', async () => {
    expect(idsOf(await search(withoutVectors, tools('umbrella', { k: 100 })))).toEqual(['sky/get_forecast'])
  })
})

describe('packing', () => {
  test('folds a mirrored card and tells its id', async () => {
    const { candidates } = await search(withoutVectors, tools('weather forecast for a city'))
    expect(candidates[0]!.card.id).toBe('sky/get_forecast')
    expect(candidates[0]!.signals.duplicates).toEqual(['mirror/get_forecast'])
    expect(candidates.map(({ card }) => card.id)).not.toContain('mirror/get_forecast')
  })

  test('as a bare ranking folds nothing and caps nobody', async () => {
    const answer = await search(withoutVectors, tools('weather forecast for a city', { pack: 'ranking' }))
    expect(idsOf(answer).slice(0, 2).sort()).toEqual(['mirror/get_forecast', 'sky/get_forecast'])
    for (const { signals } of answer.candidates) expect(signals.duplicates).toEqual([])
  })
})

test('a search that is called off ends with the reason', async () => {
  const reason = new Error('the caller went away')
  for (const ranker of ['lexical', 'hybrid'] as const) {
    await expect(search(withVectors, tools('x', { ranker }), AbortSignal.abort(reason))).rejects.toBe(reason)
  }
})

test('the answer names the state of the catalog it was made on', async () => {
  const snapshot = await memorySnapshot(smallCatalog, null, { generation: 7 })
  expect((await search({ snapshot, model: null }, tools('weather'))).generation).toBe(7)
})
