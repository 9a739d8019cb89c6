import type { CardKind } from '../../domain/card.ts'
import { analyzeQuery } from '../analyze.ts'
import type { CardIndex } from '../card-index.ts'
import { fieldNames } from '../card-texts.ts'
import type { ScoreList } from '../fusion.ts'
import type { LexicalProbe } from '../lexical-index.ts'
import type { DefenceSettings } from './defence-settings.ts'
import { echoReader } from './echo.ts'
import { isRequestLike } from './request-like.ts'

/** What is left of the score of a card that surely stands back: enough to be found when nothing else is. */
const leastFactor = 1e-6

/**
 * Distinct terms of a request in a card, against the square root of the card's distinct terms. Of cards that serve a request
 * 99 of 100 stay below the first number; from the second on a card was written for the request.
 */
const excess = { from: 2.8, to: 3.8 }
/** The same for a card that is no description but a list of words or a request. */
const excessOfOdd = { from: 1.6, to: 2.4 }
/**
 * Share of a request's information (idf) that a card holds: the longer the request, the less. Of cards that serve a request of so
 * many terms 99 of 100 stay below `from`, in every set; where that is more than all of it, nothing can be told.
 */
const coverage = (terms: number): { readonly from: number; readonly to: number } => {
  const from = 0.64 + 4.3 / Math.max(1, terms)
  return { from, to: Math.min(1, from + 0.06) }
}
/** Share of a request's words that a card repeats in order. Of cards that serve a request 997 of 1,000 stay below the first. */
const echo = { from: 0.7, to: 0.95 }

const ramp = (value: number, { from, to }: { readonly from: number; readonly to: number }): number =>
  value <= from ? 0 : Math.min(1, (value - from) / (to - from))

/** What a card's score is multiplied by, above 0 and at most 1, for one text that is looked for. */
export type Guard = (document: number) => number

const open: Guard = () => 1

/**
 * Holds back cards that were written to be found. A request tells of one case and a description of what a tool does in any: a
 * card that repeats a request's words in order, or holds more of them than cards of its length do, was written for it.
 *
 * @param probe - of the text
 */
export function guardFor(
  index: CardIndex,
  kind: CardKind,
  text: string,
  settings: DefenceSettings,
  probe: LexicalProbe = index.probe(analyzeQuery(text)),
): Guard {
  if (!settings.standing && !settings.nearCopies && !settings.echo && !settings.excess) return open
  const { defences } = index
  const known = new Map<number, number>()
  // Whoever asks in the words of a description looks for its card.
  const isRequest = isRequestLike(text)
  const echoOf = settings.echo || !isRequest ? echoReader(text) : null
  const overfullness = (document: number): number => {
    const evidence = probe.of(document)
    if (kind === 'agent' && evidence.fieldShares[examples]! >= exampleShare) return 0
    const covered = ramp(evidence.share, coverage(probe.terms))
    if (!isRequest) return covered
    const density = evidence.found / Math.sqrt(Math.max(1, defences.distinctTerms(document)))
    return Math.max(covered, ramp(density, defences.isOdd(document) ? excessOfOdd : excess))
  }
  const suspicionOf = (document: number): number => {
    if (settings.standing && defences.isDoubtful(document)) return 1
    if (settings.nearCopies && defences.isSpare(document)) return 1
    const repeated = echoOf === null ? 0 : ramp(echoOf(defences.words(document)), echo)
    if (!isRequest && repeated > 0) return 0
    const overfull = settings.excess ? overfullness(document) : 0
    return 1 - (1 - overfull) * (1 - (settings.echo ? repeated : 0))
  }
  return (document) => {
    const factor = known.get(document) ?? 1 - (1 - leastFactor) * suspicionOf(document)
    known.set(document, factor)
    return factor
  }
}

/** A request that stands among an agent's examples says what it is for; tools rarely have any, but attackers' do. */
const exampleShare = 0.8
const examples = fieldNames.indexOf('examples')

/** Cards that pass before the rest is left as it is: nobody sees those behind. */
const mostPassed = 100
const passes = 0.5

/** @returns the scores of the best as the guard leaves them, those of the others untouched */
export function guarded(scores: ScoreList, guard: Guard): ScoreList {
  if (guard === open) return scores
  const result = new Map(scores)
  let passed = 0
  for (const [document, score] of [...scores].sort((a, b) => b[1] - a[1] || b[0] - a[0])) {
    const factor = guard(document)
    if (factor < 1) result.set(document, score * factor)
    if (factor >= passes) passed += 1
    if (passed === mostPassed) break
  }
  return result
}
