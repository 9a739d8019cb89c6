import type { QueryTerm } from '../text/analyze.ts'
import { bestDocuments, type DocumentHits } from './best-documents.ts'
import { bm25f, impactSteps, inverseDocumentFrequency } from './postings.ts'
import { ownFieldNames } from '../text/card-texts.ts'
import type { Sections } from '../text/sections.ts'
import { stringTable } from './string-table.ts'

/** How well a document's words cover a query. */
export type Coverage = {
  /** Share of the query's idf found in the document, 0..1. Words the catalog does not know count as the rarest. */
  readonly share: number
  /** The same, counting only the name field. */
  readonly nameShare: number
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

/** An inverted index opened over its packed sections. Synchronous; not for two searches at once, which JS cannot do. */
export type LexicalIndex = {
  /** @param allowed - one byte per document, 0 leaves it out; null allows all */
  search(query: readonly QueryTerm[], depth: number, allowed: Uint8Array | null): DocumentHits
  coverage(query: readonly QueryTerm[], document: number): Coverage
  probe(query: readonly QueryTerm[]): LexicalProbe
}

const nameBit = 1
/** Terms whose numbers are kept: those of some hundred queries, which ask for each many times. */
const keptTerms = 4096

export function lexicalIndex(sections: Sections, size: number): LexicalIndex {
  const terms = stringTable(sections.u8('terms.bytes'), sections.u32('terms.offsets'))
  const starts = sections.u32('postings.starts')
  const documents = sections.u32('postings.documents')
  const impacts = sections.u16('postings.impacts')
  const fields = sections.u8('postings.fields')
  const nameLengths = sections.u16('lengths.name')
  const lengths = sections.u16('lengths.all')
  const scores = new Float32Array(size)
  const touched = new Uint32Array(size)
  const rarest = inverseDocumentFrequency(size, 0)

  const numbers = new Map<string, number>()
  /** Number of a term, or -1. */
  const numberOf = (term: string): number => {
    const known = numbers.get(term)
    if (known !== undefined) return known
    if (numbers.size === keptTerms) numbers.clear()
    const number = terms.indexOf(term)
    numbers.set(term, number)
    return number
  }

  const idf = (term: number): number => inverseDocumentFrequency(size, starts[term + 1]! - starts[term]!)

  /** Position of a document among a term's postings, or -1. */
  const postingOf = (term: number, document: number): number => {
    let low = starts[term]!
    let high = starts[term + 1]! - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = documents[middle]!
      if (found === document) return middle
      if (found < document) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  return {
    search(query, depth, allowed) {
      let count = 0
      for (const { term, weight: share = 1 } of query) {
        const number = numberOf(term)
        if (number < 0) continue
        const weight = (share * idf(number) * (bm25f.k1 + 1)) / impactSteps
        for (let at = starts[number]!, end = starts[number + 1]!; at < end; at++) {
          const document = documents[at]!
          if (allowed !== null && allowed[document] === 0) continue
          if (scores[document] === 0) touched[count++] = document
          scores[document] = scores[document]! + weight * impacts[at]!
        }
      }
      const hits = bestDocuments(scores, touched.subarray(0, count), depth)
      for (let index = 0; index < count; index++) scores[touched[index]!] = 0
      return hits
    },

    coverage(query, document) {
      const found: { word: string; weight: number }[] = []
      let all = 0
      let covered = 0
      let named = 0
      for (const { term, word, weight: share = 1 } of query) {
        const number = numberOf(term)
        const weight = share * (number < 0 ? rarest : idf(number))
        all += weight
        const posting = number < 0 ? -1 : postingOf(number, document)
        if (posting < 0) continue
        covered += weight
        if ((fields[posting]! & nameBit) !== 0) named += weight
        if (!found.some((known) => known.word === word)) found.push({ word, weight })
      }
      found.sort((a, b) => b.weight - a.weight)
      return {
        share: all === 0 ? 0 : covered / all,
        nameShare: all === 0 ? 0 : named / all,
        words: found.map(({ word }) => word),
      }
    },

    probe(query) {
      const known: { term: number; weight: number }[] = []
      let weight = 0
      for (const { term, weight: part = 1 } of query) {
        const number = numberOf(term)
        const own = part * (number < 0 ? rarest : idf(number))
        weight += own
        if (number >= 0) known.push({ term: number, weight: own })
      }
      const knownWeight = known.reduce((sum, term) => sum + term.weight, 0)
      const lookUp = (document: number): TermEvidence => {
        const fieldShares = new Float64Array(ownFieldNames.length)
        let [score, found, share, named] = [0, 0, 0, 0]
        for (const { term, weight: own } of known) {
          const posting = postingOf(term, document)
          if (posting < 0) continue
          score += ((own * (bm25f.k1 + 1)) / impactSteps) * impacts[posting]!
          found += 1
          share += own / weight
          const mask = fields[posting]!
          for (let field = 0; field < fieldShares.length; field++)
            if ((mask & (1 << field)) !== 0) fieldShares[field] = fieldShares[field]! + own / weight
          if ((mask & nameBit) !== 0) named += 1
        }
        const nameLength = nameLengths[document]!
        const nameCovered = nameLength === 0 ? 0 : Math.min(1, named / nameLength)
        return { score, found, share, fieldShares, nameCovered, length: lengths[document]! }
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
