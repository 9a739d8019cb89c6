import { analyze } from '../text/analyze.ts'
import { type CardTexts, fieldNames } from '../text/card-texts.ts'
import type { Section } from '../text/sections.ts'
import { packStrings } from './string-table.ts'

/** Impacts are stored in 16 bits: this many steps from 0 to k1 + 1. */
export const impactSteps = 65_535

/** A growable list of 32-bit numbers: plain arrays of millions of numbers cost four times the memory. */
function numberList(): { push(value: number): void; take(): Uint32Array } {
  let values = new Uint32Array(1 << 16)
  let length = 0
  return {
    push(value) {
      if (length === values.length) {
        const larger = new Uint32Array(values.length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    take: () => values.subarray(0, length),
  }
}

/** Collects the terms of cards, in document order, and makes the inverted index of them. */
type PostingsBuilder = {
  add(texts: CardTexts): void
  /** Number of terms by field, of the cards so far. */
  lengths(): readonly number[]
  /** The means. */
  averages(): readonly number[]
  /** @param averages - what lengths are compared with: of all cards, where these are some of them */
  sections(averages: readonly number[]): { readonly [name: string]: Section }
}

/**
 * Each posting holds the document, its impact (the saturated, field-weighted term frequency, so that a search only
 * multiplies by idf and adds) and a bit per field in which the term stands.
 */
export function postingsBuilder(): PostingsBuilder {
  const termNumbers = new Map<string, number>()
  // One entry per document, term and field: `terms`, then field and frequency packed into `counts`.
  const terms = numberList()
  const counts = numberList()
  const documentEnds = numberList()
  const lengths = fieldNames.map(() => numberList())
  let entries = 0

  const numberOf = (term: string): number => {
    const known = termNumbers.get(term)
    if (known !== undefined) return known
    termNumbers.set(term, termNumbers.size)
    return termNumbers.size - 1
  }

  const sums = (): number[] => lengths.map((list) => list.take().reduce((sum, length) => sum + length, 0))

  return {
    add(texts) {
      fieldNames.forEach((field, fieldNumber) => {
        const found = analyze(texts[field])
        lengths[fieldNumber]!.push(found.length)
        const frequencies = new Map<number, number>()
        for (const term of found) {
          const number = numberOf(term)
          frequencies.set(number, (frequencies.get(number) ?? 0) + 1)
        }
        for (const [number, frequency] of frequencies) {
          terms.push(number)
          counts.push(Math.min(frequency, 0xffff) * 8 + fieldNumber)
          entries += 1
        }
      })
      documentEnds.push(entries)
    },

    lengths: sums,

    averages: () => sums().map((sum) => sum / Math.max(documentEnds.take().length, 1) || 1),

    sections: (averages) =>
      sectionsOf({
        averages,
        termNumbers,
        terms: terms.take(),
        counts: counts.take(),
        ends: documentEnds.take(),
        lengths: lengths.map((list) => list.take()),
      }),
  }
}

/** All that was collected. */
type Collected = {
  readonly averages: readonly number[]
  /** Terms in the order in which they came first. */
  readonly termNumbers: ReadonlyMap<string, number>
  /** One entry per document, term and field: the term's number. */
  readonly terms: Uint32Array
  /** The same entries: field and frequency. */
  readonly counts: Uint32Array
  /** Where the entries of each document end. */
  readonly ends: Uint32Array
  /** By field, terms of each document. */
  readonly lengths: readonly Uint32Array[]
}

function sectionsOf(collected: Collected): { readonly [name: string]: Section } {
  const { termNumbers, ends, lengths } = collected
  if (fieldNames.length > 8)
    throw new Error('A posting keeps one bit per field; more than 8 fields do not fit.')
  const sorted = [...termNumbers.keys()].sort((a, b) => (a < b ? -1 : 1))
  const newNumber = new Uint32Array(sorted.length)
  sorted.forEach((term, index) => {
    newNumber[termNumbers.get(term)!] = index
  })
  const starts = new Uint32Array(sorted.length + 1)
  // Twice over the same documents: first to count postings per term, then to fill them in document order.
  eachPosting(collected, newNumber, (term) => {
    starts[term + 1] = starts[term + 1]! + 1
  })
  for (let term = 0; term < sorted.length; term++) starts[term + 1] = starts[term + 1]! + starts[term]!

  const total = starts[sorted.length]!
  const documents = new Uint32Array(total)
  const impacts = new Uint16Array(total)
  const fields = new Uint8Array(total)
  const next = starts.slice(0, sorted.length)
  eachPosting(collected, newNumber, (term, { document, weighted, mask }) => {
    const at = next[term]!
    next[term] = at + 1
    documents[at] = document
    impacts[at] = Math.max(1, Math.round((saturate(weighted) / (bm25f.k1 + 1)) * impactSteps))
    fields[at] = mask
  })
  const table = packStrings(sorted)
  return {
    'terms.bytes': table.bytes,
    'terms.offsets': table.offsets,
    'postings.starts': starts,
    'postings.documents': documents,
    'postings.impacts': impacts,
    'postings.fields': fields,
    'lengths.name': Uint16Array.from(lengths[0]!, (length) => Math.min(length, 0xffff)),
    'lengths.all': Uint16Array.from(ends, (_, document) =>
      Math.min(
        lengths.reduce((sum, length) => sum + length[document]!, 0),
        0xffff,
      ),
    ),
  }
}

/** A term in a document: its weighted frequency, and a bit for each field that has it. One object, whose values change. */
type Posting = { document: number; weighted: number; mask: number }

/** Visits the terms of each document in turn. @param newNumber - a term's number by its first one */
function eachPosting(
  { averages, terms, counts, ends, lengths }: Collected,
  newNumber: Uint32Array,
  visit: (term: number, posting: Posting) => void,
): void {
  const frequency = new Float32Array(newNumber.length)
  const mask = new Uint8Array(newNumber.length)
  const touched: number[] = []
  const posting: Posting = { document: 0, weighted: 0, mask: 0 }
  for (let document = 0, entry = 0; document < ends.length; document++) {
    touched.length = 0
    for (; entry < ends[document]!; entry++) {
      const term = newNumber[terms[entry]!]!
      const field = counts[entry]! % 8
      const count = (counts[entry]! - field) / 8
      const { weight, b } = bm25f.fields[fieldNames[field]!]
      const norm = 1 - b + (b * lengths[field]![document]!) / averages[field]!
      if (mask[term] === 0) touched.push(term)
      frequency[term] = frequency[term]! + (weight * count) / norm
      mask[term] = mask[term]! | (1 << field)
    }
    posting.document = document
    for (const term of touched) {
      posting.weighted = frequency[term]!
      posting.mask = mask[term]!
      visit(term, posting)
      frequency[term] = 0
      mask[term] = 0
    }
  }
}

/** One field's part in the score. */
type FieldSetting = {
  /** Weight of the field's term frequency, >= 0. */
  readonly weight: number
  /** Length normalisation: 0 none, 1 full. */
  readonly b: number
}

/**
 * BM25F over the card's fields: term frequencies are normalised by field length, weighted, added, and saturated once.
 * Weights were chosen by coordinate search on the train sets of ToolRet's format and checked on the dev sets; the
 * optimum is flat (docs/decisions/0002-lexical-index.md).
 *
 * @see Robertson, Zaragoza & Taylor, CIKM 2004; Zaragoza et al., TREC 2004. Idf is Lucene's, never negative.
 */
export const bm25f = {
  /** Saturation: how fast repeats of a term stop counting. > 0. */
  k1: 2,
  fields: {
    name: { weight: 1.5, b: 0.7 },
    description: { weight: 1, b: 0.6 },
    parameters: { weight: 0.4, b: 0.5 },
    examples: { weight: 0.4, b: 0.7 },
    body: { weight: 0.4, b: 0.7 },
    // Below all that the card says itself; not searched for, since benchmarks have none.
    enrichment: { weight: 0.2, b: 0.7 },
  },
} as const satisfies {
  readonly k1: number
  readonly fields: { readonly [field in (typeof fieldNames)[number]]: FieldSetting }
}

/** Inverse document frequency, >= 0. */
export const inverseDocumentFrequency = (documents: number, documentFrequency: number): number =>
  Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5))

/** Saturated term frequency, 0..k1+1. */
const saturate = (weightedFrequency: number): number =>
  (weightedFrequency * (bm25f.k1 + 1)) / (bm25f.k1 + weightedFrequency)
