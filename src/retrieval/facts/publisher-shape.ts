import type { Card } from '../../domain/card.ts'
import { wilson } from '../../domain/wilson.ts'
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

/**
 * Which cards come from publishers or sources whose descriptions are, too often, lists of words or requests of a user.
 *
 * @returns 1 per card that stands back for its publisher's sake, else 0
 */
export function doubtfulCards(cards: readonly Published[], shapeOf: ShapeOf): Uint8Array {
  const isDoubtful = (identity: string): boolean => {
    const { odd, all } = shapeOf(identity)
    return odd >= leastOdd && surelyAtLeast(odd, all) >= doubtfulShare
  }
  return Uint8Array.from(cards, (card) => (identitiesOf(card).some(isDoubtful) ? 1 : 0))
}

type Published = Pick<Card, 'source' | 'publisher'>

/** How many cards an identity has, and odd ones among them. */
export type ShapeOf = (identity: string) => { readonly odd: number; readonly all: number }

/** By the cards themselves: all that there are. */
export function shapesIn(cards: readonly Published[], odd: readonly boolean[]): ShapeOf {
  const tallies = new Map<string, { odd: number; all: number }>()
  cards.forEach((card, place) => {
    for (const identity of identitiesOf(card)) {
      const tally = tallies.get(identity) ?? { odd: 0, all: 0 }
      tally.odd += odd[place] ? 1 : 0
      tally.all += 1
      tallies.set(identity, tally)
    }
  })
  return (identity) => tallies.get(identity)!
}
