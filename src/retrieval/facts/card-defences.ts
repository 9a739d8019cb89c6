import { allInstalled, isBound, type Standings } from '../../trust/standing.ts'
import type { Card } from '../../domain/card.ts'
import { analyze } from '../text/analyze.ts'
import { textsOf } from '../text/card-texts.ts'
import type { Sections } from '../text/sections.ts'
import { copiersCards, spareCopies } from './copiers.ts'
import { lookAlikes, termSet } from './look-alikes.ts'
import { wordBytes } from './plain-words.ts'
import { doubtfulCards, isOdd } from './publisher-shape.ts'

/** Words of a description that are kept for telling echoes. */
const mostWords = 120
const doubtfulFlag = 1
const copierFlag = 2
const oddFlag = 4
const spareFlag = 8

/** What the defences know of each card, by document number. */
export type CardDefences = {
  /** Distinct terms of all its texts. */
  distinctTerms(document: number): number
  /** Number that near-copies share. */
  lookAlike(document: number): number
  /** Its publisher's cards stand back: see `publisher-shape.ts`. */
  isDoubtful(document: number): boolean
  /** Its publisher, who is not the user, mostly offers copies: see `copiers.ts`. */
  isCopier(document: number): boolean
  /** A copier's card that says nothing new: see `copiers.ts`. */
  isSpare(document: number): boolean
  /** Its description is a list of words or a request. */
  isOdd(document: number): boolean
  /** A byte per word of the description. */
  words(document: number): Uint8Array
}

type PackedDefences = {
  readonly 'defences.terms': Uint16Array
  readonly 'defences.alike': Uint32Array
  readonly 'defences.flags': Uint8Array
  readonly 'defences.starts': Uint32Array
  readonly 'defences.words': Uint8Array
}

/** As {@link CardDefences.isCopier}, before the image is made. */
export const isCopierIn =
  ({ 'defences.flags': flags }: Pick<PackedDefences, 'defences.flags'>) =>
  (document: number): boolean =>
    (flags[document]! & copierFlag) !== 0

/**
 * @param cards - in the order of documents
 * @param standingOf - of a source: what the user installed or accepted copies nobody, and no shape of its texts counts
 */
export function packDefences(cards: readonly Card[], standingOf: Standings = allInstalled): PackedDefences {
  const sets = cards.map((card) => termSet(analyze(Object.values(textsOf(card)).join('\n'))))
  const words = cards.map(wordsOf)
  const starts = new Uint32Array(cards.length + 1)
  words.forEach((list, place) => {
    starts[place + 1] = starts[place]! + list.length
  })
  const bytes = new Uint8Array(starts[cards.length]!)
  words.forEach((list, place) => {
    bytes.set(list, starts[place]!)
  })
  const leaders = lookAlikes(sets)
  const bound = cards.map(({ source }) => isBound(standingOf(source)))
  const copiers = copiersCards(cards, leaders).map((flag, place) => (bound[place] ? flag : 0))
  const spare = spareCopies(cards, { sets, leaders, copiers })
  const doubtful = doubtfulCards(cards)
  return {
    'defences.terms': Uint16Array.from(sets, ({ length }) => Math.min(length, 0xffff)),
    'defences.alike': leaders,
    'defences.flags': Uint8Array.from(
      cards,
      (card, place) =>
        (bound[place] && doubtful[place] === 1 ? doubtfulFlag : 0) |
        (copiers[place]! && copierFlag) |
        (isOdd(card) ? oddFlag : 0) |
        (spare[place]! && spareFlag),
    ),
    'defences.starts': starts,
    'defences.words': bytes,
  }
}

/** Of the description alone: an example is where a request belongs. */
const wordsOf = (card: Card): Uint8Array => wordBytes(textsOf(card).description, mostWords)

export function cardDefences(sections: Sections): CardDefences {
  const terms = sections.u16('defences.terms')
  const alike = sections.u32('defences.alike')
  const flags = sections.u8('defences.flags')
  const starts = sections.u32('defences.starts')
  const words = sections.u8('defences.words')
  return {
    distinctTerms: (document) => terms[document]!,
    lookAlike: (document) => alike[document]!,
    isDoubtful: (document) => (flags[document]! & doubtfulFlag) !== 0,
    isCopier: (document) => (flags[document]! & copierFlag) !== 0,
    isSpare: (document) => (flags[document]! & spareFlag) !== 0,
    isOdd: (document) => (flags[document]! & oddFlag) !== 0,
    words: (document) => words.subarray(starts[document], starts[document + 1]),
  }
}
