import { addTo } from '../../domain/grouped.ts'
import type { CardKind } from '../../domain/card.ts'
import { isBound } from '../../trust/standing.ts'
import { wordBytes } from '../facts/plain-words.ts'
import type { CardIndex } from '../index/card-index.ts'
import type { LexicalProbe } from '../index/lexical-probe.ts'
import type { Reason } from '../rank/ranked-card.ts'
import { analyzeQuery } from '../text/analyze.ts'
import { ownFieldNames } from '../text/card-texts.ts'
import type { DefenceSettings } from './defence-settings.ts'

/** The first person, and questions; not the country "US", "Part I" at an end, or the "me" of "ME". */
const speaker =
  /(?<![\p{L}\p{N}'’./-])(?:[Ii](?=['’\s])|[Ii]m|[Mm]e|[Mm]y|[Mm]ine|[Ww]e(?=['’\s])|us|Us|[Oo]urs?)(?![\p{L}\p{N}_-])/u

/** Numbers of one case: house numbers, amounts, codes; not years, of which descriptions speak too. */
const particular = /(?<![\p{L}\p{N}.])(?!(?:19|20)\d\d(?!\d))\d{4,}(?![\p{L}\p{N}])|[$€£]\d/u

/**
 * Whether a text is one person's request: first person, a question, or a number of one case. One that is not may be a
 * description that somebody looks for, word for word.
 */
export const isRequestLike = (text: string): boolean =>
  /[?？؟]/u.test(text) || speaker.test(text) || particular.test(text)

/** How far a card reads as written to be found: 0..1, more than 0, and by what. */
export type Suspicion = { readonly degree: number; readonly reason: Reason }

/** Null for a card that nothing speaks against. */
type Suspect = (document: number) => Suspicion | null

/**
 * Distinct terms of a request in a card, against the square root of the card's distinct terms. Of cards that serve a request
 * 99 of 100 stay below the first number; from the second on a card was written for the request, if it leaves out nothing of it.
 */
const density = { from: 2.8, to: 3.8 }
/** The same for a card that is no description but a list of words or a request, or whose publisher writes such. */
const densityOfOdd = { from: 1.6, to: 2.4 }
/** Share of a request's information (idf) that a dense card must hold: whoever serves a request leaves out what is no part of the task. */
const nearlyAll = { from: 0.85, to: 1 }
/**
 * Share of a request's information (idf) that a card holds: the longer the request, the less. Of cards that serve a request of so
 * many terms 99 of 100 stay below `from`, in every set; where that is more than all of it, nothing can be told.
 */
const coverage = (terms: number): Ramp => {
  const from = 0.64 + 4.3 / Math.max(1, terms)
  return { from, to: Math.min(1, from + 0.06) }
}
/** Share of a request's words that a card that is no description repeats in order. Of cards that serve a request 997 of 1,000 stay below the first. */
const echoOfOdd = { from: 0.7, to: 0.95 }
/** The same for a description: who asks for what a tool says of itself repeats that, and says more of the case. */
const echo = { from: 0.95, to: 1 }

type Ramp = { readonly from: number; readonly to: number }

const ramp = (value: number, { from, to }: Ramp): number =>
  value <= from ? 0 : Math.min(1, (value - from) / (to - from))

/** Among which cards, and by what. */
type Suspects = { readonly index: CardIndex; readonly kind: CardKind; readonly settings: DefenceSettings }

/**
 * Tells cards that were written to be found, among those of sources that the user does not own. A request tells of one case and a
 * description of what a tool does in any: a card that repeats a request's words in order, or holds more of them than cards of its length
 * do, was written for it. That a publisher writes lists of words, or requests, says nothing alone: honest ones do so too. Its cards are
 * read more strictly; where the user distrusts the source it is enough.
 *
 * @param probe - of the text
 */
export function suspectsOf(
  { index, kind, settings }: Suspects,
  text: string,
  probe: LexicalProbe = index.probe(analyzeQuery(text)),
): Suspect {
  const { defences } = index
  // Whoever asks in the words of a description looks for its card.
  const isRequest = isRequestLike(text)
  const echoOf = settings.echo || !isRequest ? echoReader(text) : null
  const isOdd = (document: number): boolean =>
    defences.isOdd(document) || (settings.publisherShape && defences.isDoubtful(document))
  const overfullness = (document: number, isDistrusted: boolean): number => {
    const evidence = probe.of(document)
    if (kind === 'agent' && evidence.fieldShares[examples]! >= exampleShare) return 0
    const covered = ramp(evidence.share, coverage(probe.terms))
    if (!isRequest) return covered
    const held = evidence.found / Math.sqrt(Math.max(1, defences.distinctTerms(document)))
    const dense = ramp(held, isOdd(document) ? densityOfOdd : density)
    return Math.max(covered, isDistrusted ? dense : Math.min(dense, ramp(evidence.share, nearlyAll)))
  }
  return (document) => {
    const standing = index.standing(document)
    if (!isBound(standing)) return null
    const isDistrusted = standing === 'distrusted'
    if (isDistrusted && settings.publisherShape && defences.isDoubtful(document))
      return { degree: 1, reason: 'publisher-shape' }
    if (settings.nearCopies && defences.isSpare(document)) return { degree: 1, reason: 'copy' }
    const share = echoOf === null ? 0 : echoOf(defences.words(document))
    if (!isRequest && share > echoOfOdd.from) return null
    const repeated = settings.echo ? ramp(share, isDistrusted || isOdd(document) ? echoOfOdd : echo) : 0
    const overfull = settings.excess ? overfullness(document, isDistrusted) : 0
    const degree = 1 - (1 - overfull) * (1 - repeated)
    return degree === 0 ? null : { degree, reason: repeated >= overfull ? 'echo' : 'excess' }
  }
}

/** A request that stands among an agent's examples says what it is for; tools rarely have any, but attackers' do. */
const exampleShare = 0.8
const examples = ownFieldNames.indexOf('examples')

/** Words in a row from which a card repeats a request. */
const leastRun = 4
/** Longest run needed before anything counts. */
const tellingRun = 5

/** How much of a request, in words, stands in a card's description in the same order, 0..1. */
type EchoReader = (description: Uint8Array) => number

/** Reads off single cards how far they repeat a request word for word. */
export function echoReader(text: string): EchoReader {
  const query = wordBytes(text, text.length)
  const places = new Map<number, number[]>()
  for (let at = 0; at + 2 < query.length; at++) addTo(places, keyAt(query, at), at)
  const repeated = new Uint8Array(query.length)
  return (words) => {
    repeated.fill(0)
    let longest = 0
    for (let at = 0; at + 2 < words.length; at++) {
      for (const place of places.get(keyAt(words, at)) ?? []) {
        // Within a run that was followed from its start.
        if (at > 0 && place > 0 && words[at - 1] === query[place - 1]) continue
        let run = 3
        while (
          place + run < query.length &&
          at + run < words.length &&
          query[place + run] === words[at + run]
        )
          run++
        if (run < leastRun) continue
        repeated.fill(1, place, place + run)
        longest = Math.max(longest, run)
      }
    }
    return longest >= tellingRun ? sum(repeated) / query.length : 0
  }
}

const keyAt = (words: Uint8Array, at: number): number =>
  (words[at]! << 16) | (words[at + 1]! << 8) | words[at + 2]!

const sum = (marks: Uint8Array): number => marks.reduce((total, mark) => total + mark, 0)
