import { wordSet } from '../../domain/text/word-rules.ts'
import { foldForm, spelledForm } from './fold-form.ts'

/** Letters that are written as one: a word, several with hyphens between, a name of a file, an address, a code. */
const run = /#?[\p{L}\p{M}\p{N}]+(?:[-_./@:#]+[\p{L}\p{M}\p{N}]+)*/gu
/** Most words. */
const plain = /^[A-Za-z]+$/
const inRun = /[\p{L}\p{M}\p{N}]+/gu
/** Not a word of a language: names of files, addresses, codes. */
const code = /[\p{N}_./@:#]/u
/** A word with a number, as "24ч" and "топ-50". */
const withNumber =
  /^(?:\p{N}+-?(?:(?!\p{N})[\p{sc=Cyrl}\p{sc=Arab}])+|(?:(?!\p{N})[\p{sc=Cyrl}\p{sc=Arab}])+-?\p{N}+)$/u
const letterOrNumber = /\p{N}+|[\p{L}\p{M}]+/gu

type Word = {
  readonly start: number
  readonly end: number
  readonly form: string
  readonly spelled: string
  readonly isCode: boolean
  /** Stands with another between hyphens. */
  readonly isJoined: boolean
  /** So, and all small: "kunden-import". */
  readonly isSmallJoined: boolean
  /** Begins with a capital letter, and no sentence before it ends. */
  readonly isName: boolean
}

/** Small words that belong to a name which they stand in: "Maria de la Cruz". */
const withinNames = wordSet('de del do da dos das di du des la le las los el sur van von der den y e')

/** Names with the small words in them. */
export function withNamesWhole(words: readonly Word[]): readonly Word[] {
  let last = Number.POSITIVE_INFINITY
  const names = new Set<number>()
  words.forEach(({ isName }, place) => {
    if (!isName) return
    if (words.slice(last + 1, place).every(({ form }) => withinNames.has(form)))
      for (let at = last; at < place; at++) names.add(at)
    last = place
  })
  return words.map((word, place) => (names.has(place) ? { ...word, isName: true } : word))
}

/** Words and codes of a text, between spaces and hyphens. */
export function wordsOf(text: string): readonly Word[] {
  let last = 0
  const words: Word[] = []
  for (const { 0: letters, index: start } of text.matchAll(run)) {
    const isFirst = last === 0 || /[.!?:\n]/.test(text.slice(last, start))
    last = start + letters.length
    if (plain.test(letters)) {
      const form = letters.toLowerCase()
      const isName = !isFirst && letters < 'a'
      words.push({
        start,
        end: last,
        form,
        spelled: form,
        isCode: false,
        isJoined: false,
        isSmallJoined: false,
        isName,
      })
      continue
    }
    const isNumbered = withNumber.test(letters)
    const isCode = !isNumbered && code.test(letters)
    const parts = isCode
      ? [{ 0: letters, index: 0 }]
      : [...letters.matchAll(isNumbered ? letterOrNumber : inRun)]
    for (const { 0: part, index } of parts)
      words.push({
        start: start + index,
        end: start + index + part.length,
        form: foldForm(part),
        spelled: spelledForm(part),
        isCode,
        isJoined: parts.length > 1,
        isSmallJoined: parts.length > 1 && letters === letters.toLowerCase(),
        isName: !isFirst && /^\p{Lu}/u.test(part),
      })
  }
  return words
}
