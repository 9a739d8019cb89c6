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

type SpelledWord = { readonly form: string; readonly spelled: string }

/** Accents that a language writes. */
const accents: { readonly [language: string]: RegExp } = {
  de: /^[\u0000-\u007fäöüßé]*$/,
  fr: /^[\u0000-\u007fàâæçéèêëîïôœùûüÿ]*$/,
  es: /^[\u0000-\u007fáéíóúüñ]*$/,
  pt: /^[\u0000-\u007fáâãàçéêíóôõúü]*$/,
  it: /^[\u0000-\u007fàèéìíîòóùú]*$/,
}

/**
 * The language of words in Latin letters: the one that knows most of what English does not, small words ("der", "que") above all.
 * Undefined for English, where another has not clearly more words, and for what is none of them.
 */
function latinLanguageOf(written: readonly SpelledWord[]): Language | undefined {
  const all = written.filter(({ form }) => form.length > 1)
  const isOther = (word: SpelledWord): boolean => !isEnglish(word.form) || isAccented(word)
  const [others, english] = [all.filter(isOther), all.filter((word) => !isOther(word))]
  if (others.length === 0) return undefined
  const known = smallWords().map(({ language, words }) => {
    const isSpelled = ({ spelled }: SpelledWord): boolean => accents[language]!.test(spelled)
    const small = others.filter((word) => words.has(word.form) && isSpelled(word)).length
    return { language, words, small, isSpelled }
  })
  const isMostlyEnglish = others.length <= all.length * (1 - mostlyEnglish)
  if (isMostlyEnglish && others.length < 2 && known.every(({ small }) => small === 0)) return undefined
  return known
    .map(({ language, words, small, isSpelled }) => {
      const forms = formsOf(language)
      const spelled = others.filter(isSpelled)
      const exact = spelled.filter(({ form }) => forms.has(form)).length
      const plural = spelled.filter(
        ({ form }) => !forms.has(form) && forms.has(form.replace(/(?<=.{4})s$/, '')),
      ).length
      const own = exact + plural > 1 ? exact + plural : exact
      const onlyEnglish = english.filter(({ form }) => !forms.has(form))
      const smallOnes = onlyEnglish.filter(({ form }) => smallEnglish.has(form)).length
      const needed = onlyEnglish.length + (smallWord - 1) * smallOnes + 1
      // "Os" and "do" are words of English too, and tell Portuguese from Spanish.
      const ties =
        written.filter((word) => words.has(word.form) && isSpelled(word)).length / (written.length + 1)
      return { language, points: own + (smallWord - 1) * small, needed, ties }
    })
    .filter(({ points, needed }) => points >= needed)
    .reduce<{ readonly language: Language | undefined; readonly points: number; readonly ties: number }>(
      (best, one) => (one.points + one.ties > best.points + best.ties ? one : best),
      { language: undefined, points: 0, ties: 0 },
    ).language
}

/** Accents that no word of English has: "résumé" and "café" it has. */
const foreignLetter = /[äöüßáàâãíìîóòôõúùûêñ]/

/** "für" is no fur, nor "löse" to lose. */
const isAccented = ({ form, spelled }: SpelledWord): boolean =>
  form !== spelled && (foreignLetter.test(spelled) || smallWords().some(({ words }) => words.has(form)))

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
    const latin = words.filter(({ form, isJoined }) => /^[a-z]+$/.test(form) && !isJoined)
    const { language, count } = foreign
    if (
      isEnglishBeside(
        latin.map(({ form }) => form),
        count / lettersOfWord[language]!,
      )
    )
      return undefined
    // A name in Chinese may stand in a French sentence.
    const isGuest = count * 4 < (text.match(/\p{L}/gu)?.length ?? 0)
    return (isGuest ? latinLanguageOf(latin) : undefined) ?? language
  }
  // Names are of any language.
  const plain = words.filter(({ isName }) => !isName)
  return latinLanguageOf(plain) ?? (isOfGerman(plain) && latinLanguageOf(words) === 'de' ? 'de' : undefined)
}

/** German nouns begin as names do: "die" with a small letter tells them from English ones. */
const isOfGerman = (words: readonly SpelledWord[]): boolean =>
  words.some(({ form }) => ['die', 'hat', 'war'].includes(form))

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
