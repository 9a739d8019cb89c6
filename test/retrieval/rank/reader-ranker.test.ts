import { describe, expect, test } from 'vitest'
import type { Standings } from '../../../src/trust/standing.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { rankingModel, rankerOver, split, treesOf } from '../../fakes/ranking-model.ts'
import { rankerByFeature, readingModel } from '../../fakes/reading-model.ts'
import { smallCatalog } from '../small-catalog.ts'

/** To the reader alone a bill is an invoice. */
const model = readingModel(rankerByFeature('reading'), { bill: 'invoice', pay: 'settle' })
const cards = [
  toolCard('a/settle', { name: 'settle', description: 'settle invoice' }),
  toolCard('a/bill_birds', { name: 'birds', description: 'Draws the bill of birds and of other animals' }),
  ...['weather', 'flight', 'ticket', 'photo', 'song', 'recipe'].map((topic) =>
    toolCard(`b/${topic}`, { name: topic, description: `Finds one ${topic} for you` }),
  ),
]
const tools = (query: string, rest: object = {}) => ({ kind: 'tool' as const, query, ...rest })
const firstOf = async (...asked: Parameters<typeof search>): Promise<string | undefined> =>
  (await search(...asked)).candidates[0]?.card.id

describe('search by readings', () => {
  test.each([
    { ranker: 'reader', first: 'a/settle', why: 'the reader knows what is meant' },
    { ranker: 'dense', first: 'a/settle', why: 'so does the second part by itself' },
    { ranker: 'learned', first: 'a/bill_birds', why: 'words alone point elsewhere' },
    { ranker: 'lexical', first: 'a/bill_birds', why: 'and so they do without a ranker' },
  ] as const)('$ranker puts $first first: $why', async ({ ranker, first }) => {
    const context = { snapshot: await memorySnapshot(cards, model), model }
    expect(await firstOf(context, tools('pay bill', { ranker }))).toBe(first)
  })

  test('auto takes it, of tools and of agents, and gives probabilities', async () => {
    const context = { snapshot: await memorySnapshot([...cards, ...smallCatalog], model), model }
    for (const kind of ['tool', 'agent'] as const) {
      const answer = await search(context, { kind, query: 'pay bill' })
      expect(answer.ranker).toBe('reader')
      for (const { score } of answer.candidates) expect(score > 0 && score < 1).toBe(true)
    }
  })

  test('nothing is read for rankers that do not look at it', async () => {
    const snapshot = await memorySnapshot(cards, model)
    model.read.length = 0
    for (const ranker of ['learned', 'lexical'] as const)
      await search({ snapshot, model }, tools('pay bill at Quorv', { ranker }))
    expect(model.read).toEqual([])
  })

  test('what is said beside a request is read too', async () => {
    const context = { snapshot: await memorySnapshot(cards, model), model }
    const said = { instruction: 'settle an invoice', context: 'We talked of songs.' }
    expect(await firstOf(context, tools('do it', said))).toBe('a/settle')
    expect((await search(context, tools('pay bill and find a song', said))).facets.length).toBeGreaterThan(0)
  })

  test('cards of lower tiers are compared among themselves', async () => {
    const standingOf: Standings = (source) => (source === 'a' ? 'newcomer' : 'installed')
    const context = { snapshot: await memorySnapshot(cards, model, { standingOf }), model }
    const { candidates, ranker } = await search(context, tools('pay bill for a song'))
    expect(ranker).toBe('reader')
    expect(candidates.map(({ card }) => card.id)).toContain('a/settle')
  })
})

describe('without readings', () => {
  const plain = rankingModel(rankerOver(treesOf(split('cosine', 0.3, { atMost: -1, above: 1 }))))
  /** Reads no card of more than a few. */
  const sparing: EmbeddingModel = { ...model, mostCards: 3 }

  test.each([
    {
      why: 'the model has none',
      other: plain,
      message: /needs a model with a reader, and ranking-words has none/,
    },
    { why: 'there are more cards than are read', other: sparing, message: /needs cards that were read/ },
  ])('auto is learned and reader is refused where $why', async ({ other, message }) => {
    const context = { snapshot: await memorySnapshot(cards, other), model: other }
    expect((await search(context, tools('pay bill'))).ranker).toBe('learned')
    await expect(search(context, tools('pay bill', { ranker: 'reader' }))).rejects.toThrow(message)
  })

  test('agents are ranked by the plain ranker where their tools were not read', async () => {
    const all = [...cards, ...smallCatalog.filter(({ kind }) => kind === 'agent')]
    const context = { snapshot: await memorySnapshot(all, sparing), model: sparing }
    expect((await search(context, { kind: 'agent', query: 'pay bill' })).ranker).toBe('learned')
  })

  test('an empty catalog is searched all the same', async () => {
    const context = { snapshot: await memorySnapshot([], model), model }
    expect(await search(context, tools('pay bill'))).toMatchObject({ candidates: [], match: 'none' })
  })
})
