import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNearDuplicate } from '../../../src/retrieval/facts/near-duplicate.ts'
import { packer } from '../../../src/retrieval/search/pack.ts'
import type { PackedCard, RankedCard } from '../../../src/retrieval/rank/ranked-card.ts'
import { type Listed, listed, rankedOf } from '../ranked-cards.ts'

const texts = [
  'Converts an amount of money from one currency to another at the rate of the day.',
  'Sends a mail to a person with a subject and any number of attached files.',
  'Lists the files of a folder with their sizes and the time of their last change.',
]
const arbitraryListed = (facetCount: number): fc.Arbitrary<readonly Listed[]> =>
  fc
    .array(
      fc.record({
        source: fc.constantFrom('a', 'b', 'c'),
        name: fc.constantFrom('convert', 'mail', 'files', 'four', 'five'),
        description: fc.constantFrom(...texts),
        publisher: fc.option(fc.constantFrom('acme', 'zed'), { nil: undefined }),
        score: fc.constantFrom(0, 0.1, 0.3, 0.45, 0.6, 0.8, 0.9, 1),
        facets: fc.array(fc.constantFrom(0, 0.3, 0.5, 0.8, 1), {
          minLength: facetCount,
          maxLength: facetCount,
        }),
      }),
      { maxLength: 18 },
    )
    .map((cards) =>
      cards.map(({ source, publisher, score, facets, ...fields }, place) =>
        listed(`${source}/${place + 10}`, score, { ...fields, ...(publisher ? { publisher } : {}), facets }),
      ),
    )
const cases = fc.nat(3).chain((facetCount) => arbitraryListed(facetCount))
const k = fc.integer({ min: 1, max: 12 })

describe('pack, whatever it is given', () => {
  test('gives at most k cards of the ranking, none twice, best first, and the best card first of all unless it is a copy', () => {
    fc.assert(
      fc.property(cases, k, (cards, most) => {
        const { index, ranked } = rankedOf(cards)
        const packed = packer(ranked, index)(most)
        const told = packed.flatMap(({ document, duplicates }) => [document, ...duplicates])
        expect(packed.length).toBeLessThanOrEqual(most)
        expect(new Set(told).size).toBe(told.length)
        expect(ranked.map(({ document }) => document)).toEqual(expect.arrayContaining(told))
        expect(packed).toEqual([...packed].sort((a, b) => b.score - a.score || b.document - a.document))
        const best = ranked.find(({ document }) => !index.defences.isCopier(document)) ?? ranked[0]
        if (best === ranked[0]) expect(packed[0]?.document).toBe(best?.document)
      }),
      { numRuns: 300 },
    )
  })

  test('shows no two cards that are the same, and folds only copies: into their better, or into the original', () => {
    fc.assert(
      fc.property(cases, k, (cards, most) => {
        const { index, ranked } = rankedOf(cards)
        const same = (a: number, b: number): boolean =>
          isNearDuplicate(index.signature(a), index.signature(b), index.source(a) === index.source(b))
        const placeOf = new Map(ranked.map(({ document }, place) => [document, place]))
        const packed = packer(ranked, index)(most)
        for (const { document, duplicates } of packed) {
          for (const other of packed)
            if (other.document !== document) expect(same(document, other.document)).toBe(false)
          const { lookAlike, isCopier } = index.defences
          for (const duplicate of duplicates) {
            const isCopyOf = (other: number): boolean =>
              other !== duplicate && (same(other, duplicate) || lookAlike(other) === lookAlike(duplicate))
            expect([document, ...duplicates].some(isCopyOf)).toBe(true)
            if (placeOf.get(duplicate)! < placeOf.get(document)!)
              expect([document, ...duplicates].some(isCopier)).toBe(true)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('fills all k places while there are different cards', () => {
    fc.assert(
      fc.property(cases, k, (cards, most) => {
        const { index, ranked } = rankedOf(cards)
        const different = packer(ranked, index)(100).length
        expect(packer(ranked, index)(most)).toHaveLength(Math.min(most, different))
      }),
    )
  })

  test('a publisher is over its part only with cards that no other comes near', () => {
    fc.assert(
      fc.property(arbitraryListed(0), k, (cards, most) => {
        const { index, ranked } = rankedOf(cards)
        const chosen = packer(ranked, index)(most)
        const cap = Math.max(3, Math.ceil(most * 0.6))
        const sourceCap = Math.max(4, Math.ceil(most * 0.8))
        const taken = (publisher: string) =>
          chosen.filter(({ document }) => index.publisher(document) === publisher)
        const takenBy = (source: string) => chosen.filter(({ document }) => index.source(document) === source)
        const isLeft = ({ document }: PackedCard) => !chosen.some((card) => card.document === document)
        const left = packer(ranked, index)(100).filter(isLeft)
        for (const publisher of new Set(chosen.map(({ document }) => index.publisher(document)))) {
          const lowest = taken(publisher).slice(cap).at(-1)
          if (lowest === undefined) continue
          const near = left.filter(
            ({ document, score }) =>
              taken(index.publisher(document)).length < cap &&
              takenBy(index.source(document)).length < sourceCap &&
              score >= 0.7 * lowest.score,
          )
          expect(near).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  test('every step that some card serves is served, while there are more places than steps', () => {
    fc.assert(
      fc.property(cases, k, (cards, most) => {
        const { index, ranked } = rankedOf(cards)
        const chosen = packer(ranked, index)(most)
        const steps = ranked[0]?.facets.length ?? 0
        if (chosen.length <= steps) return
        for (let step = 0; step < steps; step++) {
          const isServed = (among: readonly RankedCard[]) => among.some(({ facets }) => facets[step]! >= 0.5)
          if (isServed(packer(ranked, index)(100))) expect(isServed(chosen)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
