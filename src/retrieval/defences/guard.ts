import { analyzeQuery } from '../analyze.ts'
import type { CardIndex } from '../card-index.ts'
import { fieldNames } from '../card-texts.ts'
import type { ScoreList } from '../fusion.ts'
import type { TermEvidence } from '../lexical-index.ts'
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
/** Share of a request's words that a card repeats in order. Of cards that serve a request 997 of 1,000 stay below the first. */
const echo = { from: 0.7, to: 0.95 }

const ramp = (value: number, { from, to }: { readonly from: number; readonly to: number }): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))

/** What a card's score is multiplied by, above 0 and at most 1, for one text that is looked for. */
export type Guard = (document: number) => number

const open: Guard = () => 1

/**
 * Holds back cards that were written to be found. A request tells of one case and a description of what a tool does in any: a
 * card that repeats a request's words in order, or holds more of them than cards of its length do, was written for it.
 */
export function guardFor(index: CardIndex, text: string, settings: DefenceSettings): Guard {
  if (!settings.standing && !settings.echo && !settings.excess) return open
  const { defences } = index
  const known = new Map<number, number>()
  // Whoever asks in the words of a description looks for its card.
  const isRequest = isRequestLike(text)
  const probe = settings.excess && isRequest ? index.probe(analyzeQuery(text)) : null
  const echoOf = settings.echo && isRequest ? echoReader(text) : null
  const suspicionOf = (document: number): number => {
    if (settings.standing && defences.isDoubtful(document)) return 1
    const overfull =
      probe === null
        ? 0
        : excessOf(probe.of(document), defences.distinctTerms(document), defences.isOdd(document))
    const repeated = echoOf === null ? 0 : ramp(echoOf(defences.words(document)), echo)
    return 1 - (1 - overfull) * (1 - repeated)
  }
  return (document) => {
    const factor = known.get(document) ?? 1 - (1 - leastFactor) * suspicionOf(document)
    known.set(document, factor)
    return factor
  }
}

/** A request that stands among the card's examples says what the card is for. */
const exampleShare = 0.8
const examples = fieldNames.indexOf('examples')

const excessOf = ({ found, fieldShares }: TermEvidence, terms: number, isOdd: boolean): number =>
  fieldShares[examples]! >= exampleShare
    ? 0
    : ramp(found / Math.sqrt(Math.max(1, terms)), isOdd ? excessOfOdd : excess)

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
