import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../src/domain/card.ts'
import { analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { bm25f, inverseDocumentFrequency } from '../../src/retrieval/index/postings.ts'
import { type CardIndex, openCardIndex, packCardIndex } from '../../src/retrieval/index/card-index.ts'
import { ownFieldNames } from '../../src/retrieval/text/card-texts.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { anyText } from './arbitrary-text.ts'
import { cardsOf, corpora, naiveCoverage, queries } from './naive-bm25f.ts'

const indexOf = (cards: readonly Card[]): CardIndex => openCardIndex(packCardIndex(cards))!
const everyDocument = ({ size }: CardIndex): readonly number[] => [...Array(size).keys()]

/** With its shares as a plain list, to be compared. */
const evidenceOf = (index: CardIndex, query: string, document: number) => {
  const { fieldShares, ...rest } = index.probe(analyzeQuery(query)).of(document)
  return { ...rest, fieldShares: [...fieldShares] }
}

describe('a probe against search and coverage', () => {
  test('gives every document the score that a search gives it, and none to what a search passes over', () => {
    fc.assert(
      fc.property(corpora, queries, (documents, query) => {
        const index = indexOf(cardsOf(documents))
        const terms = analyzeQuery(query.join(' '))
        const hits = index.search(terms, documents.length, null)
        const scores = new Map(Array.from(hits.documents, (document, at) => [document, hits.scores[at]!]))
        const probe = index.probe(terms)
        for (const document of everyDocument(index)) {
          const { score, found } = probe.of(document)
          // A search adds in 32 bits, a probe in 64.
          expect(Math.abs(score - (scores.get(document) ?? 0))).toBeLessThanOrEqual(1e-5)
          expect(found > 0).toBe(scores.has(document))
        }
      }),
      { numRuns: 200 },
    )
  })

  test('tells the shares of coverage, of the definition too', () => {
    fc.assert(
      fc.property(corpora, queries, (documents, query) => {
        const index = indexOf(cardsOf(documents))
        const terms = analyzeQuery(query.join(' '))
        const probe = index.probe(terms)
        naiveCoverage(documents, query).forEach((naive, document) => {
          const { share, fieldShares } = probe.of(document)
          const coverage = index.coverage(terms, document)
          expect(share).toBeCloseTo(coverage.share, 9)
          expect(share).toBeCloseTo(naive.share, 9)
          expect(fieldShares[0]).toBeCloseTo(naive.nameShare, 9)
        })
      }),
      { numRuns: 200 },
    )
  })

  test('every share is in 0..1, fields find no more than the card, and the card no more than there is', () => {
    const world = fc.tuple(fc.array(fc.tuple(anyText, anyText), { maxLength: 6 }), anyText)
    fc.assert(
      fc.property(world, ([texts, query]) => {
        const index = indexOf(
          texts.map(([name, description], at) => toolCard(`a/${at}`, { name, description })),
        )
        const terms = analyzeQuery(query)
        const probe = index.probe(terms)
        expect(probe.terms).toBe(terms.length)
        expect(probe.unknownShare).toBeGreaterThanOrEqual(0)
        expect(probe.unknownShare).toBeLessThanOrEqual(1)
        const most = 1 + 1e-9
        for (const document of everyDocument(index)) {
          const { score, found, share, fieldShares, nameCovered, length } = probe.of(document)
          expect(Math.min(score, found, share, nameCovered, length)).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(most - probe.unknownShare)
          for (const inField of fieldShares) expect(inField).toBeLessThanOrEqual(share * most)
          expect(nameCovered).toBeLessThanOrEqual(1)
          expect(found).toBeLessThanOrEqual(terms.length)
          expect(score).toBeLessThanOrEqual(probe.weight * (bm25f.k1 + 1) * share * most + 1e-6)
        }
      }),
    )
  })
})

describe('a probe of three cards by hand', () => {
  const index = indexOf([
    toolCard('a/1', { name: 'kob_lum', description: 'kob vax', examples: ['dorn'] }),
    toolCard('a/2', { name: 'lum', description: 'kob plim plim' }),
    toolCard('a/3', { name: '', description: '' }),
  ])
  const idf = (having: number) => inverseDocumentFrequency(3, having)
  // kob stands in two cards, vax in one, quorv in none.
  const all = idf(2) + idf(1) + idf(0)

  test('tells of the query what it weighs and what nobody knows', () => {
    const probe = index.probe(analyzeQuery('kob vax quorv'))
    expect(probe.weight).toBeCloseTo(all, 12)
    expect(probe.unknownShare).toBeCloseTo(idf(0) / all, 12)
    expect(probe.terms).toBe(3)
  })

  test.each([
    {
      why: 'two of three terms, kob in name and description, vax in the description alone',
      document: 0,
      expected: {
        found: 2,
        share: (idf(2) + idf(1)) / all,
        inFields: { name: idf(2) / all, description: (idf(2) + idf(1)) / all },
        // `kob_lum` is kob, lum and koblum in no word of the query but kob.
        nameCovered: 1 / 2,
        length: 5,
      },
    },
    {
      why: 'one of three terms, not in the name',
      document: 1,
      expected: {
        found: 1,
        share: idf(2) / all,
        inFields: { description: idf(2) / all },
        nameCovered: 0,
        length: 4,
      },
    },
    {
      why: 'a card without words',
      document: 2,
      expected: { found: 0, share: 0, inFields: {}, nameCovered: 0, length: 0 },
    },
  ])('$why', ({ document, expected: { inFields, ...expected } }) => {
    const { score, fieldShares, ...evidence } = evidenceOf(index, 'kob vax quorv', document)
    for (const [name, value] of Object.entries(expected))
      expect([name, evidence[name as keyof typeof evidence]]).toEqual([name, expect.closeTo(value, 9)])
    const shares: { readonly [field: string]: number } = inFields
    ownFieldNames.forEach((field, at) => {
      expect([field, fieldShares[at]]).toEqual([field, expect.closeTo(shares[field] ?? 0, 9)])
    })
    expect(score > 0).toBe(expected.found > 0)
  })

  test('what was told of one document does not leak into the next, nor one query into another', () => {
    const probe = index.probe(analyzeQuery('kob vax quorv'))
    probe.of(0)
    index.probe(analyzeQuery('lum')).of(0)
    const { fieldShares, ...rest } = probe.of(2)
    expect({ ...rest, fieldShares: [...fieldShares] }).toEqual(evidenceOf(index, 'kob vax quorv', 2))
  })

  test.each([
    { why: 'it has no words', query: '', terms: 0, unknownShare: 0 },
    { why: 'no card knows any of them', query: 'quorv zzyx', terms: 2, unknownShare: 1 },
  ])('a query finds nothing when $why', ({ query, terms, unknownShare }) => {
    const probe = index.probe(analyzeQuery(query))
    expect(probe).toMatchObject({ terms, unknownShare })
    for (const document of everyDocument(index))
      expect(probe.of(document)).toMatchObject({ score: 0, found: 0, share: 0, nameCovered: 0 })
  })
})
