import { normalised } from '../../domain/text/normalised.ts'

/** A text for comparison: composed (NFKC), lower case, white space as single blanks, none at the ends. */
export const foldText = (text: string): string =>
  normalised(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
