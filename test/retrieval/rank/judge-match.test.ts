import { describe, expect, test } from 'vitest'
import { judgeMatch, type MatchEvidence } from '../../../src/retrieval/rank/judge-match.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import type { VerdictThresholds } from '../../../src/retrieval/rank/verdict-thresholds.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { smallCatalog } from '../small-catalog.ts'

const evidence = (parts: Partial<MatchEvidence>): MatchEvidence => ({
  kind: 'tool',
  coverage: 1,
  matchedWords: 4,
  queryWords: 4,
  learned: undefined,
  missing: undefined,
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
    { why: 'next to nothing is covered', parts: { coverage: 0.01, matchedWords: 1 }, match: 'none' },
    {
      why: 'little of a long request is covered, but by several words',
      parts: { coverage: 0.01, matchedWords: 3, queryWords: 90 },
      match: 'weak',
    },
    {
      why: 'a learned ranker believes in it, and a candidate is near in meaning, whatever the words say',
      parts: { coverage: 0, matchedWords: 0, cosine: 0.6, learned: { probability: 0.9, known: 1 } },
      match: 'good',
    },
    {
      why: 'a learned ranker believes in it, and no candidate shares anything with it',
      parts: { coverage: 0.03, matchedWords: 0, cosine: 0.2, learned: { probability: 0.9, known: 1 } },
      match: 'weak',
    },
    {
      why: 'a learned ranker believes in it, but can read none of it, nor does a candidate hold it',
      parts: { coverage: 0, matchedWords: 0, learned: { probability: 0.9, known: 0.2 } },
      match: 'weak',
    },
    {
      why: 'a learned ranker believes in it, and the reading of a candidate is near, though words say nothing',
      parts: {
        coverage: 0,
        matchedWords: 0,
        cosine: 0.1,
        reading: 0.45,
        learned: { probability: 0.9, known: 0.2 },
      },
      match: 'good',
    },
    {
      why: 'a learned ranker believes in it, and no reading is near',
      parts: {
        coverage: 0,
        matchedWords: 0,
        cosine: 0.1,
        reading: 0.3,
        learned: { probability: 0.9, known: 1 },
      },
      match: 'weak',
    },
    {
      why: 'a learned ranker can read none of it, and a candidate holds it',
      parts: { learned: { probability: 0.9, known: 0.2 } },
      match: 'good',
    },
    {
      why: 'nothing was said, whatever a learned ranker makes of it',
      parts: { queryWords: 0, coverage: 0, matchedWords: 0, learned: { probability: 0.9, known: 1 } },
      match: 'none',
    },
    {
      why: 'a learned ranker believes in nothing',
      parts: { learned: { probability: 0.001, known: 1 } },
      match: 'none',
    },
    { why: 'little is covered', parts: { coverage: 0.15 }, match: 'weak' },
    {
      why: 'one word of many, and not a telling one',
      parts: { matchedWords: 1, coverage: 0.25 },
      match: 'weak',
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

describe('judgeMatch by a learned ranker', () => {
  const thresholds: VerdictThresholds = {
    none: -1,
    good: 1,
    eased: [
      { words: { from: 30 }, by: 0.5 },
      { kind: 'agent', cards: { from: 100, below: 1000 }, by: 1 },
    ],
  }
  const atOdds = (logOdds: number, known = 1) => ({
    probability: 1 / (1 + Math.exp(-logOdds)),
    known,
    thresholds,
  })
  test.each([
    { why: 'the odds reach the upper threshold', learned: atOdds(1.1), parts: {}, match: 'good' },
    { why: 'they lie between', learned: atOdds(0), parts: {}, match: 'weak' },
    { why: 'they lie below both', learned: atOdds(-1.1), parts: {}, match: 'none' },
    { why: 'long requests are eased', learned: atOdds(-1.1), parts: { queryWords: 30 }, match: 'weak' },
    {
      why: 'agents of such a catalog are eased more',
      learned: atOdds(-1.9),
      parts: { kind: 'agent', indexed: 500, queryWords: 30 },
      match: 'weak',
    },
    {
      why: 'a larger catalog of them is not',
      learned: atOdds(-1.9),
      parts: { kind: 'agent', indexed: 1000 },
      match: 'none',
    },
    { why: 'the model knows few of the words', learned: atOdds(-4, 0.5), parts: {}, match: 'weak' },
    {
      why: 'the model knows no word: that alone makes nothing good',
      learned: atOdds(0.9, 0),
      parts: {},
      match: 'weak',
    },
    {
      why: 'the request names a system that is not there',
      learned: atOdds(3),
      parts: { missing: 'Linear' },
      match: 'weak',
    },
    {
      why: 'it does, and nothing fits besides',
      learned: atOdds(-3),
      parts: { missing: 'Linear' },
      match: 'none',
    },
  ] as const)('$match when $why', ({ learned, parts, match }) => {
    const judged = judgeMatch(evidence({ learned, ...parts }))
    expect(judged.match).toBe(match)
    if ('missing' in parts) expect(judged.note).toContain('"Linear"')
  })

  test('without thresholds of its own, a ranker has plain ones', () => {
    const judged = judgeMatch(evidence({ learned: { probability: 0.3, known: 1 } }))
    expect(judged.match).toBe('weak')
  })

  test.each([0.02, 0.2, 0.5])(
    'a note at %f says how sure, and what to check, and forbids nothing',
    (probability) => {
      const { note } = judgeMatch(evidence({ learned: { probability, known: 1, thresholds } }))
      expect(note).toMatch(/\d+% (likely|sure)/)
      expect(note).toContain('check')
      expect(note).not.toMatch(/do not|don't|never/i)
    },
  )
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
      match: 'weak',
      note: 'No candidate covers the whole request: check what the descriptions say.',
    },
    {
      why: 'half of it is about something else',
      query: 'list repository mushrooms basket',
      match: 'weak',
      note: 'No candidate covers the whole request: check what the descriptions say.',
    },
    {
      why: 'no word of it occurs',
      query: 'quantum chromodynamics',
      match: 'none',
      note: 'Probably nothing here fits, since hardly any word of the request occurs in a candidate: check what the first descriptions say, or say it in other words.',
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
    const others = Array.from({ length: 90 }, (_, place) => `quorv${'x'.repeat(place)}`).join(' ')
    const { match, candidates } = await ask({ query: `weather ${others}` })
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
