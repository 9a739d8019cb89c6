import { normalised } from '../../domain/text/normalised.ts'

/** Accents of Latin and Cyrillic letters, vowel signs and the stretch mark of Arabic. */
const marks = /[\u0300-\u036f\u064b-\u065f\u0670\u0640]/gu
const likeAnother: { readonly [letter: string]: string } = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ى: 'ي', ة: 'ه', ؤ: 'و', ئ: 'ي' },
}
const otherLetters = new RegExp(`[${Object.keys(likeAnother).join('')}]`, 'gu')

/** A word or expression as the glossary knows it: small letters without accents. Marks that make another letter of Japanese stay. */
export const foldForm = (text: string): string => (plain.test(text) ? text : folded(text))

const plain = /^[a-z0-9 ]*$/

const folded = (text: string): string =>
  normalised(text, 'NFKD')
    .replace(marks, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(otherLetters, (letter) => likeAnother[letter]!)
    .replace(/['’-]/gu, ' ')
    .trim()
