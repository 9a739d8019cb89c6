import { foldMarks } from '../../domain/text/word-rules.ts'

const likeAnother: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
}
const otherLetters = new RegExp(`[${Object.keys(likeAnother).join('')}]`, 'gu')

/** A word or expression as the glossary knows it: small letters without accents, and spaces for apostrophes and hyphens. */
export const foldForm = (text: string): string => (plain.test(text) ? text : folded(text))

/** The same with its accents. */
export const spelledForm = (text: string): string =>
  plain.test(text)
    ? text
    : text.normalize('NFC').toLowerCase().replace(vowelSigns, '').replace(apostrophes, ' ').trim()

/** Of Arabic, and its stretch mark. */
const vowelSigns = /[\u064b-\u0652\u0640]/gu
const apostrophes = /['’-]/gu
const plain = /^[a-z0-9 ]*$/

const folded = (text: string): string =>
  foldMarks(text)
    .toLowerCase()
    .replace(otherLetters, (letter) => likeAnother[letter]!)
    .replace(apostrophes, ' ')
    .trim()
