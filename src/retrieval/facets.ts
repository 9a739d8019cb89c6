import { analyzeQuery } from './analyze.ts'
import { clauseStarts, isRequest } from './steps/clauses.ts'
import { queryWords } from './steps/query-words.ts'

/** Most steps a query is split into; the rest stays in the last one. */
const maxFacets = 8
/** A step with fewer terms is joined to its neighbour: it would match anything. */
const minTerms = 2
/** Sentences that ask for nothing in words we know are steps as they stand when there are no more; a longer text is a story. */
const mostUnread = 4

/** Boundaries by marks: ends of sentences (also Chinese and Arabic), line breaks, semicolons, list markers. */
const mark =
  /(?<=[.!?]["”’')]?)\s+(?=\S)|(?<=[。！？；؟])|\n+|(?<=;)\s+|(?:^|\s)(?=(?:\d{1,2}[.)]|[-*•])\s+)/gu
/** A point after one of these ends no sentence. */
const abbreviation =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|approx|no|nr|fig|inc|ltd|jr|sr|\p{L})\.$/iu
/** A list marker that a boundary left in front of its step. */
const leadingMarker = /^(?:\d{1,2}[.)]|[-*•])(?:\s+|$)/u

/**
 * Splits a request into its steps, so that each can look for its own tool: at sentences, lines, list markers, and where a
 * clause with a verb of its own begins. Every word is kept, in its order; only markers of lists are left out. What asks for
 * nothing goes with the request before it.
 *
 * @returns the steps in order; one entry, the query itself, when it has a single step
 */
export function facetsOf(query: string): string[] {
  const steps: string[] = []
  let carried = ''
  for (const piece of withContext(piecesOf(query))) {
    const candidate = joined(carried, piece)
    if (analyzeQuery(candidate).length < minTerms) {
      carried = candidate
      continue
    }
    carried = ''
    if (steps.length < maxFacets) steps.push(candidate)
    else steps[maxFacets - 1] = joined(steps[maxFacets - 1]!, candidate)
  }
  if (carried !== '' && steps.length > 0) steps[steps.length - 1] = joined(steps.at(-1)!, carried)
  return steps.length > 1 ? steps : [query.trim()]
}

const joined = (before: string, after: string): string => (before === '' ? after : `${before} ${after}`)

/** The parts between marks; none lies in a quoted passage. */
function piecesOf(query: string): string[] {
  const quoted = queryWords(query).filter(({ isQuoted }) => isQuoted)
  const pieces: string[] = []
  let from = 0
  for (const { 0: found, index } of query.matchAll(mark)) {
    if (quoted.some(({ at, end }) => at < index && index < end)) continue
    if (abbreviation.test(query.slice(Math.max(0, index - 12), index))) continue
    pieces.push(query.slice(from, index))
    from = index + found.length
  }
  return [...pieces, query.slice(from)]
    .map((piece) => piece.trim().replace(leadingMarker, ''))
    .filter((piece) => piece !== '')
}

function clausesOf(piece: string): string[] {
  const starts = [0, ...clauseStarts(piece)]
  return starts.map((start, place) => piece.slice(start, starts[place + 1]).trim())
}

/**
 * The clauses of the pieces that ask for something; what asks for nothing is joined to the one before it. What leads up to
 * the first request stands for itself, since it may say more than the request. Without any request: few pieces as they are.
 */
function withContext(pieces: readonly string[]): readonly string[] {
  const requests: string[] = []
  let opening = ''
  for (const piece of pieces) {
    const clauses = clausesOf(piece)
    if (clauses.length > 1 || isRequest(piece)) requests.push(...clauses)
    else if (requests.length === 0) opening = joined(opening, piece)
    else requests[requests.length - 1] = joined(requests.at(-1)!, piece)
  }
  if (requests.length === 0) return pieces.length <= mostUnread ? pieces : []
  return opening === '' ? requests : [opening, ...requests]
}
