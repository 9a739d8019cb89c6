import { analyzeQuery } from './analyze.ts'

/** Most steps a query is split into; the rest stays in the last one. */
const maxFacets = 8
/** A step with fewer terms is joined to its neighbour: it would match anything. */
const minTerms = 2

/**
 * Boundaries between steps: ends of sentences (also Chinese and Arabic), line breaks, list markers, semicolons, and the
 * words by which people say "next".
 */
const boundary =
  /(?<=[.!?])\s+(?=\S)|[。！？；؟]|\n+|;\s+|(?:^|\s)(?:\d{1,2}[.)]|[-*•])\s+|,?\s+(?:and then|then|after that|afterwards|next|finally|lastly|and also|as well as|additionally|also)[,\s]\s*|,\s+and\s+/giu

/** A list marker that a line break or the end of a sentence left in front of its step. */
const leadingMarker = /^(?:\d{1,2}[.)]|[-*•])(?:\s+|$)/u

/**
 * Splits a request into its steps, so that each can look for its own tool.
 *
 * @returns the steps in order; one entry, the query itself, when it has a single step
 */
export function facetsOf(query: string): string[] {
  const pieces = query
    .split(boundary)
    .map((piece) => (piece?.trim() ?? '').replace(leadingMarker, ''))
    .filter((piece) => piece !== '')
  const steps: string[] = []
  let carried = ''
  for (const piece of pieces) {
    const candidate = carried === '' ? piece : `${carried} ${piece}`
    if (analyzeQuery(candidate).length < minTerms) {
      carried = candidate
      continue
    }
    carried = ''
    if (steps.length < maxFacets) steps.push(candidate)
    else steps[maxFacets - 1] = `${steps[maxFacets - 1]} ${candidate}`
  }
  if (carried !== '' && steps.length > 0) steps[steps.length - 1] = `${steps.at(-1)} ${carried}`
  return steps.length > 1 ? steps : [query.trim()]
}
