import type { QueryTerm } from '../text/analyze.ts'
import { ownFieldNames } from '../text/card-texts.ts'
import type { DocumentHits } from './best-documents.ts'
import type { CatalogCounts } from './catalog-counts.ts'
import type { Documents } from './documents.ts'
import type { LexicalSegment } from './lexical-segment.ts'
import { bm25f, impactSteps, inverseDocumentFrequency } from './postings.ts'

/** How well a document's words cover a query. */
export type Coverage = {
  /** Share of the query's idf found in the document, 0..1. Words the catalog does not know count as the rarest. */
  readonly share: number
  /** Query words found, most informative first. */
  readonly words: readonly string[]
}

/** What the words of a query find in single documents: asked of few documents, after a search. */
export type LexicalProbe = {
  /** Idf of all the query's terms together, > 0 unless the query has none; unknown terms count as the rarest. */
  readonly weight: number
  /** Share of {@link weight} that no document of the index holds, 0..1. */
  readonly unknownShare: number
  readonly terms: number
  /** Looked up once for each document. */
  of(document: number): TermEvidence
}

/** Shares are of the query's idf, 0..1. */
type TermEvidence = {
  /** The score that a search gives the document. */
  readonly score: number
  /** Distinct terms found. */
  readonly found: number
  readonly share: number
  /** Share found in each field, in the order of `ownFieldNames`. */
  readonly fieldShares: Float64Array
  /** Share of the name's terms that the query has, 0..1; 0 for a card without name. */
  readonly nameCovered: number
  /** Terms of all fields. */
  readonly length: number
}

/** An inverted index over one segment or several. Synchronous; not for two searches at once, which JS cannot do. */
export type LexicalIndex = {
  /** @param allowed - one byte per document, 0 leaves it out; null allows all */
  search(query: readonly QueryTerm[], depth: number, allowed: Uint8Array | null): DocumentHits
  coverage(query: readonly QueryTerm[], document: number): Coverage
  probe(query: readonly QueryTerm[]): LexicalProbe
}

const nameBit = 1
/** Terms whose numbers are kept: those of some hundred queries, which ask for each many times. */
const keptTerms = 4096

/** A term of a query that some document has: its number in each segment or -1, and its idf over all of them. */
type KnownTerm = { readonly numbers: readonly number[]; readonly idf: number }

/**
 * Scores and shares are of all documents, however many segments they lie in: to the last bit those of a single one.
 *
 * @param catalog - of all cards, where the documents are some of them
 */
export function lexicalIndex(
  segments: readonly LexicalSegment[],
  documents: Documents,
  catalog: CatalogCounts | null = null,
): LexicalIndex {
  const { size } = documents
  const cards = catalog?.cards ?? size
  const rarest = inverseDocumentFrequency(cards, 0)
  const numbersOf = remembered((term: string) => segments.map((segment) => segment.numberOf(term)))
  /** Null for a term that no document has. */
  const known = remembered((term: string): KnownTerm | null => {
    const numbers = numbersOf(term)
    const held = numbers.reduce(
      (sum, number, at) => sum + (number < 0 ? 0 : segments[at]!.holders(number, documents.live[at]!)),
      0,
    )
    const holders = Math.max(held, catalog?.cardsWith(term) ?? 0)
    return holders === 0 ? null : { numbers, idf: inverseDocumentFrequency(cards, holders) }
  })

  /** A term's posting of a document: the segment's number for it, or -1. */
  const postingOf = (numbers: readonly number[], document: number): number => {
    const at = documents.segmentOf(document)
    return numbers[at]! < 0 ? -1 : segments[at]!.postingOf(numbers[at]!, documents.placeOf(document))
  }

  return {
    search(query, depth, allowed) {
      const terms = query.flatMap(({ term, weight = 1 }) => {
        const found = known(term)
        return found ? [{ ...found, weight: (weight * found.idf * (bm25f.k1 + 1)) / impactSteps }] : []
      })
      const among = documents.among(allowed)
      const [best] = documents.best(depth, 1, (at, [floor]) => {
        const own = terms.flatMap(({ numbers, weight }) =>
          numbers[at]! < 0 ? [] : [{ number: numbers[at]!, weight }],
        )
        return [segments[at]!.search(own, { depth, floor: floor!, allowed: among[at]! })]
      })
      return best!
    },

    coverage(query, document) {
      const found: { word: string; weight: number }[] = []
      let all = 0
      let covered = 0
      for (const { term, word, weight: share = 1 } of query) {
        const own = known(term)
        const weight = share * (own === null ? rarest : own.idf)
        all += weight
        if (own === null || postingOf(own.numbers, document) < 0) continue
        covered += weight
        if (!found.some((known) => known.word === word)) found.push({ word, weight })
      }
      found.sort((a, b) => b.weight - a.weight)
      return {
        share: all === 0 ? 0 : covered / all,
        words: found.map(({ word }) => word),
      }
    },

    probe(query) {
      const terms: { term: KnownTerm; weight: number }[] = []
      let weight = 0
      for (const { term, weight: part = 1 } of query) {
        const found = known(term)
        const own = part * (found === null ? rarest : found.idf)
        weight += own
        if (found !== null) terms.push({ term: found, weight: own })
      }
      const knownWeight = terms.reduce((sum, term) => sum + term.weight, 0)
      const lookUp = (document: number): TermEvidence => {
        const { impacts, fields, nameLengths, lengths } = segments[documents.segmentOf(document)]!
        const place = documents.placeOf(document)
        const fieldShares = new Float64Array(ownFieldNames.length)
        let [score, found, share, named] = [0, 0, 0, 0]
        for (const { term, weight: own } of terms) {
          const posting = postingOf(term.numbers, document)
          if (posting < 0) continue
          score += ((own * (bm25f.k1 + 1)) / impactSteps) * impacts[posting]!
          found += 1
          share += own / weight
          const mask = fields[posting]!
          for (let field = 0; field < fieldShares.length; field++)
            if ((mask & (1 << field)) !== 0) fieldShares[field] = fieldShares[field]! + own / weight
          if ((mask & nameBit) !== 0) named += 1
        }
        const nameLength = nameLengths[place]!
        const nameCovered = nameLength === 0 ? 0 : Math.min(1, named / nameLength)
        return { score, found, share, fieldShares, nameCovered, length: lengths[place]! }
      }
      const evidence = new Map<number, TermEvidence>()
      return {
        weight,
        unknownShare: weight === 0 ? 0 : 1 - knownWeight / weight,
        terms: query.length,
        of(document) {
          const met = evidence.get(document) ?? lookUp(document)
          evidence.set(document, met)
          return met
        },
      }
    },
  }
}

/** Asks once for each term, as long as they are not too many. */
function remembered<T>(ask: (term: string) => T): (term: string) => T {
  const met = new Map<string, T>()
  return (term) => {
    const before = met.get(term)
    if (before !== undefined) return before
    if (met.size === keptTerms) met.clear()
    const found = ask(term)
    met.set(term, found)
    return found
  }
}
