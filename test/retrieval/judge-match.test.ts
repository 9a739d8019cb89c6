import { describe, expect, test } from 'vitest'
import { judgeMatch, type MatchEvidence } from '../../src/retrieval/judge-match.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { search } from '../../src/retrieval/search.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'
import { hashedWordsModel } from '../fakes/hashed-words-model.ts'
import { smallCatalog } from './small-catalog.ts'

const evidence = (parts: Partial<MatchEvidence>): MatchEvidence => ({
  coverage: 1,
  matchedWords: 4,
  queryWords: 4,
  probability: undefined,
  cosine: undefined,
  searched: 10,
  indexed: 10,
  ...parts,
})

describe('judgeMatch', () => {
  test.each([
    { why: 'all of it is covered', parts: {}, match: 'good' },
    { why: 'half of it is covered by several words', parts: { coverage: 0.5 }, match: 'good' },
    {
      why: 'a short query is covered by its one word',
      parts: { matchedWords: 1, queryWords: 1 },
      match: 'good',
    },
    { why: 'next to nothing is covered', parts: { coverage: 0.05 }, match: 'none' },
    {
      why: 'a learned ranker believes in it, whatever the words say',
      parts: { coverage: 0, matchedWords: 0, probability: 0.9 },
      match: 'good',
    },
    {
      why: 'nothing was said, whatever a learned ranker makes of it',
      parts: { queryWords: 0, coverage: 0, matchedWords: 0, probability: 0.9 },
      match: 'none',
    },
    { why: 'a learned ranker believes in nothing', parts: { probability: 0.001 }, match: 'none' },
    { why: 'little is covered', parts: { coverage: 0.15 }, match: 'weak' },
    {
      why: 'one word of many, and not a telling one',
      parts: { matchedWords: 1, coverage: 0.25 },
      match: 'none',
    },
    { why: 'one word of many, a telling one', parts: { matchedWords: 1, coverage: 0.4 }, match: 'weak' },
    { why: 'two words of many, not telling', parts: { matchedWords: 2, coverage: 0.3 }, match: 'weak' },
    {
      why: 'nothing is covered, but the meaning is near',
      parts: { coverage: 0, matchedWords: 0, cosine: 0.8 },
      match: 'weak',
    },
    {
      why: 'nothing is covered, and the meaning is far',
      parts: { coverage: 0, matchedWords: 0, cosine: 0.2 },
      match: 'none',
    },
    { why: 'the filter leaves no card, however near', parts: { searched: 0, cosine: 0.9 }, match: 'none' },
    { why: 'the catalog has no card', parts: { searched: 0, indexed: 0 }, match: 'none' },
  ] as const)('$match when $why', ({ parts, match }) => {
    const judged = judgeMatch(evidence(parts))
    expect(judged.match).toBe(match)
    expect(judged.note === '').toBe(match === 'good')
  })

  test('more coverage never makes a match worse', () => {
    const order = ['none', 'weak', 'good']
    for (const matchedWords of [0, 1, 2, 3, 4]) {
      const places = Array.from({ length: 101 }, (_, percent) =>
        order.indexOf(judgeMatch(evidence({ matchedWords, coverage: percent / 100 })).match),
      )
      expect(places).toEqual([...places].sort((a, b) => a - b))
    }
  })
})

describe('an answer says honestly how well it fits', () => {
  const ask = async (request: Partial<Parameters<typeof search>[1]>) =>
    search(
      { snapshot: await memorySnapshot(smallCatalog), model: null },
      { kind: 'tool', query: '', ...request },
    )

  test.each([
    { why: 'the card covers it', query: 'list the open issues of a repository', match: 'good', note: '' },
    {
      why: 'one word of four is in a card',
      query: 'weather of distant exoplanets orbiting stars',
      match: 'none',
      note: 'Nothing here fits: hardly any word of the request occurs in a candidate.',
    },
    {
      why: 'half of it is about something else',
      query: 'list repository mushrooms basket',
      match: 'weak',
      note: 'No candidate covers the whole request: check the descriptions before you use one.',
    },
    {
      why: 'no word of it occurs',
      query: 'quantum chromodynamics',
      match: 'none',
      note: 'Nothing here fits: hardly any word of the request occurs in a candidate.',
    },
  ])('$match when $why', async ({ query, match, note }) => {
    expect(await ask({ query })).toMatchObject({ match, note })
  })

  test('many steps are covered by many cards: each step counts by its best', async () => {
    const query = 'book a flight to Rome and then reserve a hotel room, and email the plan to Ann'
    const { match, candidates } = await ask({ query })
    expect(match).toBe('good')
    expect(candidates[0]!.signals.coverage).toBeLessThan(0.45)
  })

  test('when nothing fits, weak candidates are still listed', async () => {
    const { match, candidates } = await ask({ query: 'weather of distant exoplanets orbiting stars' })
    expect(match).toBe('none')
    expect(candidates).not.toEqual([])
  })

  test('a filter that admits no card is named as the reason', async () => {
    const answer = await ask({ query: 'issues', filter: { sources: ['nowhere'] } })
    expect(answer).toMatchObject({ match: 'none', searched: 0, candidates: [] })
    expect(answer.note).toContain('filter admits no card')
  })

  test('without a filter, a catalog without such cards is the reason', async () => {
    const snapshot = await memorySnapshot([toolCard('forge/list')])
    const { match, note } = await search({ snapshot, model: null }, { kind: 'agent', query: 'list' })
    expect({ match, note }).toEqual({ match: 'none', note: 'The catalog holds no card of this kind.' })
  })

  test('an agent that has the right tool fits, whatever it says of itself', async () => {
    const { match, candidates } = await ask({ kind: 'agent', query: 'text of a scanned photo' })
    expect(candidates[0]!.card.id).toBe('store/clerk')
    expect(candidates[0]!.signals.coverage).toBeLessThan(0.1)
    expect(match).toBe('good')
  })

  test('equal meaning without a common word is a weak match at best', async () => {
    const model = hashedWordsModel({ automobile: 'car', hire: 'rental' })
    const cards = [
      agentCard('a/rental', { name: 'car', description: 'rental' }),
      agentCard('a/x', { description: 'something else' }),
    ]
    const snapshot = await memorySnapshot(cards, model)
    const request = { kind: 'agent', query: 'automobile hire' } as const
    const byMeaning = await search({ snapshot, model }, request)
    expect(byMeaning.match).toBe('weak')
    expect(byMeaning.candidates[0]!.card.id).toBe('a/rental')
    expect((await search({ snapshot, model: null }, request)).match).toBe('none')
  })
})
