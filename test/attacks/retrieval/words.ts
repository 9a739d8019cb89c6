import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { functionWords, requestWords } from '../../../src/retrieval/text/analyze.ts'

/** Words of a text as written. */
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{N}'_-]*/gu) ?? []

const isFunctionWord = (word: string): boolean =>
  functionWords.has(word.toLowerCase()) || requestWords.has(word.toLowerCase())

/** Words that say what is wanted, each once, as written. */
export const tellingWords = (text: string): string[] => [
  ...new Map(
    wordsOf(text)
      .filter((word) => !isFunctionWord(word))
      .map((word) => [word.toLowerCase(), word]),
  ).values(),
]

/** Telling words that are not values of this one request: no numbers, no names. */
export const generalWords = (text: string): string[] => {
  const words = tellingWords(text)
  const general = words.filter((word, place) => !/\d/.test(word) && (place === 0 || !/^\p{Lu}/u.test(word)))
  return general.length >= 2
    ? general.map((word) => word.toLowerCase())
    : words.map((word) => word.toLowerCase())
}

export const pick = <T>(random: SeededRandom, items: readonly T[]): T => items[random.below(items.length)]!

export function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  const result = [...items]
  for (let at = result.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[result[at], result[other]] = [result[other]!, result[at]!]
  }
  return result
}

/** A name as tools have them, of some words. */
export const snakeCase = (words: readonly string[]): string =>
  words
    .map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_'))
    .join('_')
    .slice(0, 60)

/** The n-th of items that come round again and again. */
export const turn = <T>(items: readonly T[], place: number): T => items[place % items.length]!

export const range = (count: number): number[] => Array.from({ length: count }, (_, place) => place)
