import { functionWords, requestWords } from '../text/stop-words.ts'
import { plainWords } from './plain-words.ts'

/** What a description is if it is not one. */
export type DescriptionShape = 'text' | 'word list' | 'request'

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
