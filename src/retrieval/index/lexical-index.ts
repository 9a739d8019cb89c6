import type { QueryTerm } from '../text/analyze.ts'
import type { DocumentHits } from './best-documents.ts'
import type { CatalogCounts } from './catalog-counts.ts'
import type { Documents } from './documents.ts'
import { type IndexedTerms, indexedTerms } from './indexed-terms.ts'
import { type LexicalProbe, lexicalProbe } from './lexical-probe.ts'
import type { LexicalSegment } from './lexical-segment.ts'
import { bm25f, impactSteps } from './postings.ts'

/** How well a document's words cover a query. */
export type Coverage = {
  /** Share of the query's idf found in the document, 0..1. Words the catalog does not know count as the rarest. */
  readonly share: number
  /** Query words found, most informative first. */
  readonly words: readonly string[]
}

/** An inverted index over one segment or several. Synchronous; not for two searches at once, which JS cannot do. */
export type LexicalIndex = {
  /** @param allowed - one byte per document, 0 leaves it out; null allows all */
  search(query: readonly QueryTerm[], depth: number, allowed: Uint8Array | null): DocumentHits
  coverage(query: readonly QueryTerm[], document: number): Coverage
  probe(query: readonly QueryTerm[]): LexicalProbe
}

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
  const terms = indexedTerms(segments, documents, catalog)
  return {
    search(query, depth, allowed) {
      const wanted = query.flatMap(({ term, weight = 1 }) => {
        const found = terms.known(term)
        return found ? [{ ...found, weight: (weight * found.idf * (bm25f.k1 + 1)) / impactSteps }] : []
      })
      const among = documents.among(allowed)
      const [best] = documents.best(depth, 1, (at, [floor]) => {
        const own = wanted.flatMap(({ numbers, weight }) =>
          numbers[at]! < 0 ? [] : [{ number: numbers[at]!, weight }],
        )
        return [segments[at]!.search(own, { depth, floor: floor!, allowed: among[at]! })]
      })
      return best!
    },

    coverage: (query, document) => coverageOf(terms, query, document),
    probe: (query) => lexicalProbe(terms, query),
  }
}

function coverageOf(
  { known, rarest, postingOf }: IndexedTerms,
  query: readonly QueryTerm[],
  document: number,
): Coverage {
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
}
