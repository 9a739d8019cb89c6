import type { PostingSums } from '../../vectors/kernels/posting-sums.ts'
import type { Sections } from '../text/sections.ts'
import { bestDocuments, type DocumentHits } from './best-documents.ts'
import { type StringTable, stringTable } from './string-table.ts'

type Wanted = {
  /** At most so many documents. */
  readonly depth: number
  /** Documents that do not reach this score may be left out. */
  readonly floor: number
  /** One byte per document, 0 leaves it out; null allows all. */
  readonly allowed: Uint8Array | null
}

/** The inverted index of one segment, opened over its packed sections. Terms and documents have the segment's own numbers. */
export type LexicalSegment = {
  readonly terms: StringTable
  /** Number of a term, or -1. */
  numberOf(term: string): number
  /** How many documents have a term. @param live - one byte per document, 0 does not count; null counts all */
  holders(term: number, live: Uint8Array | null): number
  /** By term: where its postings start; those of the next one do where they end. */
  readonly starts: Uint32Array
  /** By posting; of a term they ascend. */
  readonly documents: Uint32Array
  /** Position of a document among a term's postings, or -1. */
  postingOf(term: number, document: number): number
  /** @param terms - by their numbers, with what their impacts are multiplied by, > 0 */
  search(terms: readonly { readonly number: number; readonly weight: number }[], wanted: Wanted): DocumentHits
  /** By posting. */
  readonly impacts: Uint16Array
  /** By posting: a bit for each field. */
  readonly fields: Uint8Array
  /** By document. */
  readonly nameLengths: Uint16Array
  readonly lengths: Uint16Array
}

/** @param sums - over the bytes of the sections */
export function lexicalSegment(sections: Sections, sums: PostingSums): LexicalSegment {
  const terms = stringTable(sections.u8('terms.bytes'), sections.u32('terms.offsets'))
  const starts = sections.u32('postings.starts')
  const documents = sections.u32('postings.documents')
  const impacts = sections.u16('postings.impacts')
  return {
    terms,
    starts,
    documents,
    impacts,
    fields: sections.u8('postings.fields'),
    nameLengths: sections.u16('lengths.name'),
    lengths: sections.u16('lengths.all'),
    numberOf: (term) => terms.indexOf(term),
    holders(term, live) {
      const [start, end] = [starts[term]!, starts[term + 1]!]
      if (live === null) return end - start
      let count = 0
      for (let at = start; at < end; at++) count += live[documents[at]!]!
      return count
    },
    postingOf(term, document) {
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
    },
    search(query, { depth, floor, allowed }) {
      sums.clear()
      for (const { number, weight } of query) {
        const [from, to] = [starts[number], starts[number + 1]]
        sums.add({ documents: documents.subarray(from, to), impacts: impacts.subarray(from, to) }, weight)
      }
      const reached = sums.reaching(Math.max(floor, leastSum))
      const among = allowed === null ? reached : reached.filter((document) => allowed[document] === 1)
      return bestDocuments(sums.sums, among, depth)
    },
  }
}

/** What no term was added to is below it. */
const leastSum = 2 ** -149
