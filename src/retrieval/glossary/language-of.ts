import { once } from '../../domain/once.ts'
import { functionWords, lightStem, requestWords } from '../text/analyze.ts'
import { englishWords, formsOf, functionWordsOf, type Language, latinLanguages } from './glossary.ts'
import { withNamesWhole, wordsOf } from './words-of-text.ts'

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

/** Words recur: what they are is kept. Bounded, and emptied when full. */
const known = new Map<string, boolean>()
const mostKnown = 100_000

/** Whether it is a word of English, in any form. */
function isEnglish(word: string): boolean {
  const before = known.get(word)
  if (before !== undefined) return before
  const is = smallEnglish.has(word) || englishStems().has(lightStem(word))
  if (known.size >= mostKnown) known.clear()
  if (word.length <= 40) known.set(word, is)
  return is
}

/**
 * Whether words of another script stand in English as guests: it says small words, and it says more than they, or
 * several small words.
 */
function isEnglishBeside(words: readonly string[], guests: number): boolean {
  const small = words.filter((word) => smallEnglish.has(word))
  return (
    small.length * 3 >= words.length &&
    // "A" may be a letter.
    small.some((word) => word.length > 1) &&
    (small.length > 2 || words.length >= Math.max(2, guests))
  )
}

/**
 * The language of words in Latin letters: the one that knows most of what English does not, small words ("der", "que") above all.
 * Undefined for English, where another has not clearly more words, and for what is none of them.
 *
 * @param words - folded, in small letters
 */
function latinLanguageOf(words: readonly string[]): Language | undefined {
  const others = words.filter((word) => word.length > 1 && !isEnglish(word))
  if (others.length === 0) return undefined
  const small = smallWords().map(({ language, words: set }) => ({
    ...{ language, count: others.filter((word) => set.has(word)).length },
  }))
  const isMostlyEnglish = others.length <= words.length * (1 - mostlyEnglish)
  if (isMostlyEnglish && others.length < 2 && small.every(({ count }) => count === 0)) return undefined
  return small
    .map(({ language, count }) => {
      const forms = formsOf(language)
      const own = others.filter((word) => forms.has(word)).length
      const english = words.filter((word) => isEnglish(word) && !forms.has(word))
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

/** Letters of a language. */
const scripts: readonly (readonly [Language, RegExp])[] = [
  ['ja', /[\p{sc=Hira}\p{sc=Kana}]/gu],
  ['zh', /\p{sc=Han}/gu],
  ['ko', /\p{sc=Hang}/gu],
  ['ru', /\p{sc=Cyrl}/gu],
  ['ar', /\p{sc=Arab}/gu],
]
/** Of its words, nearly. */
const lettersOfWord: { readonly [language: string]: number } = { ja: 2, zh: 2, ko: 3, ru: 6, ar: 5 }

/** The language of a text, where it is not English and has a glossary. */
export function languageOf(text: string): Language | undefined {
  const words = withNamesWhole(wordsOf(text)).filter(({ isCode }) => !isCode)
  const foreign = scriptOf(text)
  if (foreign) {
    const latin = words.flatMap(({ form, isJoined }) => (/^[a-z]+$/.test(form) && !isJoined ? [form] : []))
    const { language, count } = foreign
    if (isEnglishBeside(latin, count / lettersOfWord[language]!)) return undefined
    // A name in Chinese may stand in a French sentence.
    const isGuest = count * 4 < (text.match(/\p{L}/gu)?.length ?? 0)
    return (isGuest ? latinLanguageOf(latin) : undefined) ?? language
  }
  // Names are of any language; German nouns begin as names do, but its small words do not.
  return latinLanguageOf(words.flatMap(({ form, isName }) => (isName ? [] : [form])))
}

/** The script that most letters are of, besides Latin ones: Japanese has Chinese letters too. */
function scriptOf(text: string) {
  if (!/[\u0080-\uffff]/.test(text)) return undefined
  const counted = scripts
    .map(([language, script]) => ({ language, script, count: text.match(script)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
  const isJapanese = counted[0]?.language === 'ja'
  const each = isJapanese ? counted.filter(({ language }) => language !== 'zh') : counted
  return each.reduce<(typeof each)[number] | undefined>(
    (most, one) => (most === undefined || one.count > most.count ? one : most),
    undefined,
  )
}
