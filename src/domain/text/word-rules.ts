import { normalised } from './normalised.ts'

/** Scripts written without spaces, as members of a class of characters. */
export const spacelessScripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`

/** A character of these, or of Korean, whose words carry their particles. */
export const spaceless = String.raw`[${spacelessScripts}\p{sc=Hang}ー々]`

/** Latin and Greek accents, Arabic vowel signs and stretch mark, keycaps and variation selectors of emoji. */
const foldedMarks = /[\u20d0-\u20ff\u0300-\u036f\u064b-\u065f\u0670\u0640\p{VS}]/gu

/** Compatibility forms unified and accents folded; marks that make another letter stay. */
export const foldMarks = (text: string): string =>
  normalised(text, 'NFKD').replace(foldedMarks, '').normalize('NFC')

const lastCapital = /\p{Lu}(?=\p{Lu}\p{Ll})/gu

/**
 * Words of an identifier parted by spaces where its case changes: `getUserById`, `HTTPServer`.
 *
 * @param before - a capital that ends a row of capitals
 */
export const partedCase = (text: string, before = lastCapital): string =>
  text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(before, '$& ')

/** Letters and digits alone, in lower case: `Git-Hub` is `github`. */
export const keyOfName = (text: string): string =>
  normalised(text, 'NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** A text for comparison: composed (NFKC), lower case, white space as single blanks, none at the ends. */
export const foldText = (text: string): string =>
  normalised(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()

/** The words of a list with spaces between. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))
