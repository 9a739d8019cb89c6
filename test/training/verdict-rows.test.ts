import { expect, test } from 'vitest'
import { openCardIndex, packCardIndex } from '../../src/retrieval/index/card-index.ts'
import { inStory, keywordsOf } from '../../embeddings/trainer/src/ranker/request-forms.ts'
import { wholeServers } from '../../embeddings/trainer/src/ranker/whole-servers.ts'
import { seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const drawing = (seed: number): (() => number) => {
  const random = seededRandom(seed)
  return () => random.uint32() / 2 ** 32
}

test('keywords are the words that fewest cards hold, in the order of the request', () => {
  const cards = ['invoice', 'meeting', 'letter'].flatMap((thing) =>
    ['list', 'create', 'rename'].map((verb) =>
      toolCard(`office/${verb}_${thing}`, { description: `You ${verb} one ${thing} of a customer.` }),
    ),
  )
  const index = openCardIndex(packCardIndex(cards))!
  expect(keywordsOf('could you rename that quorvy invoice of this customer', index)).toBe(
    'rename invoice customer',
  )
  expect(keywordsOf('quorvy', index)).toBe('quorvy')
})

test.each([1, 2, 3, 4, 5, 6])('a story of seed %i holds the request, and is 30 to 330 words long', (seed) => {
  const story = inStory('rename the invoice', ['list all meetings'], drawing(seed))
  expect(story).toContain('rename the invoice')
  const words = story.split(/\s+/).length
  expect(words).toBeGreaterThanOrEqual(30)
  expect(words).toBeLessThan(330)
  expect(inStory('rename the invoice', ['list all meetings'], drawing(seed))).toBe(story)
})

test('of tools by server, the server of its tool serves a request', () => {
  const cards = Array.from({ length: 60 }, (_, place) =>
    toolCard(`set/t${place}`, { server: `server-${place % 30}`, description: 'Does it. And more.' }),
  )
  const queries = [{ id: 'q', text: 'do it', relevant: ['set/t3', 'set/t33', 'set/t4'] }]
  const servers = wholeServers({ name: 'set', family: 'sets', cards, queries })!
  expect(servers.cards).toHaveLength(30)
  expect(servers.cards[0]).toMatchObject({ kind: 'agent', agentKind: 'toolkit', name: 'server-0' })
  expect(servers.queries[0]!.relevant).toEqual(['set by server/server-3', 'set by server/server-4'])
  expect(wholeServers({ name: 'set', family: 'sets', cards: cards.slice(0, 10), queries })).toBeNull()
})
