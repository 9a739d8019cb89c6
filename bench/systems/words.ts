import { stemmer } from 'stemmer'

/**
 * What a careful user of a search library sets up for tools, by the library's own hooks: identifiers split, Porter
 * stems, common words left out.
 */
const commonWords = new Set(
  (
    'a an and are as at be but by can do does for from had has have how i if in into is it its me my no not of on or ' +
    'our should such that the their then there these they this to want was we what when where which who will with ' +
    'would you your'
  ).split(' '),
)

/** Runs of letters and digits; `getUserById` gives get, User, By, Id. */
export const splitWords = (text: string): string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')

/** The stem of a word in lower case, or null when the word is too common to tell. */
export const stemmedWord = (word: string): string | null => {
  const lower = word.toLowerCase()
  return commonWords.has(lower) ? null : stemmer(lower)
}
