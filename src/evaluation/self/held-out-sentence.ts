import { analyzeQuery } from '../../retrieval/text/analyze.ts'

/** A description with one of its sentences taken out, to be asked for. */
type HeldOut = { readonly sentence: string; readonly rest: string }

/** Fewer telling words make no request. */
const leastTerms = 4

const sentenceEnd = /(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n+/u
/** Where a single sentence can be cut into two that both say something. */
const clauseEnd =
  /;\s+|:\s+|,\s+(?=(?:and|or|with|for|so that|which|where|when|including|such as)\b)|(?<!\s)\s+(?=(?:so that|including|such as)\b)/iu

/**
 * Takes the last sentence (or clause, when there is one sentence) out of a description that has enough words for it, so
 * that it can be asked for in an index that does not hold it.
 *
 * @returns null when the description is too short to leave both a request and a card
 */
export function holdOutSentence(description: string): HeldOut | null {
  for (const boundary of [sentenceEnd, clauseEnd]) {
    const pieces = description
      .split(boundary)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
    const at = pieces.findLastIndex((piece) => analyzeQuery(piece).length >= leastTerms)
    if (pieces.length < 2 || at < 0) continue
    const rest = pieces.filter((_, index) => index !== at).join(' ')
    if (analyzeQuery(rest).length >= leastTerms) return { sentence: pieces[at]!, rest }
  }
  return null
}
