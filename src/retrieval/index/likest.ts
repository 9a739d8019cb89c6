import type { Card } from '../../domain/card.ts'
import { knownSimilarity, mostWithTerm } from '../facts/card-defences.ts'
import { copySimilarity, leastTerms } from '../facts/look-alikes.ts'
import { analyze } from '../text/analyze.ts'
import { ownFieldNames, ownTextsOf } from '../text/card-texts.ts'
import type { Segment } from './card-index.ts'
import { type Documents, inSegments } from './documents.ts'

type Wanted = {
  /** `copy`: in small edits only; `copierCopy`: as who is known to copy does. */
  readonly as: 'copy' | 'copierCopy'
  readonly isAdmitted: (document: number) => boolean
}

/** Of a card's rarest terms, those that are looked for: a copy has three of four terms, and so nearly always one of these. */
const tellingTerms = 8
const ownBits = (1 << ownFieldNames.length) - 1

/**
 * Looks among all cards that share one of a card's rarest terms for the one whose terms are most like its own. Terms are compared of
 * those alone that may be like enough by how many of the rarest they share.
 *
 * @param segments - those of the documents
 * @param cards - those that are asked about, by id
 * @returns undefined when none is
 */
export function likestIn(
  segments: readonly Segment[],
  documents: Documents,
  cards: ReadonlyMap<string, Card>,
): (document: number, wanted: Wanted) => number | undefined {
  const ofSegments = segments.map(() => null as TermNumbers | null)
  const counts = new Uint8Array(documents.size)
  const termsIn = inSegments(segments, documents)(({ defences }, place) => defences.distinctTerms(place))
  const sizes = new Uint16Array(documents.size).map((_, document) => termsIn(document))

  const counted = termCounter(segments, documents, counts)

  return (document, { as, isAdmitted }) => {
    const at = documents.segmentOf(document)
    ofSegments[at] ??= termNumbers(segments, at)
    const known = ofSegments[at]
    const terms = ownTerms(segments[at]!, {
      place: documents.placeOf(document),
      card: () => cards.get(documents.ids.at(document)),
    })
    const size = sizes[document]!
    const least = as === 'copierCopy' ? knownSimilarity : size < leastTerms ? 1 : copySimilarity
    // Who is like enough lacks so many of its terms at most, and has one of the others.
    const mostLacking = Math.floor((1 - least) * size + 1e-9)
    const byRarity = terms.slice().sort((a, b) => known.holders(a) - known.holders(b))
    const shared = byRarity.findIndex((term) => known.holders(term) > 1)
    if (shared < 0) return undefined
    const telling = byRarity
      .subarray(shared, Math.min(shared + tellingTerms, mostLacking + 1))
      .filter((term) => known.holders(term) <= mostWithTerm)
    const found = counted(telling, known)
    const rest = size - shared - telling.length

    const inSegment: (Int32Array | undefined)[] = []
    let best: { readonly document: number; readonly score: number } | undefined
    for (const other of found) {
      const otherSize = sizes[other]!
      const isLike = (common: number): boolean => common >= least * (size + otherSize - common)
      const most = Math.min(counts[other]! + rest, otherSize)
      counts[other] = 0
      if (!isLike(most) || !isAdmitted(other)) continue
      const segment = documents.segmentOf(other)
      inSegment[segment] ??= terms.map((term) => known.numberIn(segment, term))
      const common = commonOf(inSegment[segment], termsOf(segments[segment]!, documents.placeOf(other)))
      if (!isLike(Math.min(common, size, otherSize))) continue
      const score = common / (size + otherSize - common)
      const isBetter =
        best === undefined || score > best.score || (score === best.score && other < best.document)
      if (isBetter) best = { document: other, score }
    }
    return best?.document
  }
}

/**
 * Counts of each card how many of some terms it has.
 *
 * @param counts - by document; those of the cards that are returned are set, and all others 0
 */
function termCounter(segments: readonly Segment[], documents: Documents, counts: Uint8Array) {
  return (terms: Int32Array, { numberIn }: TermNumbers): readonly number[] => {
    const found: number[] = []
    for (const term of terms)
      for (let segment = 0; segment < segments.length; segment++) {
        const number = numberIn(segment, term)
        if (number < 0) continue
        const { starts, documents: places } = segments[segment]!.words
        for (let posting = starts[number]!, end = starts[number + 1]!; posting < end; posting++) {
          const other = documents.numberOf(segment, places[posting]!)
          if (other >= documents.size) continue
          if (counts[other] === 0) found.push(other)
          counts[other] = counts[other]! + 1
        }
      }
    return found
  }
}

/** How many numbers two ascending lists have in common; -1 in the first is none. */
function commonOf(some: Int32Array, others: Int32Array): number {
  let common = 0
  let at = 0
  for (let one = 0; one < some.length; one++) {
    const number = some[one]!
    while (at < others.length && others[at]! < number) at++
    if (others[at] === number) common++
  }
  return common
}

/** The postings of a card in another language hold English as well: its own terms are read from itself, where it is at hand. */
function ownTerms(
  segment: Segment,
  { place, card }: { readonly place: number; card(): Card | undefined },
): Int32Array {
  const terms = termsOf(segment, place)
  const own = terms.length === segment.defences.distinctTerms(place) ? undefined : card()
  if (own === undefined) return terms
  const texts = new Set(analyze(Object.values(ownTextsOf(own)).join('\n')))
  return Int32Array.from(texts, segment.words.numberOf)
    .filter((term) => term >= 0)
    .sort()
}

/** The terms of a segment, as they are numbered in the others. */
type TermNumbers = {
  /** Its number in another segment, or -1. */
  numberIn(segment: number, term: number): number
  /** In how many cards a term stands, over all segments; some of them may be gone. */
  holders(term: number): number
}

const unknown = -2

function termNumbers(segments: readonly Segment[], own: number): TermNumbers {
  const { terms } = segments[own]!.words
  const held = new Uint32Array(terms.size)
  const numbers = segments.map(() => new Int32Array(terms.size).fill(unknown))
  const numberIn = (segment: number, term: number): number => {
    if (segment === own) return term
    const known = numbers[segment]![term]!
    if (known !== unknown) return known
    const found = segments[segment]!.words.numberOf(terms.at(term))
    numbers[segment]![term] = found
    return found
  }
  const holders = (term: number): number => {
    if (held[term] === 0)
      held[term] = segments.reduce((sum, { words }, segment) => {
        const number = numberIn(segment, term)
        return sum + (number < 0 ? 0 : words.holders(number, null))
      }, 0)
    return held[term]!
  }
  return { numberIn, holders }
}

type Lists = { readonly starts: Uint32Array; readonly terms: Int32Array }

/** Kept with a segment, as long as somebody has it open. */
const listsOfSegment = new WeakMap<Segment, Lists>()

/** The terms of a card's own words, ascending. */
function termsOf(segment: Segment, place: number): Int32Array {
  const lists = listsOfSegment.get(segment) ?? listsOf(segment)
  listsOfSegment.set(segment, lists)
  return lists.terms.subarray(lists.starts[place], lists.starts[place + 1])
}

function listsOf({ words, columns }: Segment): Lists {
  const { starts: from, documents, fields } = words
  const isOwn = (posting: number): boolean => (fields[posting]! & ownBits) !== 0
  const starts = new Uint32Array(columns.size + 1)
  documents.forEach((place, posting) => {
    if (isOwn(posting)) starts[place + 1] = starts[place + 1]! + 1
  })
  for (let place = 0; place < columns.size; place++) starts[place + 1] = starts[place + 1]! + starts[place]!
  const next = starts.slice()
  const terms = new Int32Array(starts[columns.size]!)
  for (let term = 0; term < words.terms.size; term++)
    for (let posting = from[term]!; posting < from[term + 1]!; posting++) {
      if (!isOwn(posting)) continue
      const at = next[documents[posting]!]!
      next[documents[posting]!] = at + 1
      terms[at] = term
    }
  return { starts, terms }
}
