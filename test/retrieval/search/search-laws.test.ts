import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../../src/domain/card.ts'
import type { SearchRequest } from '../../../src/retrieval/answer.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CardFilter } from '../../../src/retrieval/index/card-filter.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { agentCards, toolCards } from '../../server/arbitrary-cards.ts'
import { anyText } from '../arbitrary-text.ts'
import { smallCatalog } from '../small-catalog.ts'

const model = hashedWordsModel()
const context = { snapshot: await memorySnapshot(smallCatalog, model), model }

const usualQuery = fc.constantFrom(
  'list the open issues of a repository',
  'weather forecast for a city',
  'convert',
  'book a flight to Rome and then reserve a hotel room, and email the plan to Ann',
  '查询 GitHub issues',
  'прогноз погоды 🚀',
  'the sea',
)
const filter: fc.Arbitrary<CardFilter> = fc.record(
  {
    sources: fc.subarray(['forge', 'sky', 'post', 'team', 'store', 'nowhere']),
    tags: fc.subarray(['issues', 'WEATHER', 'mail', 'legal']),
    servers: fc.subarray(['forge', 'sky', 'nowhere']),
    agentKinds: fc.subarray(['profile', 'toolkit', 'listing']),
    hasRuntime: fc.boolean(),
    exclude: fc.subarray(smallCatalog.map(({ id }) => id)),
  },
  { requiredKeys: [] },
)
const request: fc.Arbitrary<SearchRequest> = fc.record(
  {
    kind: fc.constantFrom('tool' as const, 'agent' as const),
    query: fc.oneof(usualQuery, anyText),
    instruction: anyText,
    k: fc.integer({ min: 1, max: 100 }),
    filter,
    ranker: fc.constantFrom(
      'auto' as const,
      'lexical' as const,
      'dense' as const,
      'hybrid' as const,
      'rrf' as const,
    ),
    pack: fc.constantFrom('diverse' as const, 'ranking' as const),
  },
  { requiredKeys: ['kind', 'query'] },
)

/** What a filter means, card by card. */
function isAdmitted(card: Card, conditions: CardFilter): boolean {
  const { sources, tags, servers, agentKinds, hasRuntime, exclude } = conditions
  const isOpen = (list: readonly string[] | undefined): boolean => list === undefined || list.length === 0
  return (
    (isOpen(sources) || sources!.includes(card.source)) &&
    (isOpen(tags) || tags!.some((tag) => card.tags.includes(tag.toLowerCase()))) &&
    (isOpen(servers) || card.kind === 'agent' || servers!.includes(card.server ?? '')) &&
    (isOpen(agentKinds) || card.kind === 'tool' || agentKinds!.includes(card.agentKind)) &&
    (hasRuntime === undefined || (card.runtime !== undefined) === hasRuntime) &&
    !exclude?.includes(card.id)
  )
}

describe('any search', () => {
  test('returns admitted cards of its kind only, and counts those it looked at', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const { candidates, searched } = await search(context, asked)
        const admitted = smallCatalog.filter(
          (card) => card.kind === asked.kind && isAdmitted(card, asked.filter ?? {}),
        )
        expect(searched).toBe(admitted.length)
        for (const { card } of candidates) expect(admitted).toContain(card)
      }),
      { numRuns: 300 },
    )
  })

  test('returns at most k candidates, none twice, best first, with signals within their bounds', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const { candidates, facets, match, note } = await search(context, asked)
        const ids = candidates.map(({ card }) => card.id)
        const scores = candidates.map(({ score }) => score)
        expect(ids.length).toBeLessThanOrEqual(asked.k ?? 5)
        expect(new Set(ids).size).toBe(ids.length)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        expect(note === '').toBe(match === 'good')
        for (const { score, signals } of candidates) {
          expect(score >= 0 && score <= 1 + 1e-9).toBe(true)
          expect(signals.coverage >= 0 && signals.coverage <= 1).toBe(true)
          expect(signals.lexical ?? 1).toBeGreaterThan(0)
          expect(Math.abs(signals.dense ?? 0)).toBeLessThanOrEqual(1 + 1e-6)
          expect(signals.matched.length).toBeLessThanOrEqual(8)
          for (const facet of signals.facets) expect(facets[facet]).toBeDefined()
          if (signals.lift) expect(signals.lift.share > 0 && signals.lift.share <= 1 + 1e-9).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('gives the same answer again, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        expect(JSON.stringify(await search(context, asked))).toBe(
          JSON.stringify(await search(context, asked)),
        )
      }),
    )
  })

  test('gives the same answer in whatever order the cards came, byte for byte', async () => {
    const everyCard = { minLength: smallCatalog.length, maxLength: smallCatalog.length }
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...smallCatalog], everyCard), request, async (cards, asked) => {
        const shuffled = { snapshot: await memorySnapshot(cards, model), model }
        expect(JSON.stringify(await search(shuffled, asked))).toBe(
          JSON.stringify(await search(context, asked)),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('gives fewer candidates of the bare ranking as its beginning', async () => {
    await fc.assert(
      fc.asyncProperty(request, fc.nat(10), async (asked, fewer) => {
        const idsFor = async (k: number) =>
          (await search(context, { ...asked, pack: 'ranking', k })).candidates.map(({ card }) => card.id)
        expect(await idsFor(fewer + 1)).toEqual((await idsFor(100)).slice(0, fewer + 1))
      }),
    )
  })
})

test('cards as hostile as they come are indexed and searched', async () => {
  const cards = fc
    .array(fc.oneof(toolCards, agentCards), { maxLength: 12 })
    .map((some) => some.map((card, place): Card => ({ ...card, id: `source/${place}` })))
  await fc.assert(
    fc.asyncProperty(cards, request, async (some, { filter: _, ...asked }) => {
      const { candidates } = await search({ snapshot: await memorySnapshot(some, model), model }, asked)
      for (const { card } of candidates) expect(some).toContain(card)
    }),
    { numRuns: 60 },
  )
})
