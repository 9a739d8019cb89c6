import { expect, test } from 'vitest'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { rankerOver, rankingModel, split, treesOf } from '../fakes/ranking-model.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const wordsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `k${letters[at % 26]}${letters[Math.floor(at / 26)]}rv`)

const story = wordsOf(90)
const cards = [
  toolCard('a/named', { name: story[0]!, description: 'Tool of this server.' }),
  toolCard('b/told', { name: 'talk', description: `Speaks of ${story.slice(0, 60).join(' ')}.` }),
  ...wordsOf(110)
    .slice(90)
    .map((word) => toolCard(`c/${word}`, { description: `Speaks of ${word}.` })),
]
const model = rankingModel(rankerOver(treesOf(split('name-covered', 0.5, { atMost: -0.5, above: 0.5 }))))

test.each([
  { terms: 3, first: 'a/named' },
  { terms: 10, first: 'a/named' },
  { terms: 30, first: 'a/named' },
  { terms: 90, first: 'b/told' },
])(
  'of a request of $terms terms the first is $first: the longer, the more do words decide',
  async ({ terms, first }) => {
    const context = { snapshot: await memorySnapshot(cards, model), model }
    const query = story.slice(0, terms).join(' ')
    const { candidates, ranker } = await search(context, { kind: 'tool', query })
    expect(ranker).toBe('learned')
    expect(candidates[0]!.card.id).toBe(first)
  },
)
