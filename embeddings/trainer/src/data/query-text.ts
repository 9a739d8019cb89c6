import { normalised } from '../../../../src/domain/text/normalised.ts'

/**
 * A text by which two queries count as the same: letters, marks and digits only, in lower case.
 *
 * @returns an empty text when nothing of it is a letter or digit
 */
export const normalisedText = (text: string): string =>
  normalised(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
