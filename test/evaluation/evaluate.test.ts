import { describe, expect, test } from 'vitest'
import { DatasetError } from '../../src/evaluation/datasets/dataset.ts'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import type { EvaluationSettings } from '../../src/evaluation/evaluation-settings.ts'
import { parseRun, runText } from '../../src/evaluation/runs/run-file.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { judged, smallDataset } from './small-dataset.ts'

const lexical = { model: null }
const run = async (settings: EvaluationSettings = {}) => (await evaluate(smallDataset, settings, lexical)).run

/** Embeds a text as the counts of four words; keeps what it was asked. */
function wordModel() {
  const calls: { readonly role: string; readonly texts: readonly string[] }[] = []
  const vocabulary = ['storm', 'moon', 'forecast', 'lease']
  const model: EmbeddingModel = {
    id: 'words',
    dimensions: vocabulary.length + 1,
    async embed(texts, role) {
      calls.push({ role, texts })
      return texts.map((text) => {
        const counts = [0.1, ...vocabulary.map((word) => text.toLowerCase().split(word).length - 1)]
        const length = Math.hypot(...counts)
        return Float32Array.from(counts, (count) => count / length)
      })
    },
    async close() {},
  }
  return { model, calls }
}

describe('a run', () => {
  test('measures every query as worked by hand', async () => {
    const { outcomes } = await run()
    const half = 1 / (1 + 1 / Math.log2(3))
    expect(outcomes.map(({ id, measures }) => [id, measures])).toEqual([
      ['q0', { refusal: 1 }],
      ['q1', { 'ndcg@2': 1, 'recall@2': 1 }],
      ['q2', { 'ndcg@2': half, 'recall@2': 0.5 }],
      ['q3', { 'ndcg@2': 0, 'recall@2': 0 }],
      ['q4', { 'ndcg@2': 1, 'recall@2': 1 }],
      ['q5', { 'ndcg@2': 1, 'recall@2': 1 }],
    ])
  })

  test('keeps what each query found and why, what was wanted, and how it was labelled', async () => {
    const { outcomes } = await run()
    expect(outcomes[4]).toMatchObject({
      id: 'q4',
      part: 'disk',
      text: 'forecast sheet',
      group: 'single',
      relevant: { 'disk/print': 2 },
      candidates: [{ id: 'disk/print', signals: { matched: ['forecast', 'sheet'], coverage: 1 } }],
      match: 'good',
      tokens: 0,
    })
  })

  test('averages over queries, parts and categories: an unanswerable query counts for refusal alone', async () => {
    const { parts, categories, categoryAverages, macro, micro, measures } = await run()
    const sky = (1 + 1 / (1 + 1 / Math.log2(3)) + 0) / 3
    expect(measures).toEqual(['ndcg@2', 'recall@2', 'refusal'])
    expect(parts.map(({ name, category }) => [name, category])).toEqual([
      ['sky', 'web'],
      ['disk', 'web'],
      ['team', 'people'],
    ])
    expect(parts[0]!.estimates['ndcg@2']!.mean).toBeCloseTo(sky, 12)
    expect(parts[0]!.estimates['ndcg@2']!.queries).toBe(3)
    expect(parts[0]!.estimates.refusal).toEqual({ mean: 1, low: 1, high: 1, queries: 1 })
    expect(parts[1]!.estimates).not.toHaveProperty('refusal')
    expect(categories.web!['ndcg@2']!.mean).toBeCloseTo((sky + 1) / 2, 12)
    expect(categories.people!['ndcg@2']!.mean).toBe(1)
    const { byQuery, average } = categoryAverages!
    expect(byQuery.web!['ndcg@2']!.mean).toBeCloseTo((3 * sky + 1) / 4, 12)
    expect(byQuery.people!['ndcg@2']!.mean).toBe(1)
    expect(average.ofParts['ndcg@2']!.mean).toBeCloseTo(((sky + 1) / 2 + 1) / 2, 12)
    expect(average.ofQueries['ndcg@2']!.mean).toBeCloseTo(((3 * sky + 1) / 4 + 1) / 2, 12)
    expect(average.ofQueries['ndcg@2']).toMatchObject({ queries: 5 })
    expect(average.ofParts.refusal!.mean).toBe(1)
    expect(macro['ndcg@2']!.mean).toBeCloseTo((sky + 1 + 1) / 3, 12)
    expect(micro['ndcg@2']!.mean).toBeCloseTo((3 * sky + 1 + 1) / 5, 12)
    expect(micro['ndcg@2']!.low).toBeLessThan(micro['ndcg@2']!.mean)
    expect(micro['ndcg@2']!.high).toBeGreaterThan(micro['ndcg@2']!.mean)
  })

  test('has no averages over categories where parts have none', async () => {
    const plain = { ...smallDataset, parts: smallDataset.parts.map(({ category: _, ...part }) => part) }
    const { run: made } = await evaluate(plain, {}, lexical)
    expect(made.categories).toEqual({})
    expect(made).not.toHaveProperty('categoryAverages')
    expect(parseRun(runText(made), 'run.json')).toEqual(made)
  })

  test('gives the same bytes twice, whatever the clock says', async () => {
    const at = (hour: number) => ({
      now: () => hour * 1000 * Math.random(),
      date: () => `2026-01-01T0${hour}:00:00Z`,
    })
    const [first, second] = await Promise.all(
      [1, 2].map((hour) => evaluate(smallDataset, {}, { ...lexical, clock: at(hour) })),
    )
    expect(runText(second!.run)).toBe(runText(first!.run))
    expect(second!.timing.startedAt).not.toBe(first!.timing.startedAt)
  })

  test('joined, a part is searched among the cards of all, also of parts without queries', async () => {
    const lender = {
      name: 'lender',
      kind: 'tool' as const,
      cards: [toolCard('lender/sheet', { description: 'Forecast sheet of a forecast sheet' })],
      queries: [],
    }
    const lent = { ...smallDataset, parts: [...smallDataset.parts, lender] }
    const foundBy = async (corpus: 'own' | 'joined') => {
      const { run: made } = await evaluate(lent, { corpus }, lexical)
      expect(made.parts).toHaveLength(3)
      return made.outcomes[4]!.candidates.map(({ id }) => id)
    }
    expect(await foundBy('own')).toEqual(['disk/print'])
    expect([...(await foundBy('joined'))].sort()).toEqual(['disk/print', 'lender/sheet', 'sky/forecast'])
  })

  test('asks the index when the queries bring no cards', async () => {
    const { run: own } = await evaluate(
      { ...smallDataset, parts: smallDataset.parts.slice(0, 1).map((part) => ({ ...part, cards: [] })) },
      {},
      { model: null, index: await memorySnapshot(smallDataset.parts[0]!.cards) },
    )
    expect(own.settings.corpus).toBe('index')
    expect(own.outcomes[1]!.measures['ndcg@2']).toBe(1)
  })

  test('reads instructions only when told to', async () => {
    const [without, withThem] = await Promise.all([run(), run({ instruction: 'with' })])
    expect(without!.outcomes[2]!.candidates.map(({ id }) => id)).toEqual(['sky/moon'])
    expect([...withThem!.outcomes[2]!.candidates.map(({ id }) => id)].sort()).toEqual([
      'sky/alerts',
      'sky/moon',
    ])
  })

  test('ranks a pool whole: what no word finds comes last, ties by id', async () => {
    const [sky, ...others] = smallDataset.parts
    const pool = ['sky/moon', 'sky/alerts', 'sky/forecast']
    const queries = [
      judged('p1', 'weather forecast', { 'sky/moon': 1 }, { pool }),
      judged('p2', 'weather forecast', { 'sky/moon': 1 }, { pool: ['sky/alerts', 'sky/moon'] }),
    ]
    const { run: made } = await evaluate(
      { ...smallDataset, parts: [{ ...sky!, queries }, ...others] },
      { measures: ['mrr@10'] },
      lexical,
    )
    expect(made.outcomes.slice(0, 2).map(({ candidates }) => candidates.map(({ id }) => id))).toEqual([
      ['sky/forecast', 'sky/moon', 'sky/alerts'],
      ['sky/moon', 'sky/alerts'],
    ])
    expect(made.outcomes.slice(0, 2).map(({ measures }) => measures['mrr@10'])).toEqual([0.5, 1])
  })

  test('k takes the place of the cutoffs of the headline; measures take the place of the headline', async () => {
    expect((await run({ k: 1 })).measures).toEqual(['ndcg@1', 'recall@1', 'refusal'])
    expect((await run({ measures: ['MRR@5', 'map', 'mrr@5'] })).measures).toEqual(['mrr@5', 'map', 'refusal'])
    expect((await run({ measures: ['map'] })).settings.depth).toBe(100)
    expect((await run()).settings.depth).toBe(20)
  })

  test('names itself by all that sets it apart', async () => {
    expect((await run()).name).toBe('small lexical own')
    expect((await run({ corpus: 'joined', instruction: 'with', pack: 'diverse', limit: 3 })).name).toBe(
      'small lexical joined instructed diverse limit 3',
    )
    expect((await run({ limit: 6 })).name).toBe('small lexical own')
    expect((await run({ parts: ['sky'], choices: { splits: 'all' } })).name).toBe(
      'small lexical own splits all sky',
    )
    expect((await run({ name: 'mine' })).name).toBe('mine')
  })

  test.each([
    {
      why: 'the one that ships',
      id: 'static:audition-1@0123456789ab',
      modelIs: 'shipped',
      name: 'small hybrid own',
    },
    {
      why: 'a trained one',
      id: 'static:ours@0123456789ab',
      modelIs: 'chosen',
      name: 'small hybrid ours own',
    },
    {
      why: 'one of a hub',
      id: 'transformers:acme/minilm?dtype=q8&maxTokens=512',
      modelIs: 'chosen',
      name: 'small hybrid acme/minilm own',
    },
  ] as const)('is called $name with $why', async ({ id, modelIs, name }) => {
    const model = { ...wordModel().model, id }
    expect((await evaluate(smallDataset, {}, { model, modelIs })).run.name).toBe(name)
    const byWords = await evaluate(smallDataset, { ranker: 'lexical' }, { model, modelIs })
    expect(byWords.run.name).toBe('small lexical own')
  })

  test('counts the tokens of the answer a host would get: five candidates', async () => {
    const { run: made } = await evaluate(
      smallDataset,
      {},
      { ...lexical, answerTokens: ({ candidates }) => 100 + candidates.length },
    )
    expect(made.outcomes.map(({ tokens }) => tokens)).toEqual([100, 101, 101, 101, 101, 101])
  })
})

describe('a dense run', () => {
  test('embeds many queries at once, and finds by meaning', async () => {
    const { model, calls } = wordModel()
    const { run: made } = await evaluate(smallDataset, { ranker: 'dense' }, { model })
    expect(made.settings).toMatchObject({ ranker: 'dense', model: 'words' })
    expect(calls.filter(({ role }) => role === 'query').map(({ texts }) => texts.length)).toEqual([4, 1, 1])
    expect(made.outcomes[1]!.candidates[0]!.id).toBe('sky/alerts')
  })

  test('is hybrid when a model is there and nothing else was asked for', async () => {
    const { model } = wordModel()
    expect((await evaluate(smallDataset, {}, { model })).run.settings.ranker).toBe('hybrid')
    expect((await evaluate(smallDataset, { ranker: 'lexical' }, { model })).run.settings).toMatchObject({
      ranker: 'lexical',
      model: null,
    })
  })
})

describe('a run that cannot be', () => {
  test.each([
    { why: 'vectors without a model', settings: { ranker: 'hybrid' as const }, says: /needs vectors/ },
    { why: 'an unknown measure', settings: { measures: ['accuracy'] }, says: /No measure "accuracy"/ },
  ])('$why', async ({ settings, says }) => {
    await expect(run(settings)).rejects.toThrow(says)
  })

  test('no queries at all, or no cards to search', async () => {
    const bare = (part: Partial<(typeof smallDataset.parts)[number]>) => ({
      ...smallDataset,
      parts: smallDataset.parts.map((one) => ({ ...one, ...part })),
    })
    await expect(evaluate(bare({ queries: [] }), {}, lexical)).rejects.toThrow(DatasetError)
    await expect(evaluate(bare({ cards: [] }), { corpus: 'own' }, lexical)).rejects.toThrow(
      'small: part "sky" has queries but no cards to search.',
    )
  })
})

describe('while it runs', () => {
  test('it tells how far it is and, from the first batch on, how long it will take', async () => {
    const told: unknown[] = []
    let now = 0
    const clock = { now: () => (now += 1000), date: () => '2026-01-01T00:00:00Z' }
    const { timing } = await evaluate(
      smallDataset,
      {},
      { ...lexical, clock, onProgress: ({ part, done, total }) => told.push([part, done, total]) },
    )
    expect(told).toEqual([
      ['sky', 0, 6],
      ['sky', 4, 6],
      ['disk', 4, 6],
      ['disk', 5, 6],
      ['team', 5, 6],
      ['team', 6, 6],
    ])
    expect(timing.searchMs).toMatchObject({ p50: 1000, sum: 6000 })
    expect(timing.indexingMs).toBe(3000)
  })

  test('it can be stopped between two batches', async () => {
    const stop = new AbortController()
    const stopped = evaluate(
      smallDataset,
      {},
      { ...lexical, signal: stop.signal, onProgress: ({ done }) => done > 0 && stop.abort() },
    )
    await expect(stopped).rejects.toThrow(/abort/i)
  })

  test('messages get in between batches: it can be stopped from outside', async () => {
    const stop = new AbortController()
    const stopped = evaluate(smallDataset, {}, { ...lexical, signal: stop.signal })
    setImmediate(() => stop.abort())
    await expect(stopped).rejects.toThrow(/abort/i)
  })

  test('lets other work have its turn between any two queries', async () => {
    const parts = smallDataset.parts.map((part) => ({
      ...part,
      queries: part.queries.flatMap((query) =>
        Array.from({ length: 8 }, (_, at) => ({ ...query, id: `${query.id} ${at}` })),
      ),
    }))
    const asked = parts.reduce((sum, { queries }) => sum + queries.length, 0)
    let [turns, isOver] = [0, false]
    const turn = (): void => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await evaluate({ ...smallDataset, parts }, {}, lexical)
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(asked)
  })
})
