import { analyze } from '../text/analyze.ts'
import { bm25f, saturate } from './bm25f.ts'
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
  sections(): { readonly [name: string]: Section }
}

/**
 * Each posting holds the document, its impact (the saturated, field-weighted term frequency, so that a search only
 * multiplies by idf and adds) and a bit per field in which the term stands.
 */
export function postingsBuilder(): PostingsBuilder {
  const termNumbers = new Map<string, number>()
  const fieldCount = fieldNames.length
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

    sections() {
      const ends = documentEnds.take()
      const fieldLengths = lengths.map((list) => list.take())
      const averages = fieldLengths.map(
        (list) => list.reduce((sum, length) => sum + length, 0) / Math.max(list.length, 1) || 1,
      )
      const sorted = [...termNumbers.keys()].sort((a, b) => (a < b ? -1 : 1))
      const newNumber = new Uint32Array(sorted.length)
      sorted.forEach((term, index) => {
        newNumber[termNumbers.get(term)!] = index
      })
      const entryTerms = terms.take()
      const entryCounts = counts.take()

      const starts = new Uint32Array(sorted.length + 1)
      const frequency = new Float32Array(sorted.length)
      const mask = new Uint8Array(sorted.length)
      // Twice over the same documents: first to count postings per term, then to fill them in document order.
      const eachPosting = (
        visit: (term: number, document: number, weighted: number, fields: number) => void,
      ): void => {
        const touched: number[] = []
        for (let document = 0, entry = 0; document < ends.length; document++) {
          touched.length = 0
          for (; entry < ends[document]!; entry++) {
            const term = newNumber[entryTerms[entry]!]!
            const field = entryCounts[entry]! % 8
            const count = (entryCounts[entry]! - field) / 8
            const { weight, b } = bm25f.fields[fieldNames[field]!]
            const norm = 1 - b + (b * fieldLengths[field]![document]!) / averages[field]!
            if (mask[term] === 0) touched.push(term)
            frequency[term] = frequency[term]! + (weight * count) / norm
            mask[term] = mask[term]! | (1 << field)
          }
          for (const term of touched) {
            visit(term, document, frequency[term]!, mask[term]!)
            frequency[term] = 0
            mask[term] = 0
          }
        }
      }
      eachPosting((term) => {
        starts[term + 1] = starts[term + 1]! + 1
      })
      for (let term = 0; term < sorted.length; term++) starts[term + 1] = starts[term + 1]! + starts[term]!

      const total = starts[sorted.length]!
      const documents = new Uint32Array(total)
      const impacts = new Uint16Array(total)
      const fields = new Uint8Array(total)
      const next = starts.slice(0, sorted.length)
      eachPosting((term, document, weighted, mask) => {
        const at = next[term]!
        next[term] = at + 1
        documents[at] = document
        impacts[at] = Math.max(1, Math.round((saturate(weighted) / (bm25f.k1 + 1)) * impactSteps))
        fields[at] = mask
      })
      const table = packStrings(sorted)
      if (fieldCount > 8) throw new Error('A posting keeps one bit per field; more than 8 fields do not fit.')
      return {
        'terms.bytes': table.bytes,
        'terms.offsets': table.offsets,
        'postings.starts': starts,
        'postings.documents': documents,
        'postings.impacts': impacts,
        'postings.fields': fields,
        'lengths.name': Uint16Array.from(fieldLengths[0]!, (length) => Math.min(length, 0xffff)),
        'lengths.all': Uint16Array.from(ends, (_, document) =>
          Math.min(
            fieldLengths.reduce((sum, length) => sum + length[document]!, 0),
            0xffff,
          ),
        ),
      }
    },
  }
}
