import type { QueryTerm } from './analyze.ts'
import { bestDocuments, type DocumentHits } from './best-documents.ts'
import { bm25f, inverseDocumentFrequency } from './bm25f.ts'
import { impactSteps } from './postings.ts'
import type { Sections } from './sections.ts'
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

/** An inverted index opened over its packed sections. Synchronous; not for two searches at once, which JS cannot do. */
export type LexicalIndex = {
  /** @param allowed - one byte per document, 0 leaves it out; null allows all */
  search(query: readonly QueryTerm[], depth: number, allowed: Uint8Array | null): DocumentHits
  coverage(query: readonly QueryTerm[], document: number): Coverage
}

const nameBit = 1

export function lexicalIndex(sections: Sections, size: number): LexicalIndex {
  const terms = stringTable(sections.u8('terms.bytes'), sections.u32('terms.offsets'))
  const starts = sections.u32('postings.starts')
  const documents = sections.u32('postings.documents')
  const impacts = sections.u16('postings.impacts')
  const fields = sections.u8('postings.fields')
  const scores = new Float32Array(size)
  const touched = new Uint32Array(size)
  const rarest = inverseDocumentFrequency(size, 0)

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
      for (const { term } of query) {
        const number = terms.indexOf(term)
        if (number < 0) continue
        const weight = (idf(number) * (bm25f.k1 + 1)) / impactSteps
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
      for (const { term, word } of query) {
        const number = terms.indexOf(term)
        const weight = number < 0 ? rarest : idf(number)
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
  }
}
