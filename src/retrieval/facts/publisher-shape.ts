import type { Card } from '../../domain/card.ts'
import { wilson } from '../../domain/statistics.ts'
import { functionWords, requestWords } from '../text/analyze.ts'
import { plainWords } from './plain-words.ts'

type DescriptionShape = 'text' | 'word list' | 'request'

/** Fewest words of a description by which a list of words is told: without any function word, and with few. */
const listWords = { bare: 7, sparse: 10 }
/** Below this share of function words English is no text but a list. */
const leastFunctionWords = 0.1
const requestWordsAtLeast = 4

/** "I need", "I'm looking", "i want"; not "I/O" nor "Part I." */
const firstPerson = /(?<![\p{L}\p{N}/])(?:I(?:['’](?:m|ve|d|ll))?|i['’](?:m|ve|d|ll))\s+\p{Ll}/u
/** The end of a question; not the start of a URL's query. */
const question = /[?？؟](?=$|[\s"'”’)\]])/u
const mostlyLatin = /^[\p{sc=Latin}\p{N}\p{P}\p{S}\p{Z}\s]*$/u
/** Accented letters tell other languages, whose function words are not known here. */
const beyondEnglish = /[^\p{ASCII}\p{P}\p{S}\p{Z}]/u

/**
 * Documentation speaks of what a tool does. A person's request has a first person or a question mark in it; a list of search words
 * has no function words. One such card says little: see `publisher-shape.ts`.
 */
export function shapeOf(description: string): DescriptionShape {
  const words = plainWords(description)
  if (words.length >= requestWordsAtLeast && (question.test(description) || firstPerson.test(description)))
    return 'request'
  if (words.length < listWords.bare || !mostlyLatin.test(description) || beyondEnglish.test(description))
    return 'text'
  const functional = words.filter((word) => functionWords.has(word) || requestWords.has(word)).length
  if (functional === 0) return 'word list'
  return words.length >= listWords.sparse && functional < leastFunctionWords * words.length
    ? 'word list'
    : 'text'
}

/** Share of cards that is surely reached: the lower end of Wilson's interval. */
export const surelyAtLeast = (count: number, of: number): number => wilson(count, of, 1.645).low

/** Who a card is held against: what its source says of publishers is the source's word, so that the source itself counts, too. */
export const identitiesOf = ({
  source,
  publisher,
}: Pick<Card, 'source' | 'publisher'>): readonly string[] => [source, `${source}\0${publisher ?? ''}`]

/** Whether a description is a list of words or a request. Only of tools: what an agent says of itself may well be in the words of those who ask it. */
export const isOdd = (card: Card): boolean => card.kind === 'tool' && shapeOf(card.description) !== 'text'

/** Share of odd cards from which all of a publisher's stand back, and how many there must be. */
const doubtfulShare = 0.2
const leastOdd = 3

/** Who published some cards: each once, and by card its number among these. */
export type Publishers = { readonly all: readonly Published[]; readonly of: Uint32Array }

export type Published = Pick<Card, 'source' | 'publisher'>

export function publishersOf(cards: readonly Published[]): Publishers {
  const all: Published[] = []
  const numbers = new Map<string, Map<string | undefined, number>>()
  const of = new Uint32Array(cards.length)
  cards.forEach((card, place) => {
    const ofSource = numbers.get(card.source) ?? new Map<string | undefined, number>()
    const number = ofSource.get(card.publisher) ?? all.push(card) - 1
    ofSource.set(card.publisher, number)
    numbers.set(card.source, ofSource)
    of[place] = number
  })
  return { all, of }
}

/** Counts, by source and publisher, cards of which something is so. */
export function talliesOf({ all, of }: Publishers, isSo: (place: number) => boolean): TallyOf {
  const [some, every] = [new Uint32Array(all.length), new Uint32Array(all.length)]
  of.forEach((number, place) => {
    every[number] = every[number]! + 1
    if (isSo(place)) some[number] = some[number]! + 1
  })
  const tallies = new Map<string, { so: number; all: number }>()
  all.forEach((card, number) => {
    for (const identity of identitiesOf(card)) {
      const tally = tallies.get(identity) ?? { so: 0, all: 0 }
      tallies.set(identity, { so: tally.so + some[number]!, all: tally.all + every[number]! })
    }
  })
  return (identity) => tallies.get(identity)!
}

type TallyOf = (identity: string) => { readonly so: number; readonly all: number }

/** @returns 1 per card whose source or publisher is meant, else 0 */
export function cardsOf({ all, of }: Publishers, isMeant: (identity: string) => boolean): Uint8Array {
  const meant = Uint8Array.from(all, (card) => (identitiesOf(card).some(isMeant) ? 1 : 0))
  return new Uint8Array(of.length).map((_, place) => meant[of[place]!]!)
}

/**
 * Which cards come from publishers or sources whose descriptions are, too often, lists of words or requests of a user.
 *
 * @returns 1 per card that stands back for its publisher's sake, else 0
 */
export const doubtfulCards = (publishers: Publishers, shapeOf: ShapeOf): Uint8Array =>
  cardsOf(publishers, (identity) => {
    const { odd, all } = shapeOf(identity)
    return odd >= leastOdd && surelyAtLeast(odd, all) >= doubtfulShare
  })

/** How many cards an identity has, and odd ones among them. */
export type ShapeOf = (identity: string) => { readonly odd: number; readonly all: number }

/** By the cards themselves: all that there are. */
export function shapesIn(publishers: Publishers, odd: readonly boolean[]): ShapeOf {
  const tallyOf = talliesOf(publishers, (place) => odd[place]!)
  return (identity) => {
    const { so, all } = tallyOf(identity)
    return { odd: so, all }
  }
}
