import type { TokenMatcher } from './soft-match.ts'

const words = /[\p{L}\p{M}]+/gu
/** Words that are looked at: a long story is told from its beginning. */
const mostWords = 200

/**
 * Share of a text's words that a model's vocabulary holds whole, 0..1; 1 for a text without words. A word that is cut into
 * pieces carries little meaning, so that of a request with few known ones a ranking tells little: most requests in a
 * language that the model has not learned.
 */
export function knownShare(text: string, matcher: Pick<TokenMatcher, 'tokensOf'>): number {
  const distinct = [...new Set(text.toLowerCase().match(words) ?? [])].slice(0, mostWords)
  if (distinct.length === 0) return 1
  return distinct.filter((word) => matcher.tokensOf(word, 2).length === 1).length / distinct.length
}
