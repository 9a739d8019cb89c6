import type { QueryTerm } from '../text/analyze.ts'
import { ownFieldNames } from '../text/card-texts.ts'
import type { IndexedTerms, KnownTerm } from './indexed-terms.ts'
import { bm25f, impactSteps } from './postings.ts'

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

const nameBit = 1

export function lexicalProbe(index: IndexedTerms, query: readonly QueryTerm[]): LexicalProbe {
  const { known, rarest } = index
  const terms: WeighedTerm[] = []
  let weight = 0
  for (const { term, weight: part = 1 } of query) {
    const found = known(term)
    const own = part * (found === null ? rarest : found.idf)
    weight += own
    if (found !== null) terms.push({ term: found, weight: own })
  }
  const knownWeight = terms.reduce((sum, term) => sum + term.weight, 0)
  const evidence = new Map<number, TermEvidence>()
  return {
    weight,
    unknownShare: weight === 0 ? 0 : 1 - knownWeight / weight,
    terms: query.length,
    of(document) {
      const met = evidence.get(document) ?? evidenceIn(index, { terms, weight }, document)
      evidence.set(document, met)
      return met
    },
  }
}

type WeighedTerm = { readonly term: KnownTerm; readonly weight: number }

/** @param query.weight - of all its terms, known or not */
function evidenceIn(
  { segments, documents, postingOf }: IndexedTerms,
  { terms, weight }: { readonly terms: readonly WeighedTerm[]; readonly weight: number },
  document: number,
): TermEvidence {
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
