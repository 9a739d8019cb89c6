import { analyzeQuery } from '../../text/analyze.ts'
import { pastForms } from './clause-words.ts'
import { askingOf } from './is-request.ts'

/** What of a story is looked up. */
export type Picked = {
  /** The sentences that surely ask for something. */
  readonly sure: ReadonlySet<string>
  /** Sentences that may, each by its doubt less likely than the surest, in log-odds. */
  readonly perhaps: readonly { readonly text: string; readonly doubt: number }[]
}

/** What is asked for is picked from so many terms on, where this share of the sentences hardly asks. */
const pickedFrom = { terms: 25, hardly: 0.5 } as const
/** From this doubt on a sentence is no step of the answer. */
const doubtful = 0.5
/** And from this one on it hardly asks. */
const hardly = 1
/** Sentences that are looked up, at most, unless more are sure. */
const mostLooked = 3

/** The sentences of a long story by how likely they ask for something; undefined for what is no such story. */
export function pickAsking(sentences: readonly string[]): Picked | undefined {
  if (sentences.reduce((sum, text) => sum + analyzeQuery(text).length, 0) < pickedFrom.terms) return undefined
  const odds = sentences.map((text, place) => askingOdds(text, place === 0 || place === sentences.length - 1))
  const best = Math.max(...odds)
  const all = sentences.map((text, place) => ({ text, doubt: best - odds[place]! }))
  const sure = all.flatMap(({ text, doubt }) => (doubt < doubtful ? text : []))
  const rest = all.filter(({ doubt }) => doubt >= doubtful).sort((a, b) => a.doubt - b.doubt)
  if (rest.filter(({ doubt }) => doubt >= hardly).length < pickedFrom.hardly * sentences.length)
    return undefined
  return { sure: new Set(sure), perhaps: rest.slice(0, Math.max(0, mostLooked - sure.length)) }
}

/**
 * Log-odds that a sentence of a story is what is asked for, up to a constant. Fitted to 200 requests of training sets in talk
 * around them: docs/lab/static-embedding.md.
 */
const weights = {
  asking: { asks: 0, wants: -1.5, unread: -1.6, tells: -2.6 },
  manner: -2.2,
  forbids: -1.2,
  /** Of one that begins as requests and further steps do. */
  begins: 1,
  past: -1.1,
  /** Of one that says much; in proportion below. */
  telling: 1.4,
  outer: 0.5,
  /** Who asks gives numbers and dates. */
  number: 1.5,
} as const

/** From so many terms on it says much. */
const tellingTerms = 15

/** How to answer, and courtesies, not what to do: "Be brief", "Answer in two sentences", "let me know if you object". */
const manner =
  /^(?:(?:and|but|also|please|just|kindly|then|anyway),? )*(?:be |stay |excuse |bear with |(?:answer|reply|respond|explain) (?!to\b)|let (?:me|us) know\b|say hello\b|keep (?:it|this|your|things)\b|use (?:plain|simple|short)\b|tell me what you\b|take your time\b)/i
const forbids = /^(?:(?:and|but|also|please|just) )*(?:do not|don['’]t|never|avoid|no) /i

const begins =
  /^(?:please|first(?:ly)?|second(?:ly)?|then|next|also|finally|lastly|additionally|(?:could|can|would) you|(?:i|we)(?:'d| would) like|(?:i|we) (?:need|want) to)\b/i

/** @param isOuter - whether it is the first or the last */
function askingOdds(text: string, isOuter: boolean): number {
  const asking = askingOf(text)
  const isPast = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => /^(?:was|were|had|did|[a-z]{2,}ed)$/.test(word) || pastForms.has(word))
  return (
    weights.asking[asking] +
    (manner.test(text) ? weights.manner : 0) +
    (forbids.test(text) ? weights.forbids : 0) +
    (asking === 'asks' && begins.test(text) ? weights.begins : 0) +
    (isPast ? weights.past : 0) +
    weights.telling * Math.min(1, analyzeQuery(text).length / tellingTerms) +
    (isOuter ? weights.outer : 0) +
    (/\p{N}/u.test(text) ? weights.number : 0)
  )
}
