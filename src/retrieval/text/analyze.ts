import { stemmer } from 'stemmer'
import { foldMarks, partedCase, spaceless } from '../../domain/text/word-rules.ts'

/**
 * Words that carry no need: never indexed, never searched. English function words only; other languages are
 * handled by inverse document frequency.
 */
export const functionWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being but by can could did do does for had has have he her his how i if in into is ' +
    'it its me my no not of on or our she should such than that the their them then there these they this to too us ' +
    'very was we were what when where which who why will with would you your am im'
  ).split(' '),
)

/**
 * Words with which people ask ("I want to find some tool that helps me ..."): indexed, because they may name a tool,
 * but left out of a query that has any other word. Measured on the train and dev sets of ToolRet's format: +0.3
 * nDCG@10 on both.
 */
export const requestWords: ReadonlySet<string> = new Set(
  (
    'about all also any find from get give help here just know let like make may might more most must need only other ' +
    'out over own please same show so some tell up use using want'
  ).split(' '),
)

const cyrillicEndings =
  'иями ями ами ого его ому ему ыми ими ать ить ять еть ая яя ое ее ые ие ои еи ии ыи ом ем ам ям ах ях ов ев ию ью ия а е и о у ы ь ю я'.split(
    ' ',
  )
const arabicPrefixes = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']

const stripLongest = (word: string, endings: readonly string[], keep: number): string => {
  const ending = endings.find(
    (candidate) => word.endsWith(candidate) && word.length - candidate.length >= keep,
  )
  return ending === undefined ? word : word.slice(0, -ending.length)
}

const arabicStem = (word: string): string => {
  const prefix = arabicPrefixes.find(
    (candidate) => word.startsWith(candidate) && word.length - candidate.length >= 3,
  )
  const bare = prefix === undefined ? word : word.slice(prefix.length)
  return stripLongest(bare, ['ات', 'ون', 'ين', 'ها', 'ة', 'ه', 'ي'], 3)
}

/**
 * Conflates inflected forms of one lower-case, accent-folded word. Latin letters: Porter. Cyrillic and Arabic: the
 * common endings (and the article) only. Other scripts are returned as they are.
 *
 * @see Porter, Program 14(3), 1980. The Cyrillic and Arabic rules follow the idea of light stemming (Larkey et al.,
 * SIGIR 2002) with fewer affixes.
 */
export const lightStem = (word: string): string => {
  const first = word.charCodeAt(0)
  if (first < 0x250) return stemmer(word)
  if (first >= 0x400 && first < 0x530) return stripLongest(word, cyrillicEndings, 3)
  if (first >= 0x600 && first < 0x700) return arabicStem(word)
  return word
}

/** Changes whenever the terms of some text change: an index made by another version is built anew. */
export const analyzerVersion = 2

/** Longest term kept, in UTF-16 units; a longer run (hashes, base64) is cut. */
const maxTermLength = 64

const chunkPattern = /[A-Za-z0-9\u0080-\uffff]+/g
const asciiOnly = /^[A-Za-z0-9]+$/
const wordOrPicture = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}|\p{RI}{2}/gu
const picture = /^[\p{Extended_Pictographic}\p{RI}]/u
/** Indexed as character bigrams. */
const spacelessRun = new RegExp(`(${spaceless}+)`, 'u')
const spacelessTerm = new RegExp(`^${spaceless}{1,2}$`, 'u')
const lettersOrDigits = /[\p{L}\p{M}]+|\p{N}+/gu

/** Chunks of text recur: their terms are kept. Bounded, and emptied when full. */
const cache = new Map<string, readonly string[]>()
const cacheLimit = 200_000

const stem = (word: string): string =>
  lightStem(word.length > maxTermLength ? word.slice(0, maxTermLength).toWellFormed() : word)

/**
 * Terms of one word: `getUserById` gives get, user, by, id; `GitHub` gives git, hub and github, since people write
 * both; `mp3` gives mp, 3 and mp3.
 */
function termsOfWord(word: string): string[] {
  const parts = partedCase(word).toLowerCase().match(lettersOrDigits) ?? []
  const forms = parts.length > 1 && parts.length <= 3 ? [...parts, parts.join('')] : parts
  // Before stemming: "one" and "using" have the stems of "on" and "us".
  return forms.filter((form) => !functionWords.has(form)).map(stem)
}

/** Character bigrams, and each character on its own so that a query of one character finds something. */
function termsOfSpacelessRun(run: string): string[] {
  const characters = [...run]
  if (characters.length < 3) return characters.length === 2 ? [...characters, run] : characters
  return characters.flatMap((character, index) => {
    const next = characters[index + 1]
    return next === undefined ? [character] : [character, character + next]
  })
}

function termsOfMixedChunk(chunk: string): string[] {
  const tokens = foldMarks(chunk).match(wordOrPicture) ?? []
  return tokens.flatMap((token) => {
    if (picture.test(token)) return [token]
    const pieces = token.split(spacelessRun)
    // The pattern captures, so that every second piece is a run.
    return pieces.flatMap((piece, place) =>
      place % 2 === 1 ? termsOfSpacelessRun(piece) : termsOfWord(piece),
    )
  })
}

function termsOfChunk(chunk: string): readonly string[] {
  const known = cache.get(chunk)
  if (known !== undefined) return known
  const isFunctionWord = functionWords.has(chunk.toLowerCase())
  const terms = isFunctionWord ? [] : asciiOnly.test(chunk) ? termsOfWord(chunk) : termsOfMixedChunk(chunk)
  if (cache.size >= cacheLimit) cache.clear()
  if (chunk.length <= 40) cache.set(chunk, terms)
  return terms
}

const stemmedRequestWords: ReadonlySet<string> = new Set([...requestWords].map(lightStem))

/**
 * Terms of a card's text in order, repeats kept: lower-cased, accent-folded, identifiers split, stemmed; Chinese,
 * Japanese, Korean and Thai as character bigrams; each emoji a term.
 */
export function analyze(text: string): string[] {
  const terms: string[] = []
  for (const [chunk] of text.matchAll(chunkPattern)) {
    for (const term of termsOfChunk(chunk)) terms.push(term)
  }
  return terms
}

/** The words of a chunk as a person would tell them apart; a chunk that is one word stays as it was written. */
function wordsOfChunk(chunk: string): readonly string[] {
  if (asciiOnly.test(chunk)) return [chunk]
  const tokens = foldMarks(chunk).match(wordOrPicture) ?? []
  const words = tokens.flatMap((token) => token.split(spacelessRun)).filter((word) => word !== '')
  return words.length === 1 ? [chunk] : words
}

/** A term of a query with the word the asker wrote for it; of a script without spaces, the term itself. */
export type QueryTerm = {
  readonly term: string
  readonly word: string
  /** What it counts in a search, > 0. @defaultValue 1 */
  readonly weight?: number
}

/**
 * Distinct terms of a query in order of appearance. Request words ("find", "please") are left out unless the query has
 * nothing else; single characters of spaceless scripts give way to the bigrams they stand in.
 */
export function analyzeQuery(text: string): QueryTerm[] {
  const words = new Map<string, string>()
  for (const [chunk] of text.matchAll(chunkPattern)) {
    for (const word of wordsOfChunk(chunk)) {
      for (const term of termsOfChunk(word))
        if (!words.has(term)) words.set(term, spacelessTerm.test(term) ? term : word)
    }
  }
  const bigrams = [...words.keys()].filter((term) => spacelessTerm.test(term) && [...term].length === 2)
  const inBigram = new Set(bigrams.flatMap((bigram) => [...bigram]))
  const all = [...words].flatMap(([term, word]) => (inBigram.has(term) ? [] : [{ term, word }]))
  const telling = all.filter(({ term }) => !stemmedRequestWords.has(term))
  return telling.length > 0 ? telling : all
}
