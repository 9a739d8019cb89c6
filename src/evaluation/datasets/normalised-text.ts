import { normalised } from '../../domain/text/normalised.ts'

/** A text without case, punctuation and the width of spaces; the text itself when nothing else is in it. */
export function normalisedText(text: string): string {
  const plain = normalised(text, 'NFKC').toLowerCase()
  const words = plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words === '' ? plain.replace(/\s+/g, ' ').trim() : words
}
