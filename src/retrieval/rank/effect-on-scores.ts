import {
  type Effect,
  effectFactor,
  effectOfName,
  effectShift,
  unwantedFactor,
  unwantedShift,
  wordsOf,
} from '../effects/effect.ts'
import { isPastForm, verbStem } from '../effects/past-events.ts'
import { requestIntent } from '../effects/request-effect.ts'
import { type RequestVerbs, requestVerbs } from '../effects/request-verbs.ts'
import type { CardColumns } from '../index/card-columns.ts'
import { nounLikeVerbs, sureVerbs } from '../query/steps/clause-words.ts'

/** What the effect of a card changes on its score. */
export type EffectOnScores = {
  /** What the request asks to be done; undefined where it does not say so. */
  readonly asked: Effect | undefined
  /** On the score of a ranking that learned nothing of effects, 0..1. */
  factorOf(document: number): number
  /** In log-odds, 0 or less. */
  shiftOf(document: number): number
}

/**
 * What reads stands before what changes or destroys, for who asks to be told something. No list has all verbs: a tool whose own verb
 * is what a request tells of as done, or does not want, stands back whatever its verb is.
 */
export function effectOnScores(
  text: string,
  index: Pick<CardColumns, 'effect' | 'declaresEffect' | 'isTool' | 'ids'>,
): EffectOnScores {
  const intent = requestIntent(text)
  const verbs = requestVerbs(text)
  const isUnwanted = (document: number): boolean =>
    verbs.done.size + verbs.refused.size + verbs.states.size > 0 &&
    index.isTool(document) &&
    !(index.declaresEffect(document) && index.effect(document) === 'reads') &&
    isUnwantedName(nameOf(index.ids.at(document)), verbs, index.effect(document))
  return {
    asked: intent.asked,
    factorOf: (document) =>
      isUnwanted(document) ? unwantedFactor : effectFactor(intent, index.effect(document)),
    shiftOf: (document) =>
      isUnwanted(document)
        ? unwantedShift
        : effectShift(intent, index.effect(document), index.declaresEffect(document)),
  }
}

/** How an answer fails a request that only asks to be told something: what is first changes things, or what was first does. */
export type Unasked = 'leads' | 'gave way'

/** Below it a first candidate that moved up is not believed: its own probability did not make it first. */
const leastLead = 0.4

/**
 * @param ranked - best first, scores as the effects left them
 * @param slope - of probabilities over log-odds; undefined where scores are no probabilities
 */
export function unaskedLead(
  ranked: readonly { readonly document: number; readonly score: number }[],
  { shiftOf }: EffectOnScores,
  slope: number | undefined,
): Unasked | undefined {
  const [lead] = ranked
  if (lead === undefined) return undefined
  if (shiftOf(lead.document) < 0) return 'leads'
  if (slope === undefined || lead.score >= leastLead) return undefined
  const before = ({ document, score }: typeof lead): number =>
    Math.log(score / (1 - score)) - slope * shiftOf(document)
  return ranked.some((card) => before(card) > before(lead)) ? 'gave way' : undefined
}

const nameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

/** A name with one of these is of what is told about a thing: "refund_status". */
const tellings =
  /^(?:status|state|history|log|logs|list|report|details|info|information|summary|count|number|overview|stats|statistics|records?|reasons?|dates?|is|has|was)$/
/** "mark_invoice_paid", "flag_ticket_urgent": what they make of a thing is said last. */
const markers = /^(?:mark|flag|label|tag|declare|make|set|turn)$/

/** Whether a tool of this name does what is told as done, or what is not wanted. */
function isUnwantedName(
  name: string,
  { done, refused, states }: RequestVerbs,
  effect: Effect | undefined,
): boolean {
  const words = wordsOf(name)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (refused.has(verbStem(first))) return true
  const changes = effect !== undefined && effect !== 'reads'
  // "record_weight" makes a record; "refund_status" tells of refunds.
  const tells = words.some((word, place) => tellings.test(word) && !(changes && place === 0))
  if (effectOfName(name) === 'reads' || tells) return false
  const isVerb = (word: string): boolean => !isPastForm(word) && !/[^s]s$/.test(word)
  if (words.some((word) => isVerb(word) && (done.has(verbStem(word)) || refused.has(verbStem(word)))))
    return true
  if (words.length < 2) return false
  // "Which valves are open" has the word of what opens them.
  if (changes && states.has(first)) return true
  if (markers.test(first)) return states.has(last) || done.has(verbStem(last))
  return isPastForm(last) && done.has(verbStem(last)) && (sureVerbs.has(first) || nounLikeVerbs.has(first))
}
