import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readToolretSet } from '../../../evals/benchmarks/src/toolret/toolret-folders.ts'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { builtInModel } from '../../../src/compose/open-models.ts'
import type { Card } from '../../../src/domain/card.ts'
import { cardsOfServers } from '../../../src/evaluation/datasets/bundled-tools.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { splitRequest } from '../../../src/retrieval/query/facets.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { seenStories, type Story, storyText } from './stories.ts'
import { talkStories } from './talk-stories.ts'
import { unseenStories } from './unseen-stories.ts'

test.each(seenStories.map((story) => [story.request, storyText(story)]))(
  '%j is what is asked for, and nothing around it',
  (request, text) => {
    const { steps, asked, story } = splitRequest(text)
    expect(steps).toEqual([text])
    expect(asked).toEqual([request])
    expect(story).toBeGreaterThan(0.1)
  },
)

test('of stories that were not looked at before, the request alone is asked for in most', () => {
  const exact = unseenStories.filter((story) => splitRequest(storyText(story)).asked.join() === story.request)
  expect(exact.length).toBeGreaterThanOrEqual(12)
})

test.each([
  'Wish me luck.',
  'Imagine that!',
  'What a week!',
  'Good morning!',
  'The doctor said that I should take it slowly.',
  'When I got off at the market my bag was open.',
  'I should have known better.',
  'I like my old bicycle.',
])('%j in a story asks for nothing', (talk) => {
  const request = 'Show me the invoices of last month.'
  const { asked } = splitRequest(`It was a long day at work. ${talk} ${request} The kids are asleep at last.`)
  expect(asked).toEqual([request])
})

test.each([
  'Undo 4f2a91c on main',
  'Nobody may push to main any more',
  'The heating should stay off on Friday',
  'coordinates of 12 Rue Cler in Paris',
  'does one megabyte in Turkey ruin me',
])('%j is a request in a story that holds no surer one', (request) => {
  const { asked } = splitRequest(`We had a long day at work. It was cold. ${request}. The kids were happy.`)
  expect(asked).toEqual([`${request}.`])
})

test.each([
  'The tank holds 80 litres. It loses two an hour. It was full at noon. How many litres are left at five?',
  'I am writing about gold. Can you get me the current price of it in euros?',
])('what a request is about is no story: %j', (text) => {
  expect(splitRequest(text).story).toBe(0)
})

test.each([
  'Answer in plain English, no tables.',
  'Be brief and polite.',
  'Please be careful.',
  'Do not bother the people at head office with it.',
  'Let me know if you object.',
])('%j says how, and is at most perhaps what is asked for', (manner) => {
  const request = 'Give the vessel Astrid berth 4 for two days.'
  const { steps, asked, perhaps } = splitRequest(
    `We moved our offices in spring, and many papers are still in boxes. The old assistant left us in May. ${manner} ${request} It was a long week here, everybody was tired, and nobody found the key of the cellar.`,
  )
  expect(steps).toHaveLength(1)
  expect(asked).toEqual([request])
  for (const { doubt } of perhaps) expect(doubt).toBeGreaterThan(0)
})

test('of several sentences without a known verb in a story nobody knows which asks', () => {
  const text =
    'The image is a poster. A red logo with some letters. Yellow squares in the corner. It was made in March.'
  expect(splitRequest(text)).toEqual({ steps: [text], asked: [], perhaps: [], story: 0, beyond: 0 })
})

describe('tools for requests in stories', () => {
  const snapshots = new Map<string, CatalogSnapshot>()
  let model: EmbeddingModel

  function cardsOf(catalog: string): readonly Card[] {
    if (catalog === 'bundled')
      return cardsOfServers(join(packageRoot, 'catalog'), join(packageRoot, 'evals/bundled/tools.jsonl'))
    return readToolretSet(join(packageRoot, 'embeddings/trainer/data/tools'), catalog).part.cards
  }

  beforeAll(async () => {
    model = await staticModel(builtInModel)
    const catalogs = new Set([...seenStories, ...unseenStories, ...talkStories].map(({ catalog }) => catalog))
    for (const catalog of catalogs) snapshots.set(catalog, await memorySnapshot(cardsOf(catalog), model))
  })

  async function placesOf(stories: readonly Story[], ranker: 'lexical' | 'learned') {
    const places = { first: 0, ofFive: 0 }
    for (const story of stories) {
      const snapshot = snapshots.get(story.catalog)!
      const request = { kind: 'tool', query: storyText(story), ranker } as const
      const { candidates } = await search({ snapshot, model }, request)
      const place = candidates.findIndex(({ card }) => card.name === story.serves)
      if (place === 0) places.first += 1
      if (place >= 0) places.ofFive += 1
    }
    return places
  }

  test.each([
    ['lexical', seenStories, { first: 8, ofFive: 14 }],
    ['learned', seenStories, { first: 13, ofFive: 13 }],
    ['lexical', unseenStories, { first: 6, ofFive: 13 }],
    ['learned', unseenStories, { first: 10, ofFive: 13 }],
    ['learned', talkStories, { first: 8, ofFive: 9 }],
  ] as const)('by %s', async (ranker, stories, least) => {
    const { first, ofFive } = await placesOf(stories, ranker)
    expect(first).toBeGreaterThanOrEqual(least.first)
    expect(ofFive).toBeGreaterThanOrEqual(least.ofFive)
  })
})
