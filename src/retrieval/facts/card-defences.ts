import type { Card } from '../../domain/card.ts'
import { grouped } from '../../domain/grouped.ts'
import { allInstalled, isBound, type Standings } from '../../trust/standing.ts'
import { analyze } from '../text/analyze.ts'
import { ownTextsOf, textsOf } from '../text/card-texts.ts'
import type { Sections } from '../text/sections.ts'
import { groupsWith, jaccard, lookAlikes, termSet } from './look-alikes.ts'
import { wordBytes } from './plain-words.ts'
import {
  cardsOf,
  doubtfulCards,
  isOdd,
  type Publishers,
  publishersOf,
  type ShapeOf,
  shapesIn,
  surelyAtLeast,
  talliesOf,
} from './publisher-shape.ts'

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
  /** Its publisher, who is not the user, mostly offers copies: see {@link copiersCards}. */
  isCopier(document: number): boolean
  /** A copier's card that says nothing new: see {@link spareCopies}. */
  isSpare(document: number): boolean
  /** Its description is a list of words or a request. */
  isOdd(document: number): boolean
  /** A byte per word of the description. */
  words(document: number): Uint8Array
}

/** As {@link CardDefences.isCopier}, by the flags of the cards. */
export const isCopierIn =
  (flags: Uint8Array): CardDefences['isCopier'] =>
  (document) =>
    (flags[document]! & copierFlag) !== 0

/**
 * @param cards - in the order of documents
 * @param standingOf - of a source: what the user installed or accepted copies nobody, and no shape of its texts counts
 * @param shapeOf - of a publisher's cards, where these are some of them. @defaultValue by these cards
 */
export function packDefences(
  cards: readonly Card[],
  standingOf: Standings = allInstalled,
  shapeOf?: ShapeOf,
) {
  const sets = cards.map((card) => termSet(analyze(Object.values(ownTextsOf(card)).join('\n'))))
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
  const isOther = (left: readonly number[], copiers: Uint8Array) =>
    likenessTo(sets, left, (place) => !copiers[place])
  return {
    'defences.terms': Uint16Array.from(sets, ({ length }) => Math.min(length, 0xffff)),
    'defences.alike': leaders,
    'defences.flags': flagsOf(cards, {
      leaders,
      odd: cards.map(isOdd),
      standingOf,
      shapeOf,
      likeness: isOther,
    }),
    'defences.starts': starts,
    'defences.words': bytes,
  }
}

/** What of a card its publisher's others are told by. */
export type PublishedCard = Pick<Card, 'source' | 'publisher'>

/** What the cards of a catalog say of each other. */
export type KnownOfCards = {
  /** Per card, of `lookAlikes`. */
  readonly leaders: Uint32Array
  /** Per card, of `isOdd`. */
  readonly odd: readonly boolean[]
  readonly standingOf: Standings
  /** Of a publisher's cards. @defaultValue by these cards */
  readonly shapeOf?: ShapeOf | undefined
  /** Tells which of some cards are like one that is no copier's. */
  likeness(left: readonly number[], copiers: Uint8Array): Likeness
}

type Likeness = (place: number, isAdmitted: (other: number) => boolean) => boolean

/** @returns flags per card, in the order of documents */
export function flagsOf(
  cards: readonly PublishedCard[],
  { leaders, odd, standingOf, shapeOf, likeness }: KnownOfCards,
): Uint8Array {
  const publishers = publishersOf(cards)
  const boundOf = publishers.all.map(({ source }) => isBound(standingOf(source)))
  const flags = new Uint8Array(odd.length)
  odd.forEach((isOne, place) => {
    if (isOne) flags[place] = oddFlag
  })
  if (!boundOf.includes(true)) return flags
  const isBoundAt = (place: number): boolean => boundOf[publishers.of[place]!]!
  const copiers = copiersCards(publishers, leaders).map((flag, place) => (isBoundAt(place) ? flag : 0))
  const spare = spareCopies(cards, { leaders, copiers, likeness })
  const doubtful = doubtfulCards(publishers, shapeOf ?? shapesIn(publishers, odd))
  return flags.map(
    (flag, place) =>
      flag |
      (isBoundAt(place) && doubtful[place] === 1 ? doubtfulFlag : 0) |
      (copiers[place]! && copierFlag) |
      (spare[place]! && spareFlag),
  )
}

/** Of the description alone: an example is where a request belongs. */
const wordsOf = (card: Card): Uint8Array => wordBytes(textsOf(card).description, mostWords)

/** What a card says by itself. */
export type OwnDefences = Pick<CardDefences, 'distinctTerms' | 'words'>

export function ownDefences(sections: Sections): OwnDefences {
  const terms = sections.u16('defences.terms')
  const starts = sections.u32('defences.starts')
  const words = sections.u8('defences.words')
  return {
    distinctTerms: (document) => terms[document]!,
    words: (document) => words.subarray(starts[document], starts[document + 1]),
  }
}

/** What is told of a card beside all others. */
export function catalogDefences(sections: Sections): Omit<CardDefences, keyof OwnDefences> {
  const alike = sections.u32('defences.alike')
  const flags = sections.u8('defences.flags')
  return {
    lookAlike: (document) => alike[document]!,
    isDoubtful: (document) => (flags[document]! & doubtfulFlag) !== 0,
    isCopier: isCopierIn(flags),
    isSpare: (document) => (flags[document]! & spareFlag) !== 0,
    isOdd: (document) => (flags[document]! & oddFlag) !== 0,
  }
}

/** Share of a publisher's cards that are copies of others' from which it is taken for a copier. */
const copierShare = 0.3

/**
 * Whose cards are mostly copies of other sources' cards. An original that others copy stays
 * one: most of what its publisher offers is found nowhere else.
 *
 * @param leaders - per card, of `lookAlikes`
 * @returns 1 per card of a copier, else 0
 */
function copiersCards(publishers: Publishers, leaders: Uint32Array): Uint8Array {
  const sourceAt = (place: number): string => publishers.all[publishers.of[place]!]!.source
  const isShared = new Uint8Array(leaders.length)
  leaders.forEach((leader, place) => {
    if (leader !== place && sourceAt(leader) !== sourceAt(place)) isShared[leader] = 1
  })
  const tallyOf = talliesOf(publishers, (place) => isShared[leaders[place]!] === 1)
  return cardsOf(publishers, (identity) => {
    const { so, all } = tallyOf(identity)
    return surelyAtLeast(so, all) >= copierShare
  })
}

/**
 * Copiers' cards that say nothing new: the original is another source's, or the same source has more copies of one card than any
 * other source has cards like it. The first by id stay.
 *
 * @param cards - in the order of ids
 * @param known.leaders - per card, of `lookAlikes`
 * @param known.copiers - per card, of {@link copiersCards}
 * @returns 1 per card that is spare, else 0
 */
export function spareCopies(
  cards: readonly PublishedCard[],
  known: Pick<KnownOfCards, 'leaders' | 'likeness'> & { readonly copiers: Uint8Array },
): Uint8Array {
  const { leaders, copiers, likeness } = known
  const spare = new Uint8Array(cards.length)
  const left: number[] = []
  for (const places of groupsWith(leaders, (place) => copiers[place] === 1)) {
    if (places.length === 1) {
      left.push(places[0]!)
      continue
    }
    const bySource = grouped(places, (place) => cards[place]!.source)
    const originals = new Set(places.filter((place) => !copiers[place]).map((place) => cards[place]!.source))
    const [largest, second] = [...bySource.values()].map(({ length }) => length).sort((a, b) => b - a)
    for (const [source, own] of bySource) {
      const isElsewhere = originals.size > (originals.has(source) ? 1 : 0)
      const ofOthers = own.length === largest ? second : largest
      const most = isElsewhere ? 0 : Math.max(1, ofOthers ?? 0)
      own
        .filter((place) => copiers[place])
        .forEach((place, count) => {
          if (count < most) left.push(place)
          else spare[place] = 1
        })
    }
  }
  const isLike = likeness(left, copiers)
  for (const place of left)
    if (isLike(place, (other) => cards[other]!.source !== cards[place]!.source)) spare[place] = 1
  return spare
}

/** Jaccard similarity from which a card of a known copier is a copy: it has been seen to copy, so less tells it. */
export const knownSimilarity = 0.45
/** A term in more cards than this tells nothing. */
export const mostWithTerm = 400

/**
 * Looks for cards like some, among others. Two sets of so much in common share one of the rarest terms of either.
 *
 * @see Chaudhuri, Ganti & Kaushik, "A primitive operator for similarity joins", ICDE 2006 (prefix filter)
 */
export function likenessTo(
  sets: readonly Uint32Array[],
  some: readonly number[],
  isOther: (place: number) => boolean,
): Likeness {
  const holders = new Map<number, number[]>()
  for (const place of some) for (const term of sets[place]!) holders.set(term, [])
  if (holders.size > 0)
    sets.forEach((set, place) => {
      if (isOther(place)) for (const term of set) holders.get(term)?.push(place)
    })
  return (place, isAdmitted) => {
    const set = sets[place]!
    const byRarity = [...set].sort((a, b) => holders.get(a)!.length - holders.get(b)!.length)
    const telling = byRarity.slice(0, set.length - Math.ceil(knownSimilarity * set.length) + 1)
    const tried = new Set(
      telling.flatMap((term) => {
        const list = holders.get(term)!
        return list.length > mostWithTerm ? [] : list
      }),
    )
    const fits = ({ length }: Uint32Array): boolean =>
      Math.min(length, set.length) >= knownSimilarity * Math.max(length, set.length)
    return [...tried].some(
      (other) => fits(sets[other]!) && isAdmitted(other) && jaccard(sets[other]!, set) >= knownSimilarity,
    )
  }
}
