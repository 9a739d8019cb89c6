import { spaceless } from '../../domain/text/word-rules.ts'
import { datesInEnglish } from './dates-in-english.ts'
import { foldForm } from './fold-form.ts'
import { englishWords, type Glossary, glossaryOf, type Language } from './glossary.ts'
import { languageOf } from './language-of.ts'
import { clausePlaces } from './request-clauses.ts'
import { sensesOfWord } from './senses-of-word.ts'
import { separatedVerbs } from './separable-verbs.ts'
import { simplified } from './simplified.ts'
import { wordsOf } from './words-of-text.ts'
import { piecesOf } from './words-without-spaces.ts'

/** English words taken for one form. */
const mostSenses = 2
/** Letters of a text that are looked up. */
const mostRead = 4000

/** What somebody quotes is meant as it stands. */
const quoted =
  /("[^"]{1,300}"|[“„][^“”„]{1,300}[“”]|«[^»]{1,300}»|「[^」]{1,300}」|`[^`]{1,300}`|(?<![\p{L}\p{N}])'[^'\n]{1,300}'(?![\p{L}\p{N}]))/u
/** Signs that belonged to words which are gone. */
const leftOver = /[¿¡]|(?<=^|\s)['’-]{1,3}(?=\s|$|\p{L})|['’-]{1,3}(?=\s|$)/gu
const withoutSpace = new RegExp(`(${spaceless}+(?: ${spaceless}+)*)`, 'u')
/** Whether a word also stands as it was written, beside its English: by default none does. */
type IsKept = (word: string, english: readonly string[]) => boolean
const never: IsKept = () => false
const always: IsKept = () => true

type TextKind = 'request' | 'prose'

/**
 * A text of another language in English, word by word, for catalogs whose cards are in English: "facture pour Acme" is "invoice bill
 * Acme". Words between spaces that the glossary does not know stay, small words go. Undefined for English and for languages without a
 * glossary.
 *
 * @param as - of a request English is told where, by its own grammar, another thing is asked for
 */
export function englishOf(text: string, isKept = never, as: TextKind = 'prose'): string | undefined {
  const read = text.slice(0, mostRead)
  const parts = read.split(quoted)
  const language = languageOf(parts.filter((_, place) => place % 2 === 0).join(' '))
  if (language === undefined) return undefined
  const by = { language, glossary: glossaryOf(language), isKept, as }
  const inEnglish = parts.map((part, place) => (place % 2 === 1 ? part : partInEnglish(part, by))).join('')
  const english = (inEnglish + text.slice(mostRead)).replace(leftOver, ' ').replace(/\s+/g, ' ').trim()
  return english === text.trim() || english === '' ? undefined : english
}

/** A text with its English beside it, for what reads both. */
export function withEnglish(text: string): string {
  const english = englishOf(text)
  return english === undefined ? text : `${text} ${english}`
}

/** The point of "3. Juni"; at the head of a line a list counts. */
const ordinal = /(?<=[^\s.][^\S\n]+\d{1,2})\.(?=[^\S\n]+\p{L})/gu

type By = {
  readonly language: Language
  readonly glossary: Glossary
  readonly isKept: IsKept
  readonly as: TextKind
}

const partInEnglish = (text: string, by: By): string =>
  ['zh', 'ja', 'ko'].includes(by.language) ? withoutSpaces(text, by) : betweenSpaces(text, by)

/** English for what was written, beside it where it is kept. */
function said(written: string, senses: readonly string[], isKept: IsKept): string {
  const english = senses.slice(0, mostSenses)
  // A name counts twice: it tells most.
  const isSaid = isKept !== always && english.includes(foldForm(written))
  const isBeside = english.length > 0 && !isSaid && isKept(written, english)
  return (isBeside ? [written, ...english] : english).join(' ')
}

/** Of words between spaces the longest known expression is taken first. */
function betweenSpaces(given: string, { language, glossary, isKept, as }: By): string {
  const isRequest = as === 'request'
  const text = isRequest && language === 'de' ? given.replace(ordinal, '') : given
  const isGerman = language === 'de'
  const words = isGerman ? withNames(wordsOf(text)) : wordsOf(text)
  const clauses = new Set(isRequest ? clausePlaces(text, words, { language, glossary }) : [])
  const separated = isGerman ? separatedVerbs(text, words, glossary) : undefined
  let english = ''
  let from = 0
  for (let at = 0; at < words.length; ) {
    const formOf = (count: number, as: 'form' | 'spelled' = 'form'): string =>
      words
        .slice(at, at + count)
        .map((word) => word[as])
        .join(' ')
    const known = (count: number) =>
      glossary.exactly(formOf(count), formOf(count, 'spelled')) ??
      (count > 1 ? glossary.byStems(words.slice(at, at + count).map(({ form }) => form)) : undefined)
    const whole = separated?.get(at)
    let count = whole ? 1 : Math.min(glossary.mostWords, words.length - at)
    while (count > 1 && known(count) === undefined) count--
    const { start, form, isCode, isName } = words[at]!
    const { end } = words[at + count - 1]!
    const isProper = isName && count === 1 && !isGerman
    const exact = whole ?? known(count) ?? (isProper ? glossary.byStem(form) : undefined)
    // "insta" is no instance: what English says and the language does not stays.
    const isWord = count === 1 && !isCode && !isProper && exact === undefined && !englishWords().has(form)
    const senses = isWord ? sensesOfWord(form, glossary, language) : isCode && count === 1 ? undefined : exact
    const written = text.slice(start, end)
    const isSmall = !whole && glossary.functionWords.has(formOf(count))
    // "Roma" is Rome, and "Rossi" nobody's colour.
    const keeps = isSmall ? never : isProper ? always : isKept
    const word = senses === undefined ? written : said(written, senses, keeps)
    english += joinedTo(start > from || at === 0 ? text.slice(from, start) : ' ', word, {
      at,
      clauses,
      isGerman: isRequest && isGerman,
    })
    from = end
    at += count
  }
  return english + text.slice(from)
}

const titles: ReadonlySet<string> = new Set(['herr', 'herrn', 'frau', 'familie', 'dr', 'prof'])

/** Names of German, where nouns are written large: "kunden-import", and "Frau Schneider". */
const withNames = (words: ReturnType<typeof wordsOf>): typeof words =>
  words.some(({ isName }) => isName)
    ? words.map((word, place) =>
        word.isSmallJoined || (word.isName && titles.has(words[place - 1]?.form ?? ''))
          ? { ...word, isCode: true }
          : word,
      )
    : words

/** What joins requests in German, and lists of things too. */
const alsoLists = /^and$/
/** Words between sentences join nothing. */
const endsSentence = /[.!?:\n]/

/**
 * A word behind what stands before it. Where a clause begins that asks for something English is told so, and where German only counts things
 * it is kept from seeing one.
 */
function joinedTo(
  gap: string,
  word: string,
  {
    at,
    clauses,
    isGerman,
  }: { readonly at: number; readonly clauses: ReadonlySet<number>; readonly isGerman: boolean },
): string {
  if (clauses.has(at)) return `;${gap.replace(/[,;]/, '')}and please ${alsoLists.test(word) ? '' : word}`
  if (at === 0 && clauses.size > 0 && word !== 'please')
    return `${gap}please ${word.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())}`
  return gap + (isGerman && at > 0 && alsoLists.test(word) && !endsSentence.test(gap) ? '&' : word)
}

/** What is left over of letters without spaces, particles of Korean above all, goes unless it is kept. */
const withoutSpaces = (text: string, { language, glossary, isKept }: By): string =>
  datesInEnglish(text)
    .split(withoutSpace)
    .map((letters, place) => {
      if (place % 2 === 0) return letters
      const folded = foldForm(letters)
      const read = language === 'zh' ? simplified(folded) : folded
      let start = 0
      const cut = piecesOf(read, glossary)
      const isUnknown = (piece = ' ') => piece.length > 1 && glossary.exactly(piece) === undefined
      const pieces = cut.map((piece, at) => {
        const written = folded.slice(start, start + piece.length)
        // A letter beside two unknown ones is part of a name.
        const isOfName = piece.length === 1 && (isUnknown(cut[at - 1]) || isUnknown(cut[at + 1]))
        // Behind a word one syllable of Korean is an ending, though it may be a word by itself.
        const isEnding = language === 'ko' && piece.length === 1 && start > 0 && read[start - 1] !== ' '
        start += piece.length
        const isSmall = glossary.functionWords.has(piece)
        const known = (isEnding || isOfName) && !isSmall ? undefined : glossary.exactly(piece)
        // One letter of Chinese says too much.
        const senses = language === 'zh' && piece.length === 1 ? known?.slice(0, 1) : known
        if (senses === undefined) return isKept(written, []) ? written : ''
        return said(written, senses, isSmall ? never : isKept)
      })
      return ` ${pieces.filter((piece) => piece !== '').join(' ')} `
    })
    .join('')
