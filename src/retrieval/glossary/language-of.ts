import { functionWords, requestWords } from '../text/analyze.ts'
import { functionWordsOf, glossaryOf, latinLanguages, type Language } from './glossary.ts'

/** What English writes behind an apostrophe. */
const endings = ['s', 't', 'd', 'm', 're', 've', 'll']
const english: ReadonlySet<string> = new Set([...functionWords, ...requestWords, ...endings])

/** Languages whose small words speak nearly as much for them as the first one's are told apart by all their words. */
const nearlyAsMuch = 0.6
/** Share of the words that a language must know, and English must not, where no small word tells. */
const leastKnown = 0.5
/** From this share of English words on a text is English, whatever its small words say in another language. */
const mostEnglish = 0.8

let smallWords: ReadonlyMap<Language, ReadonlySet<string>> | undefined

/**
 * The language of words in Latin letters: by their small words ("der", "que"), each counting the less the more languages have it, and by
 * the words that its glossary knows. Undefined for English and for what is none of them.
 *
 * @param words - folded, in small letters
 */
export function latinLanguageOf(words: readonly string[]): Language | undefined {
  smallWords ??= new Map(latinLanguages.map((language) => [language, functionWordsOf(language)]))
  const points = new Map<Language, number>()
  let ofEnglish = 0
  for (const word of words) {
    const having = [...smallWords].flatMap(([language, set]) => (set.has(word) ? [language] : []))
    const isEnglish = english.has(word)
    const each = 1 / (having.length + (isEnglish ? 1 : 0))
    for (const language of having) points.set(language, (points.get(language) ?? 0) + each)
    if (isEnglish) ofEnglish += each
  }
  const most = Math.max(0, ...points.values())
  if (ofEnglish > 0 && most <= ofEnglish) return undefined
  const likely = latinLanguages.filter((language) => (points.get(language) ?? 0) >= most * nearlyAsMuch)
  return most > 0 ? likeliest(words, likely) : onlyKnown(words)
}

function likeliest(words: readonly string[], languages: readonly Language[]): Language | undefined {
  const best = mostKnown(words, languages)
  return shareOf(words, isEnglishIn(best)) >= mostEnglish ? undefined : best
}

function onlyKnown(words: readonly string[]): Language | undefined {
  // Any one glossary tells English, so that the others need not be opened.
  if (shareOf(words, isEnglishIn('de')) > 1 - leastKnown) return undefined
  const best = mostKnown(words, latinLanguages)
  const isEnglish = isEnglishIn(best)
  const { exactly } = glossaryOf(best)
  const share = shareOf(words, (word) => word.length > 2 && !isEnglish(word) && exactly(word) !== undefined)
  return share >= leastKnown ? best : undefined
}

const isEnglishIn = (language: Language) => (word: string) =>
  english.has(word) || glossaryOf(language).english.has(word)

const mostKnown = (words: readonly string[], languages: readonly Language[]): Language =>
  languages
    .map((language) => ({
      language,
      known: shareOf(words, (word) => glossaryOf(language).exactly(word) !== undefined),
    }))
    .reduce((best, one) => (one.known > best.known ? one : best)).language

const shareOf = (words: readonly string[], is: (word: string) => boolean): number =>
  words.length === 0 ? 0 : words.filter(is).length / words.length
