import { expect, test } from 'vitest'
import type { Standings } from '../../src/trust/standing.ts'
import { allDefences } from '../../src/retrieval/defences/defence-settings.ts'
import type { LearnedRanker } from '../../src/retrieval/rank/learned-ranker.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { retrievalDefaults } from '../../src/retrieval/search/retrieve.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { matchedTokens } from '../../src/retrieval/rank/soft-match.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { rankerOver, rankingModel, split, treesOf } from '../fakes/ranking-model.ts'
import { wordMatcher } from '../fakes/word-matcher.ts'

const topics = ['invoice', 'weather', 'flight', 'ticket', 'branch', 'photo', 'song', 'recipe']
const cards = topics.flatMap((topic, place) =>
  ['mine', 'theirs', 'new'].map((source) =>
    toolCard(`${source}/${topic}_${place}`, { name: topic, description: `Sends and books a ${topic}.` }),
  ),
)
const standingOf: Standings = (source) =>
  source === 'mine' ? 'installed' : source === 'theirs' ? 'stranger' : 'newcomer'

const words = wordMatcher(topics.map((word, place) => ({ word, direction: 20 * place })))

/** A ranker that tells how many words of cards it compared, and how many candidates its trees scored. */
function counting() {
  const plain = rankerOver(treesOf(split('name-covered', 0.5, { atMost: -1, above: 1 })))
  const counted = { words: 0, scored: [] as number[] }
  const ranker: LearnedRanker = {
    ...plain,
    tokensOf: matchedTokens(words),
    matcher: {
      ...words,
      cosines(tokens, others) {
        counted.words += tokens.length
        return words.cosines(tokens, others)
      },
    },
    trees: {
      ...plain.trees,
      score(rows, count) {
        counted.scored.push(count)
        return plain.trees.score(rows, count)
      },
    },
  }
  return { model: rankingModel(ranker), counted }
}

async function countedIn(query: string, standings: Standings | undefined, provenance = true) {
  const { model, counted } = counting()
  const snapshot = await memorySnapshot(cards, model, standings ? { standingOf: standings } : {})
  const settings = { ...retrievalDefaults, defences: { ...allDefences, provenance } }
  await search({ snapshot, model, settings }, { kind: 'tool', query })
  return counted
}

const request = 'book a flight and then send the invoice'

test('cards of several tiers are compared with a request word by word once, as those of one tier are', async () => {
  const one = await countedIn(request, undefined)
  const several = await countedIn(request, standingOf)
  expect(one.words).toBeGreaterThan(0)
  expect(several.words).toBe(one.words)
})

test('the whole request is scored again without lower tiers, its steps are not', async () => {
  const off = (await countedIn(request, standingOf, false)).scored
  const on = (await countedIn(request, standingOf)).scored
  expect(off).toHaveLength(3)
  expect(on).toHaveLength(5)
})

test('where two cuts leave the same cards one is made', async () => {
  const noStrangers: Standings = (source) => (source === 'mine' ? 'installed' : 'newcomer')
  const off = (await countedIn('book a flight', noStrangers, false)).scored
  const on = (await countedIn('book a flight', noStrangers)).scored
  expect(on.length - off.length).toBe(1)
})
