import { normalised } from '../../../domain/text/normalised.ts'
import { foldLookAlikes } from './confusables.ts'

const ascii = /^[\u0000-\u007f]*$/

/** What shows nothing: format characters, selectors, fillers, tag characters, private use. */
const invisible = /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu

/** Letters drawn as pictures that NFKC leaves alone: regional indicators, white on black, squared. */
const pictured: readonly (readonly [first: number, last: number])[] = [
  [0x1f1e6, 0x1f1ff],
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
]
const picturedLetters = /[\u{1f150}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu

/**
 * The text as it is read rather than as it is written: compatibility forms folded (NFKC), what shows nothing removed,
 * pictured letters made letters. Plain ASCII stays as it is.
 */
export function plainText(text: string): string {
  if (ascii.test(text)) return text
  const shown = text.toWellFormed().replace(invisible, '').replace(picturedLetters, letterOfPicture)
  return normalised(shown, 'NFKC')
}

/** {@link plainText}, with letters that only look Latin made Latin where they stand in disguise. */
export const readableText = (text: string): string =>
  ascii.test(text) ? text : foldLookAlikes(plainText(text))

function letterOfPicture(character: string): string {
  const code = character.codePointAt(0)!
  const range = pictured.find(([first, last]) => code >= first && code <= last)
  return range === undefined ? character : String.fromCharCode(97 + code - range[0])
}

/** A word in lower case without accents: `Précédentes` is `precedentes`, `й` is `и`, `ß` is `ss`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  return ascii.test(lower) ? lower : normalised(lower, 'NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
}
