import { functionWords, lightStem, requestWords } from '../text/analyze.ts'
import { once } from '../../domain/once.ts'
import { englishWords, functionWordsOf, glossaryOf, latinLanguages, type Language } from './glossary.ts'

/** What English writes behind an apostrophe. */
const endings = ['s', 't', 'd', 'm', 're', 've', 'll']
const smallEnglish: ReadonlySet<string> = new Set([...functionWords, ...requestWords, ...endings])
const englishStems = once(() => new Set([...englishWords()].map(lightStem)))
const smallWords = once(() =>
  latinLanguages.map((language) => ({ language, words: functionWordsOf(language) })),
)

/** A small word tells a language as surely as so many others. */
const smallWord = 2
/** From this share of English words on, and where no small word is of another language, none of the others is asked. */
const mostlyEnglish = 0.6

/** Whether it is a word of English, in any form. */
const isEnglish = (word: string): boolean => smallEnglish.has(word) || englishStems().has(lightStem(word))

/** Whether English says so many of its small words that words of another script stand in it as a guest. */
export const isEnglishBeside = (words: readonly string[]): boolean =>
  words.filter((word) => smallEnglish.has(word)).length * 3 >= Math.max(1, words.length)

/**
 * The language of words in Latin letters: the one that knows most of what English does not, small words ("der", "que") above all.
 * Undefined for English, where another has not clearly more words, and for what is none of them.
 *
 * @param words - folded, in small letters
 */
export function latinLanguageOf(words: readonly string[]): Language | undefined {
  const others = words.filter((word) => word.length > 1 && !isEnglish(word))
  if (others.length === 0) return undefined
  const small = smallWords().map(({ language, words: set }) => ({
    ...{ language, count: others.filter((word) => set.has(word)).length },
  }))
  const isMostlyEnglish = others.length <= words.length * (1 - mostlyEnglish)
  if (isMostlyEnglish && others.length < 2 && small.every(({ count }) => count === 0)) return undefined
  return small
    .map(({ language, count }) => {
      const { exactly } = glossaryOf(language)
      const own = others.filter((word) => exactly(word) !== undefined).length
      const english = words.filter((word) => isEnglish(word) && exactly(word) === undefined)
      const smallOnes = english.filter((word) => smallEnglish.has(word)).length
      const needed = english.length + (smallWord - 1) * smallOnes + 1
      return { language, points: own + (smallWord - 1) * count, needed }
    })
    .filter(({ points, needed }) => points >= needed)
    .reduce<{ readonly language: Language | undefined; readonly points: number }>(
      (best, one) => (one.points > best.points ? one : best),
      { language: undefined, points: 0 },
    ).language
}
