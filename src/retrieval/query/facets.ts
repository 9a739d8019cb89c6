import { analyzeQuery } from '../text/analyze.ts'
import { clauseStarts } from './steps/clauses.ts'
import { askingOf } from './steps/is-request.ts'
import { queryWords } from './steps/opens-clause.ts'
import { type Picked, pickAsking } from './steps/pick-asking.ts'

/** Most steps a query is split into; the rest stays in the last one. */
export const maxFacets = 8
/** A step with fewer terms is joined to its neighbour: it would match anything. */
const minTerms = 2
/** Sentences of which no verb is known are steps when there are no more and no others: in a story nobody knows which of them asks. */
const mostUnread = 4

/** Boundaries by marks: ends of sentences (also Chinese and Arabic), line breaks, semicolons, list markers. */
const mark =
  /(?<=[.!?]["”’')]?)\s+(?=\S)|(?<=[。！？；؟])|\n+|(?<=;)\s+|(?:^|\s)(?=(?:\d{1,2}[.)]|[-*•])\s+)/gu
/** UTF-16 units of a request that is split: what is longer is a text that somebody put behind one. */
const longestSplit = 20_000
/** So many sentences beside a request are no story yet, and so many are one. */
const fewSentences = 1
const storySentences = 4
/** From so many terms a step on is understood by itself. */
const tellingTerms = 5
/** How much of a text counts as a story from which a sentence was picked. */
const pickedStory = 0.7
/** Who tells of themselves makes talk; a problem is told of others. */
const firstPerson = /(?<![\p{L}\p{N}$\\])(?:I|[Mm]e|[Mm]y|[Ww]e|[Uu]s|[Oo]ur)(?![\p{L}\p{N}$])/u
/** A point after one of these ends no sentence. */
const abbreviation =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|approx|no|nr|fig|inc|ltd|jr|sr|\p{L})\.$/iu
/** A list marker that a boundary left in front of its step. */
const leadingMarker = /^(?:\d{1,2}[.)]|[-*•])(?:\s+|$)/u

/** A request in its steps. */
export type SplitRequest = {
  /** With all that is told around them, in order; one entry, the request itself, when it has a single step. */
  readonly steps: readonly string[]
  /** What each step asks for, without the story around it; none when that is the whole request. */
  readonly asked: readonly string[]
  /** Sentences of a story that may be what is asked for. */
  readonly perhaps: Picked['perhaps']
  /** How much of it is a story around what is asked for, 0..1. */
  readonly story: number
  /** Steps that stand in the last one, since there were too many. */
  readonly beyond: number
}

/** A step as it is asked for, and with what is told before and after it. */
type Step = {
  readonly asked: string
  readonly text: string
  /** Whether it is one however short: a list says so, or its verb. */
  readonly isStep: boolean
}

/**
 * Splits a request into its steps, so that each can look for its own tool: at sentences, lines, list markers, and where a
 * clause with a verb of its own begins. Every word is kept, in its order; only markers of lists are left out. What asks for
 * nothing goes with a request: the background of a story is no step.
 *
 * @param picks - whether sentences of a story are picked by how likely they ask: it is weighed against how likely a card serves them, which only
 *   a learned ranker tells
 */
export function splitRequest(query: string, picks = true): SplitRequest {
  if (query.length > longestSplit) return whole(query)
  const pieces = piecesOf(query)
  const mayBeStory =
    picks &&
    pieces.length >= storySentences &&
    firstPerson.test(query) &&
    !pieces.some(({ isListed }) => isListed)
  const picked = mayBeStory ? pickAsking(pieces.map(({ text }) => text)) : undefined
  const requests = requestsIn(pieces, picked?.sure)
  const all = longEnough(requests)
  const steps = all
    .slice(0, maxFacets - 1)
    .concat(all.length < maxFacets ? [] : all.slice(maxFacets - 1).reduce(both))
  const beyond = all.length - steps.length
  const asked = steps.map((step) => step.asked)
  const [ofAll, ofAsked] = [sumOfTerms(steps.map(({ text }) => text)), sumOfTerms(asked)]
  const sentences = pieces.length - requests.length
  const story = picked ? pickedStory : storyShare(query, { ofAll, ofAsked, steps: steps.length, sentences })
  const perhaps = picked?.perhaps ?? []
  if (steps.length > 1) return { steps: steps.map(({ text }) => text), asked, perhaps, story, beyond }
  return ofAll >= ofAsked + minTerms ? { steps: [query.trim()], asked, perhaps, story, beyond } : whole(query)
}

const whole = (query: string): SplitRequest => ({
  steps: [query.trim()],
  asked: [],
  perhaps: [],
  story: 0,
  beyond: 0,
})

/** Terms of a request, those that are asked for, and the sentences that ask for nothing. */
type RequestCounts = {
  readonly ofAll: number
  readonly ofAsked: number
  readonly steps: number
  readonly sentences: number
}

/**
 * How much of a request is a story. A sentence or two beside it mostly say what it is about, a problem is told of others, and
 * what is asked in two or three words is not understood without the rest.
 */
function storyShare(query: string, { ofAll, ofAsked, steps, sentences }: RequestCounts): number {
  if (ofAll === 0 || !firstPerson.test(query)) return 0
  const isStory = Math.min(1, Math.max(0, sentences - fewSentences) / (storySentences - fewSentences))
  return ((ofAll - ofAsked) / ofAll) * isStory * Math.min(1, ofAsked / steps / tellingTerms)
}

/** A step without what joins it to others: "fill the form" of "and fill the form,". */
export function shownStep(step: string): string {
  const shown = step
    .replace(/^(?:(?:and please|and|then|also|plus|finally|lastly|after that)[\s,]+|next,\s*)+/i, '')
    .replace(/[,;]$/, '')
  return shown === '' ? step : shown
}

const sumOfTerms = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + termsIn(text), 0)
const termsIn = (text: string): number => analyzeQuery(text).length

/** Joins what is too short to what follows. */
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
    steps.push(candidate)
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

/** "Chart it": an act on what stands before, whose verb tells enough. */
const doesToIt = (clause: string): boolean =>
  /^(?!(?:do|find|get|have|keep|let|make|see|take|try|use)\b)\p{L}{3,} (?:it|them)[.!]?$/iu.test(
    shownStep(clause),
  )

/**
 * The clauses of the pieces that ask for something. What asks for nothing is told with the one before it, and what leads up to
 * the first with that. Where none is sure to be a request, those that may be one.
 */
function requestsIn(pieces: readonly Piece[], sure: ReadonlySet<string> | undefined): readonly Step[] {
  const requests: Step[] = []
  let opening = ''
  const clausesIn = new Map(pieces.map(({ text }) => [text, clausesOf(text)]))
  const asking = new Map(
    pieces.map(({ text }) => [text, clausesIn.get(text)!.length > 1 ? 'asks' : askingOf(text)]),
  )
  const levels = [...asking.values()]
  const least = (['asks', 'wants', 'unread'] as const).find((level) => levels.includes(level))
  const asked = (text: string): boolean => sure?.has(text) ?? asking.get(text) === least
  // A list in which anything is asked for is one of steps; else it may be of things.
  const isOfSteps = pieces.some(({ text, isListed }) => isListed && asked(text))
  for (const { text: piece, isListed } of pieces) {
    const clauses = clausesIn.get(piece)!
    const last = requests.at(-1)
    const isStep = isListed && isOfSteps
    if (isStep || asked(piece)) {
      for (const clause of clauses) {
        requests.push({ asked: clause, text: joined(opening, clause), isStep: isStep || doesToIt(clause) })
        opening = ''
      }
    } else if (last === undefined) opening = joined(opening, piece)
    else requests[requests.length - 1] = { ...last, text: joined(last.text, piece) }
  }
  const most = levels.includes('tells') ? 1 : mostUnread
  return sure === undefined && least === 'unread' && requests.length > most ? [] : requests
}
