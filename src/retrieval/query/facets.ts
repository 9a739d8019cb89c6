import { analyzeQuery } from '../text/analyze.ts'
import { clauseStarts } from './steps/clauses.ts'
import { isRequest } from './steps/is-request.ts'
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

/** A request in its steps. */
type SplitRequest = {
  /** With all that is told around them, in order; one entry, the request itself, when it has a single step. */
  readonly steps: readonly string[]
  /** What each step asks for, without the story around it; none when that is the whole request. */
  readonly asked: readonly string[]
}

/** A step as it is asked for, and with what is told before and after it. */
type Step = {
  readonly asked: string
  readonly text: string
  /** Whether a list says that it is one, however short. */
  readonly isStep: boolean
}

/**
 * Splits a request into its steps, so that each can look for its own tool: at sentences, lines, list markers, and where a
 * clause with a verb of its own begins. Every word is kept, in its order; only markers of lists are left out. What asks for
 * nothing goes with a request: the background of a story is no step.
 */
export function splitRequest(query: string): SplitRequest {
  const steps = longEnough(requestsIn(piecesOf(query)))
  const asked = steps.map((step) => step.asked)
  if (steps.length > 1) return { steps: steps.map(({ text }) => text), asked }
  const tells = steps.some((step) => termsIn(step.text) >= termsIn(step.asked) + minTerms)
  return { steps: [query.trim()], asked: tells ? asked : [] }
}

/** A step without what joins it to others: "fill the form" of "and fill the form,". */
export function shownStep(step: string): string {
  const shown = step
    .replace(/^(?:(?:and|then|also|plus|finally|lastly|after that)[\s,]+|next,\s*)+/i, '')
    .replace(/[,;]$/, '')
  return shown === '' ? step : shown
}

const termsIn = (text: string): number => analyzeQuery(text).length

/** Joins what is too short to what follows, and all that are too many. */
function longEnough(requests: readonly Step[]): readonly Step[] {
  const steps: Step[] = []
  let carried = noStep
  for (const request of requests) {
    const candidate = both(carried, request)
    if (termsIn(candidate.asked) < (request.isStep ? 1 : minTerms)) {
      carried = candidate
      continue
    }
    carried = noStep
    if (steps.length < maxFacets) steps.push(candidate)
    else steps[maxFacets - 1] = both(steps[maxFacets - 1]!, candidate)
  }
  if (carried !== noStep && steps.length > 0) steps[steps.length - 1] = both(steps.at(-1)!, carried)
  return steps
}

const noStep: Step = { asked: '', text: '', isStep: false }
const both = (one: Step, other: Step): Step => ({
  asked: joined(one.asked, other.asked),
  text: joined(one.text, other.text),
  isStep: one.isStep || other.isStep,
})

const joined = (before: string, after: string): string => (before === '' ? after : `${before} ${after}`)

/** A part between marks. */
type Piece = {
  readonly text: string
  /** Of a list that counts from 1, or of bullets on lines. */
  readonly isListed: boolean
}

/** The parts between marks; none lies in a quoted passage. */
function piecesOf(query: string): Piece[] {
  const quoted = queryWords(query).filter(({ isQuoted }) => isQuoted)
  const pieces: Piece[] = []
  let from = 0
  let passed = 0
  let counted = 0
  let isListed = false
  const add = (to: number): void => {
    const piece = query.slice(from, to).trim()
    const marker = leadingMarker.exec(piece)?.[0].trim()
    if (marker !== undefined) {
      const isNext = Number.parseInt(marker, 10) === counted + 1
      if (isNext) counted += 1
      isListed = isNext || (/^\D$/.test(marker) && (from === 0 || query[from - 1] === '\n'))
    }
    // The point of "1." ends a piece too.
    const text = piece.replace(leadingMarker, '')
    if (text === '') return
    pieces.push({ text, isListed })
    isListed = false
  }
  for (const { 0: found, index } of query.matchAll(mark)) {
    while (passed < quoted.length && quoted[passed]!.end <= index) passed += 1
    if (passed < quoted.length && quoted[passed]!.at < index) continue
    const before = query.slice(Math.max(0, index - 12), index)
    if (
      abbreviation.test(before) ||
      (/\b[ap]\.m\.$/i.test(before) && /^\s+[^\p{Lu}]/u.test(query.slice(index)))
    )
      continue
    add(index)
    from = index + found.length
  }
  add(query.length)
  return pieces
}

function clausesOf(piece: string): string[] {
  const starts = [0, ...clauseStarts(piece)]
  return starts.map((start, place) => piece.slice(start, starts[place + 1]).trim())
}

/**
 * The clauses of the pieces that ask for something. What asks for nothing is told with the one before it, and what leads up to
 * the first with that. Without any request: few pieces as they are.
 */
function requestsIn(pieces: readonly Piece[]): readonly Step[] {
  const requests: Step[] = []
  let opening = ''
  // A list in which anything is asked for is one of steps; else it may be of things.
  const isOfSteps = pieces.some(({ text, isListed }) => isListed && isRequest(text))
  for (const { text: piece, isListed } of pieces) {
    const clauses = clausesOf(piece)
    const last = requests.at(-1)
    const isStep = isListed && isOfSteps
    if (clauses.length > 1 || isStep || isRequest(piece)) {
      for (const clause of clauses) {
        requests.push({ asked: clause, text: joined(opening, clause), isStep })
        opening = ''
      }
    } else if (last === undefined) opening = joined(opening, piece)
    else requests[requests.length - 1] = { ...last, text: joined(last.text, piece) }
  }
  if (requests.length > 0 || pieces.length > mostUnread) return requests
  return pieces.map(({ text }) => ({ asked: text, text, isStep: false }))
}
