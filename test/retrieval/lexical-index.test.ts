import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../src/domain/card.ts'
import { analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { bm25f, impactSteps, inverseDocumentFrequency } from '../../src/retrieval/index/postings.ts'
import {
  type CardIndex,
  imageVersion,
  openCardIndex,
  packCardIndex,
} from '../../src/retrieval/index/card-index.ts'
import { packSections, unpackSections } from '../../src/retrieval/text/sections.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { cardsOf, corpora, naiveCoverage, naiveScores, queries } from './naive-bm25f.ts'

const indexOf = (cards: readonly Card[]): CardIndex => {
  const index = openCardIndex(packCardIndex(cards))
  expect(index).not.toBeNull()
  return index!
}

type Hit = { readonly document: number; readonly score: number }
const hitsOf = (
  index: CardIndex,
  query: string,
  depth: number,
  admitted: Uint8Array | null = null,
): Hit[] => {
  const { documents, scores } = index.search(analyzeQuery(query), depth, admitted)
  return Array.from(documents, (document, place) => ({ document, score: scores[place]! }))
}

/** What rounding impacts to 16 bits and sums to 32 may change in a score. */
const toleranceOf = (size: number, queryLength: number): number =>
  queryLength * inverseDocumentFrequency(size, 0) * (bm25f.k1 + 1) * (0.5 / impactSteps + 1e-6) + 1e-6

describe('the lexical index against BM25F by its definition', () => {
  test('finds the documents that hold a word, with their scores', () => {
    fc.assert(
      fc.property(corpora, queries, (documents, query) => {
        const expected = naiveScores(documents, query)
        const found = hitsOf(indexOf(cardsOf(documents)), query.join(' '), documents.length)
        const tolerance = toleranceOf(documents.length, query.length)
        expect(found.map(({ document }) => document).sort((a, b) => a - b)).toEqual(
          expected.flatMap((score, document) => (score === undefined ? [] : [document])),
        )
        for (const { document, score } of found) {
          expect(Math.abs(score - expected[document]!)).toBeLessThanOrEqual(tolerance)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('puts the best first and cuts at the depth', () => {
    fc.assert(
      fc.property(corpora, queries, fc.integer({ min: 0, max: 8 }), (documents, query, depth) => {
        const expected = naiveScores(documents, query)
        const found = hitsOf(indexOf(cardsOf(documents)), query.join(' '), depth)
        const matching = expected.filter((score) => score !== undefined).length
        const tolerance = 2 * toleranceOf(documents.length, query.length)
        expect(found).toHaveLength(Math.min(depth, matching))
        found.forEach(({ document }, place) => {
          const behind = expected.filter((score, other) => {
            const isAhead = found.slice(0, place).some((hit) => hit.document === other)
            return score !== undefined && !isAhead && score > expected[document]! + tolerance
          })
          expect(behind).toEqual([])
        })
      }),
      { numRuns: 300 },
    )
  })

  test('equal scores stand by document number, descending, and every shallower search is its beginning', () => {
    fc.assert(
      fc.property(corpora, queries, fc.nat(10), (documents, query, depth) => {
        const index = indexOf(cardsOf(documents))
        const all = hitsOf(index, query.join(' '), 100)
        const ordered = [...all].sort((a, b) => b.score - a.score || b.document - a.document)
        expect(all).toEqual(ordered)
        expect(hitsOf(index, query.join(' '), depth)).toEqual(all.slice(0, depth))
      }),
    )
  })

  test('a filter leaves out, and changes no score', () => {
    const flags = fc.array(fc.nat(1), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(corpora, queries, flags, fc.nat(10), (documents, query, flagged, depth) => {
        const index = indexOf(cardsOf(documents))
        const admitted = Uint8Array.from(flagged.slice(0, documents.length))
        const all = hitsOf(index, query.join(' '), 100)
        const wanted = all.filter(({ document }) => admitted[document] === 1).slice(0, depth)
        expect(hitsOf(index, query.join(' '), depth, admitted)).toEqual(wanted)
      }),
    )
  })

  test('coverage is the share of the idf of the query, in all fields', () => {
    fc.assert(
      fc.property(corpora, queries, (documents, query) => {
        const index = indexOf(cardsOf(documents))
        const terms = analyzeQuery(query.join(' '))
        naiveCoverage(documents, query).forEach(({ share }, document) => {
          const coverage = index.coverage(terms, document)
          expect(coverage.share).toBeCloseTo(share, 9)
          expect(coverage.share).toBeLessThanOrEqual(1)
        })
      }),
    )
  })

  test('the order in which cards come changes nothing in the image but where each stood', () => {
    const shuffles = corpora.chain((documents) => {
      const cards = cardsOf(documents)
      return fc.tuple(
        fc.constant(cards),
        fc.shuffledSubarray(cards, { minLength: cards.length, maxLength: cards.length }),
      )
    })
    fc.assert(
      fc.property(shuffles, ([cards, shuffled]) => {
        const [one, other] = [packCardIndex(cards), packCardIndex(shuffled)]
        const places = unpackSections(other).u32('places')
        const ids = [...cards].map(({ id }) => id).sort()
        expect(Array.from(places, (place) => shuffled[place]!.id)).toEqual(ids)
        places.fill(0)
        unpackSections(one).u32('places').fill(0)
        expect(other).toEqual(one)
      }),
    )
  })
})

describe('the lexical index', () => {
  const index = indexOf([
    toolCard('forge/a', { name: 'list_issues', description: 'Lists the issues of a repository.' }),
    toolCard('forge/b', { name: 'close', description: 'Closes something.', tags: ['issues'] }),
    toolCard('forge/c', { name: 'weather', description: 'Tells the weather.' }),
    toolCard('forge/d', { name: 'weather', description: 'Tells the weather.' }),
  ])

  test('cards that say the same tie, the higher id first', () => {
    const found = hitsOf(index, 'weather', 10)
    expect(found.map(({ document }) => index.ids.at(document))).toEqual(['forge/d', 'forge/c'])
    expect(found[0]!.score).toBe(found[1]!.score)
  })

  test.each([
    { why: 'no word of it is known', query: 'quorv', depth: 10 },
    { why: 'it has no words', query: '', depth: 10 },
    { why: 'nothing is asked for', query: 'weather', depth: 0 },
  ])('a query finds nothing when $why', ({ query, depth }) => {
    expect(hitsOf(index, query, depth)).toEqual([])
  })

  test('a search leaves nothing behind for the next', () => {
    const first = hitsOf(index, 'issues of a repository', 10)
    hitsOf(index, 'weather', 1)
    expect(hitsOf(index, 'issues of a repository', 10)).toEqual(first)
  })

  test.each([
    { why: 'the rarest first', query: 'weather repository', document: 0, words: ['repository'] },
    {
      why: 'as the asker wrote them, a word of many terms once',
      query: 'ISSUES of Repositories',
      document: 0,
      words: ['Repositories', 'ISSUES'],
    },
    { why: 'none of a card that has none', query: 'weather', document: 0, words: [] },
  ])('coverage tells the words found: $why', ({ query, document, words }) => {
    expect(index.coverage(analyzeQuery(query), document).words).toEqual(words)
  })

  test('a word that no card holds counts as the rarest of all', () => {
    const { share } = index.coverage(analyzeQuery('quorv repository'), 0)
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThan(0.5)
  })

  test('an empty query covers nothing, and is covered by nothing', () => {
    expect(index.coverage([], 0)).toEqual({ share: 0, words: [] })
  })

  test('a catalog without cards can be packed, opened and searched', () => {
    const empty = indexOf([])
    expect(empty.size).toBe(0)
    expect(hitsOf(empty, 'weather', 10)).toEqual([])
  })

  test('words of 100,000 letters and lone surrogates do not spoil what stands beside them', () => {
    const spoiled = indexOf([
      toolCard('odd/a', { name: '\ud800', description: `${'𐌰'.repeat(50_000)} ${'天'.repeat(80_000)}` }),
      toolCard('odd/b', { name: 'weather\udc00', description: `a${'𐌰'.repeat(40)}` }),
    ])
    expect(hitsOf(spoiled, 'weather', 10)).toHaveLength(1)
    expect(hitsOf(spoiled, `a${'𐌰'.repeat(40)}`, 10)).toHaveLength(1)
    expect(hitsOf(spoiled, '天', 10)).toHaveLength(1)
  })

  test('an image of another version is refused, so that it is built anew', () => {
    expect(openCardIndex(packSections({ version: `${imageVersion}-older` }, {}))).toBeNull()
  })
})
