import type { CatalogCounts } from './catalog-counts.ts'
import type { Documents } from './documents.ts'
import type { LexicalSegment } from './lexical-segment.ts'
import { inverseDocumentFrequency } from './postings.ts'

/** Terms whose numbers are kept: those of some hundred queries, which ask for each many times. */
const keptTerms = 4096

/** A term of a query that some document has: its number in each segment or -1, and its idf over all of them. */
export type KnownTerm = { readonly numbers: readonly number[]; readonly idf: number }

/** The terms of an index, over all its segments. */
export type IndexedTerms = {
  readonly segments: readonly LexicalSegment[]
  readonly documents: Documents
  /** Idf of a term that no document has. */
  readonly rarest: number
  /** Null for a term that no document has. */
  known(term: string): KnownTerm | null
  /** A term's posting of a document: the segment's number for it, or -1. */
  postingOf(numbers: readonly number[], document: number): number
}

/** @param catalog - of all cards, where the documents are some of them */
export function indexedTerms(
  segments: readonly LexicalSegment[],
  documents: Documents,
  catalog: CatalogCounts | null,
): IndexedTerms {
  const cards = catalog?.cards ?? documents.size
  const numbersOf = remembered((term: string) => segments.map((segment) => segment.numberOf(term)))
  return {
    segments,
    documents,
    rarest: inverseDocumentFrequency(cards, 0),
    known: remembered((term: string): KnownTerm | null => {
      const numbers = numbersOf(term)
      const held = numbers.reduce(
        (sum, number, at) => sum + (number < 0 ? 0 : segments[at]!.holders(number, documents.live[at]!)),
        0,
      )
      const holders = Math.max(held, catalog?.cardsWith(term) ?? 0)
      return holders === 0 ? null : { numbers, idf: inverseDocumentFrequency(cards, holders) }
    }),
    postingOf(numbers, document) {
      const at = documents.segmentOf(document)
      return numbers[at]! < 0 ? -1 : segments[at]!.postingOf(numbers[at]!, documents.placeOf(document))
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
