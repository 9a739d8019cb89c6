import { describe, expect, test } from 'vitest'
import type { Card } from '../../../src/domain/card.ts'
import { analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import type { SearchAnswer, SearchRequest } from '../../../src/retrieval/answer.ts'
import { answerFeatureNames } from '../../../src/retrieval/rank/answer-features.ts'
import { boostedTrees } from '../../../src/retrieval/rank/boosted-trees.ts'
import {
  candidateFeatures,
  evidenceOfText,
  featureNames,
} from '../../../src/retrieval/rank/candidate-features.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import type { ScoreList } from '../../../src/retrieval/rank/fusion.ts'
import { type LearnedRanker, rankByLearned } from '../../../src/retrieval/rank/learned-ranker.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { retrievalDefaults, retrieve } from '../../../src/retrieval/search/retrieve.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { trainBoostedTrees } from '../../../embeddings/trainer/src/boosting/train-boosted-trees.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { rankerOver, rankingModel, split, treesOf } from '../../fakes/ranking-model.ts'
import { wordMatcher } from '../../fakes/word-matcher.ts'
import { type DrawnTree, modelOf } from '../arbitrary-trees.ts'
import { smallCatalog } from '../small-catalog.ts'

const idsOf = ({ candidates }: SearchAnswer): string[] => candidates.map(({ card }) => card.id)
const tools = (query: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  kind: 'tool',
  query,
  ...more,
})

/**
 * Per topic the tool that is named so, and one that only speaks of it, in more of the words people ask with: plain
 * fusion prefers the second.
 */
const topics = ['kob', 'lum', 'vax', 'dorn', 'plim', 'grut', 'zek', 'hask', 'brun', 'tolk']
const topicCards: readonly Card[] = topics.flatMap((topic) => [
  toolCard(`named/${topic}`, { name: topic, description: 'Tool of this server.' }),
  toolCard(`other/${topic}_talk`, { name: 'talk', description: `Speaks of ${topic} quorvly.` }),
])
const asking = (topic: string) => `${topic} quorvly`

const byName = rankerOver(treesOf(split('name-covered', 0.5, { atMost: -1, above: 1 })))

describe('an order that plain fusion gets wrong', () => {
  test('is put right by a ranker that knows what names are worth', async () => {
    const model = rankingModel(byName)
    const context = { snapshot: await memorySnapshot(topicCards, model), model }
    for (const topic of topics) {
      const fused = await search(context, tools(asking(topic), { ranker: 'hybrid' }))
      expect(idsOf(fused)[0]).toBe(`other/${topic}_talk`)
      const learned = await search(context, tools(asking(topic)))
      expect(learned.ranker).toBe('learned')
      expect(idsOf(learned)[0]).toBe(`named/${topic}`)
      expect(learned.candidates[0]!.score).toBeCloseTo(1 / (1 + Math.exp(-1)), 9)
      // What was retrieved, and its evidence, stays.
      expect(learned.candidates[0]!.signals).toMatchObject({
        lexical: expect.any(Number),
        dense: expect.any(Number),
        matched: [topic],
      })
    }
  })

  test('is put right for topics never seen, by trees trained on others', async () => {
    const model = hashedWordsModel()
    const { indexes } = await memorySnapshot(topicCards, model)
    const seen = topics.slice(0, 6)
    const width = featureNames.length
    const perQuery: { rows: Float32Array; grades: number[] }[] = []
    for (const topic of seen) {
      const text = asking(topic)
      const [vector] = await model.embed([text], 'query')
      const lookup = { text, vector: vector! }
      const found = retrieve(indexes.tool, lookup, {
        ranker: 'hybrid',
        settings: retrievalDefaults,
        admitted: null,
        learned: null,
      })
      const documents = [...found.fused.keys()]
      const evidence = { index: indexes.tool, ...found }
      const rows = candidateFeatures(
        {
          ...evidence,
          cosineOf: () => Number.NaN,
          ...evidenceOfText(indexes.tool, text, byName.matcher),
        },
        documents,
      )
      const grades = documents.map((document) => Number(indexes.tool.ids.at(document) === `named/${topic}`))
      perQuery.push({ rows, grades })
    }
    const starts = perQuery.map((_, at) =>
      perQuery.slice(0, at).reduce((sum, { grades }) => sum + grades.length, 0),
    )
    const features = new Float32Array(perQuery.reduce((sum, { rows }) => sum + rows.length, 0))
    perQuery.forEach(({ rows }, at) => {
      features.set(rows, starts[at]! * width)
    })
    const trained = trainBoostedTrees({
      features: featureNames,
      objective: 'ranking',
      rows: {
        features,
        groups: Uint32Array.from(starts),
        grades: Float32Array.from(perQuery.flatMap(({ grades }) => grades)),
      },
      settings: { trees: 10, leaves: 4, minimumRows: 2 },
    })
    const own = rankingModel(rankerOver(boostedTrees(trained.model)))
    const context = { snapshot: await memorySnapshot(topicCards, own), model: own }
    for (const topic of topics.slice(6)) {
      expect(idsOf(await search(context, tools(asking(topic), { ranker: 'hybrid' })))[0]).toBe(
        `other/${topic}_talk`,
      )
      expect(idsOf(await search(context, tools(asking(topic))))[0]).toBe(`named/${topic}`)
    }
  })
})

describe('the ranker of a search', () => {
  const model = rankingModel(byName)
  const plain: EmbeddingModel = hashedWordsModel()

  test.each([
    { why: 'model and image have what it takes', wanted: undefined, expected: 'learned' },
    { why: 'so does auto', wanted: 'auto', expected: 'learned' },
    { why: 'it is asked for', wanted: 'learned', expected: 'learned' },
    { why: 'another is asked for', wanted: 'hybrid', expected: 'hybrid' },
    { why: 'words alone are asked for', wanted: 'lexical', expected: 'lexical' },
  ] as const)('is $expected when $why', async ({ wanted, expected }) => {
    const context = { snapshot: await memorySnapshot(smallCatalog, model), model }
    for (const kind of ['tool', 'agent'] as const) {
      const request = { kind, query: 'review the issues', ...(wanted ? { ranker: wanted } : {}) }
      expect((await search(context, request)).ranker).toBe(expected)
    }
  })

  test('is hybrid by itself when the image was packed without tokens, and learned all the same when asked for', async () => {
    // As after a rebuild of the image by a process that had no model at hand.
    const context = { snapshot: await memorySnapshot(smallCatalog, plain), model }
    expect(context.snapshot.indexes.tool.tokens).toBeNull()
    expect((await search(context, tools('send email'))).ranker).toBe('hybrid')
    const asked = await search(context, tools('send email', { ranker: 'learned' }))
    expect(asked.ranker).toBe('learned')
    for (const { score } of asked.candidates) expect(Number.isFinite(score)).toBe(true)
  })

  test('cannot be learned with a model that has no ranker, and the model is named', async () => {
    const context = { snapshot: await memorySnapshot(smallCatalog, plain), model: plain }
    await expect(search(context, tools('send email', { ranker: 'learned' }))).rejects.toMatchObject({
      message: 'Ranker "learned" needs a model with a ranker, and hashed-words has none.',
      remedy: 'Take hybrid instead.',
    })
  })

  test.each([
    {
      why: 'no vectors',
      snapshotModel: null,
      searchModel: model,
      says: { remedy: expect.stringContaining('Run `audition index`') },
    },
    {
      why: 'no model',
      snapshotModel: model,
      searchModel: null,
      says: { message: expect.stringContaining('AUDITION_MODEL=none') },
    },
  ])('cannot be learned with $why, and the way out is told', async ({ snapshotModel, searchModel, says }) => {
    const context = { snapshot: await memorySnapshot(smallCatalog, snapshotModel), model: searchModel }
    await expect(search(context, tools('send email', { ranker: 'learned' }))).rejects.toMatchObject(says)
    expect((await search(context, tools('send email'))).ranker).toBe('lexical')
  })
})

describe('learned scores', () => {
  const model = rankingModel(
    rankerOver(
      treesOf(
        split('cosine', 0.3, { atMost: -0.5, above: 0.5 }),
        split('name-covered', 0.3, { atMost: -0.25, above: 0.75 }),
      ),
      { slope: 2, intercept: -1 },
    ),
  )

  test.each([
    'send an email',
    'weather forecast for a city',
    'book a flight to Rome and then reserve a hotel room',
    '查询天气',
    'zzzz',
    '',
    '!?',
  ])(
    'of "%s" are in 0..1, best first, of every candidate that was found, and the same once more',
    async (query) => {
      const context = { snapshot: await memorySnapshot(smallCatalog, model), model }
      for (const kind of ['tool', 'agent'] as const) {
        const request = { kind, query, k: 100, pack: 'ranking' } as const
        const answer = await search(context, request)
        const scores = answer.candidates.map(({ score }) => score)
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
        }
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        const fused = await search(context, { ...request, ranker: 'hybrid' })
        expect([...idsOf(answer)].sort()).toEqual([...idsOf(fused)].sort())
        expect(await search(context, request)).toEqual(answer)
      }
    },
  )

  test('keep what a filter leaves out left out', async () => {
    const context = { snapshot: await memorySnapshot(smallCatalog, model), model }
    const answer = await search(context, tools('issues', { filter: { servers: ['forge'] }, k: 50 }))
    expect(answer.ranker).toBe('learned')
    expect(answer.candidates.length).toBeGreaterThan(0)
    for (const { card } of answer.candidates) expect(card.source).toBe('forge')
  })

  test.each([
    { why: 'its own words are no name', atMost: -4, above: 1, match: 'good' },
    { why: 'neither its words nor its tool are trusted', atMost: -4, above: -4, match: 'none' },
  ])(
    'of tools lift the agents that own them, the verdict too: $match when $why',
    async ({ atMost, above, match }) => {
      const known = ['kob', 'quorv'].map((word, place) => ({ word, direction: 90 * place }))
      const named = rankingModel({
        ...rankerOver(treesOf(split('name-covered', 0.5, { atMost, above }))),
        matcher: wordMatcher(known),
      })
      const cards = [
        toolCard('shed/kob', { description: 'Quorv.' }),
        agentCard('team/terse', { description: 'Works.', tools: [{ name: 'kob', id: 'shed/kob' }] }),
      ]
      const context = { snapshot: await memorySnapshot(cards, named), model: named }
      const answer = await search(context, { kind: 'agent', query: 'kob quorv' })
      expect(answer.ranker).toBe('learned')
      expect(idsOf(answer)).toEqual(['team/terse'])
      expect(answer.candidates[0]!.signals.lift).toMatchObject({ from: 'shed/kob' })
      expect(answer.match).toBe(match)
    },
  )
})

describe('ranking by what was learned', () => {
  const cards = Array.from({ length: 130 }, (_, at) =>
    toolCard(`a/${String(at).padStart(3, '0')}`, { name: `kob${at}` }),
  )
  const index: CardIndex = openCardIndex(packCardIndex(cards))!
  const asks = {
    index,
    probe: index.probe(analyzeQuery('kob')),
    ...evidenceOfText(index, 'kob', byName.matcher),
  }
  const ranked = (ranker: LearnedRanker, fused: ScoreList) => {
    const found = { lexical: new Map<number, number>(), dense: fused, cosineOf: () => Number.NaN }
    return rankByLearned(ranker, { ...asks, ...found }, { fused }).scores
  }

  test('is the calibrated probability of the trees, by hand', () => {
    const own = rankerOver(treesOf(split('cosine', 0.5, { atMost: -1, above: 3 })), {
      slope: 2,
      intercept: 0.5,
    })
    const scores = ranked(
      own,
      new Map([
        [4, 0.9],
        [2, 0.1],
      ]),
    )
    expect([...scores]).toEqual([
      [4, expect.closeTo(1 / (1 + Math.exp(-6.5)), 12)],
      [2, expect.closeTo(1 / (1 + Math.exp(1.5)), 12)],
    ])
  })

  test('scores the best 120 of the fusion, of equals those of higher numbers', () => {
    const scores = ranked(byName, new Map(cards.map((_, at) => [at, at < 5 ? 2 : 1])))
    expect(scores.size).toBe(120)
    expect([...scores.keys()].slice(0, 7)).toEqual([4, 3, 2, 1, 0, 129, 128])
    expect(scores.has(14)).toBe(false)
  })

  test('says whether anything serves by trees of their own where it has them, else by its best candidate', () => {
    const fused = new Map([
      [4, 0.9],
      [2, 0.1],
    ])
    const found = { lexical: new Map<number, number>(), dense: fused, cosineOf: () => Number.NaN }
    const asked = { ...asks, ...found }
    const own = rankerOver(treesOf(split('cosine', 0.5, { atMost: -1, above: 3 })))
    expect(rankByLearned(own, asked, { fused }).answerable).toBeCloseTo(1 / (1 + Math.exp(-3)), 9)
    const gap = answerFeatureNames.indexOf('score-second')
    const leaf = { atMost: { value: -2 }, above: { value: 2 } }
    const tree = {
      value: 0,
      feature: gap,
      threshold: 3.5,
      missing: 'left',
      left: leaf.atMost,
      right: leaf.above,
    }
    const answers = boostedTrees(modelOf([tree as DrawnTree], answerFeatureNames))
    expect(rankByLearned({ ...own, answers }, asked, { fused }).answerable).toBeCloseTo(
      1 / (1 + Math.exp(-2)),
      9,
    )
    expect(rankByLearned({ ...own, answers }, asked, { fused: new Map() }).answerable).toBe(0)
  })

  test('of nothing is nothing', () => {
    expect(ranked(byName, new Map()).size).toBe(0)
  })

  test('asks for the cosine of what the dense retriever left out, of this query and no other', async () => {
    const model = hashedWordsModel()
    const three = [
      toolCard('a/0', { name: 'kob' }),
      toolCard('a/1', { name: 'kob lum' }),
      toolCard('a/2', { name: 'vax' }),
    ]
    const { indexes } = await memorySnapshot(three, model)
    const nearOnly = rankerOver(treesOf(split('cosine', 0.1, { atMost: -1, above: 1 })))
    const [kob, vax] = (await model.embed(['kob', 'vax'], 'query')) as [Float32Array, Float32Array]
    const settings = { ...retrievalDefaults, depth: 1 }
    const byNear = { ranker: 'learned', settings, admitted: null, learned: nearOnly } as const
    const look = (text: string, vector: Float32Array | null) =>
      retrieve(indexes.tool, { text, vector }, byNear)
    // The dense retriever gives a/0 alone, words give one card too; both are near.
    const both = retrieve(indexes.tool, { text: 'lum', vector: kob }, byNear)
    expect([...both.dense.keys()]).toEqual([0])
    expect([...both.lexical.keys()]).toEqual([1])
    const near = 1 / (1 + Math.exp(-1))
    expect(Object.fromEntries(both.fused)).toEqual({ 0: expect.closeTo(near, 9), 1: expect.closeTo(near, 9) })
    look('vax', vax)
    // Without a vector of its own a text has no cosines: what is left of the last query says nothing of it.
    expect([...look('vax', null).fused]).toEqual([[2, expect.closeTo(1 - near, 9)]])
  })
})

describe('the verdict', () => {
  const model = rankingModel(byName)

  test.each([
    { query: 'send an email', match: 'good' },
    { query: 'book a flight to Rome and then reserve a hotel room', match: 'good' },
    { query: 'quorv zzyx blah', match: 'none' },
    { query: 'send quorv zzyx blah email', match: 'weak' },
  ])(
    'on "$query" is $match, by any ranker, however many candidates are asked for',
    async ({ query, match }) => {
      for (const context of [
        { snapshot: await memorySnapshot(smallCatalog), model: null },
        { snapshot: await memorySnapshot(smallCatalog, model), model },
      ])
        for (const pack of ['diverse', 'ranking'] as const) {
          const { match: usual, note } = await search(context, tools(query, { pack }))
          for (const k of [1, 2, 5, 6, 50]) {
            const answer = await search(context, tools(query, { k, pack }))
            expect({ k, match: answer.match, note: answer.note }).toEqual({ k, match: usual, note })
          }
          if (pack === 'diverse' && context.model === null) expect(usual).toBe(match)
        }
    },
  )

  test('counts what stands in the first five, though one candidate alone was asked for', async () => {
    const steps = ['Book a flight.', 'Reserve a hotel.', 'Send an email.', 'Convert an mp3.']
    const context = { snapshot: await memorySnapshot(smallCatalog), model: null }
    const one = await search(context, tools(steps.join(' '), { k: 1 }))
    expect(one.facets).toHaveLength(4)
    expect(one.candidates).toHaveLength(1)
    // Two words and a quarter of the request: alone it would be a weak match.
    expect(one.candidates[0]!.signals.matched.length).toBe(2)
    expect(one.candidates[0]!.signals.coverage).toBeLessThan(0.45)
    expect(one.match).toBe('good')
  })
})
