/** A word, and whether it is of Han, Hiragana or Katakana, which are written without spaces. */
export type TextWord = { readonly text: string; readonly isUnspaced: boolean }

/** Accents, Arabic vowel signs and the mark that stretches a word. */
const marks = /[\u0300-\u036f\u064b-\u0652\u0670\u0640]/g
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu
const space = /\p{White_Space}+/u
/** A sign by itself, a run of a script without spaces, or a run of anything else. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\u3005\\u3099\\u309a'
const parts = new RegExp(`[\\p{P}\\p{S}]|[${unspaced}]+|[^\\p{P}\\p{S}${unspaced}]+`, 'gu')
const beginsUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/**
 * Words as a word-piece vocabulary knows them: compatible forms made one, lower case, without accents and what is not seen; signs of
 * punctuation and symbols are words. Of plain English it is what BERT's uncased models read.
 */
export function* wordsOfText(text: string): Generator<TextWord> {
  for (const word of plain(text).split(space))
    for (const [part] of word.matchAll(parts)) yield { text: part, isUnspaced: beginsUnspaced.test(part) }
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(unseen, '')
