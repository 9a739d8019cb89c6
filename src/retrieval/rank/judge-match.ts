import type { CardKind } from '../../domain/card.ts'
import type { Unasked } from './effect-on-scores.ts'
import { easedBy, plainThresholds, type VerdictThresholds } from './verdict-thresholds.ts'

/** What the verdict on a whole answer rests on. */
export type MatchEvidence = {
  readonly kind: CardKind
  /** Best share of the query's information that one of the first candidates covers, 0..1; per step when it has steps. */
  readonly coverage: number
  /** Most words of the query that one candidate holds. */
  readonly matchedWords: number
  /** Words of the query that say something. */
  readonly queryWords: number
  /** What a learned ranker thinks; undefined when none took part. */
  readonly learned: LearnedEvidence | undefined
  /** Best cosine, or undefined when no dense retriever took part. */
  readonly cosine: number | undefined
  /** Best cosine of readings; absent when no card was read. */
  readonly reading?: number | undefined
  /** Name in the request of a system that the catalog does not hold. */
  readonly missing: string | undefined
  /** Present: the request only asks to be told something, and what is nearest to it changes things. */
  readonly unasked?: Unasked | undefined
  /** Cards the filter admits. */
  readonly searched: number
  /** Cards of this kind in the catalog. */
  readonly indexed: number
}

/** What a learned ranker thinks of a whole answer. */
export type LearnedEvidence = {
  /** That anything serves the request, 0..1. */
  readonly probability: number
  /** Share of the request's words that the model knows, 0..1. */
  readonly known: number
  /** Probability that the first candidate serves, 0..1; absent where scores are no probabilities. */
  readonly lead?: number | undefined
  /** @defaultValue {@link plainThresholds} */
  readonly thresholds?: VerdictThresholds | undefined
}

type Verdict = {
  readonly match: 'good' | 'weak' | 'none'
  /** Why it is not good. */
  readonly note: string
}

const good: Verdict = { match: 'good', note: '' }
const weak = (note: string): Verdict => ({ match: 'weak', note })
const none = (note: string): Verdict => ({ match: 'none', note })

/** Whether the first candidates answer the need, with the sentence that says so. */
export function judgeMatch(evidence: MatchEvidence): Verdict {
  if (evidence.indexed === 0) return none('The catalog holds no card of this kind.')
  if (evidence.searched === 0)
    return none('The filter admits no card. Loosen it, or see which sources exist.')
  if (evidence.queryWords === 0) return none('The request has no word to search for.')
  const judged =
    evidence.learned === undefined ? judgeByWords(evidence) : judgeByOdds(evidence, evidence.learned)
  const { unasked } = evidence
  const verdict = unasked && judged.match === 'good' ? weak(unaskedNotes[unasked]) : judged
  return evidence.missing === undefined ? verdict : withoutSystem(verdict, evidence.missing)
}

const unaskedNotes: { readonly [unasked in Unasked]: string } = {
  leads:
    'The request asks to be told something or not to do it, and the first candidate changes things: read its description before you call it.',
  'gave way':
    'What is nearest to the request changes things, and it asks to be told something: it is open whether a candidate tells it.',
}

/** What serves the need elsewhere may not serve it where it was asked for. */
function withoutSystem({ match, note }: Verdict, system: string): Verdict {
  const missing = `No indexed card is of "${system}", which the request seems to name: check that another system will do.`
  return match === 'good' ? weak(missing) : { match, note: `${missing} ${note}` }
}

/** From this share of known words on, the odds count in full: of requests in the model's language 95% reach it. */
const wellKnown = 0.9
/** A match is good when the model knows, or a candidate holds, this share of the request. */
const leastKnown = 0.5
/**
 * A match is good when the share that one candidate covers and the best cosine come to this. In training 87% of the requests that a small
 * catalog of another family was asked stay below, and the trees believed half of them.
 */
const leastShared = 0.5
/**
 * Or when a reading comes to this, whatever the words. In training 90% of the requests that a catalog of another family was asked stay below,
 * and so did 41% of those that the card serves, by readers that had not seen either.
 */
const leastRead = 0.4
/** Of development requests whose first candidate stayed below, though the whole was said to fit, it served five of 27. */
const leastLead = 0.1
/** Log-odds by which "nothing fits" takes more, for each request whose words are all unknown: it is then not said at all. */
const unknownEase = 12

/** The thresholds are chosen on families of sets that were left out of training: docs/decisions/0003-no-good-match.md. */
function judgeByOdds(
  { kind, coverage, cosine = 0, reading = 0, queryWords, indexed }: MatchEvidence,
  { probability, known, lead = 1, thresholds = plainThresholds }: LearnedEvidence,
): Verdict {
  const logOdds =
    Math.log(probability / (1 - probability)) +
    easedBy(thresholds, { kind, words: queryWords, cards: indexed })
  const unknown = unknownEase * Math.max(0, wellKnown - known)
  if (logOdds >= thresholds.good) {
    if (lead < leastLead) return weak('No candidate is likely by itself: check what the descriptions say.')
    if (reading >= leastRead) return good
    if (known < leastKnown && coverage < leastKnown)
      return weak('Most words of the request are not known here: check what the descriptions say.')
    return coverage + Math.max(0, cosine) >= leastShared
      ? good
      : weak('The candidates share little with the request: check what their descriptions say.')
  }
  if (logOdds + unknown >= thresholds.none)
    return weak(
      `It is open whether one of them fits (${percent(probability)} likely): check what the descriptions say.`,
    )
  return none(
    `Probably nothing here fits (${percent(1 - probability)} sure): check what the first descriptions say before you look elsewhere.`,
  )
}

/** In steps of five, never 0 or 100: no more is known. */
const percent = (share: number): string => `${Math.min(95, Math.max(5, 5 * Math.round(20 * share)))}%`

/** A cosine from which meaning may speak for a candidate whose words do not. Models differ: it never makes a match good. */
const tellingCosine = 0.6

/** By words alone: how much of the request a candidate covers. */
function judgeByWords(evidence: MatchEvidence): Verdict {
  if (isGoodByWords(evidence)) return good
  if (isWeakByWords(evidence))
    return weak('No candidate covers the whole request: check what the descriptions say.')
  if ((evidence.cosine ?? 0) >= tellingCosine)
    return weak('The nearest candidate is near in meaning only: check what its description says.')
  return none(
    'Probably nothing here fits, since hardly any word of the request occurs in a candidate: check what the first descriptions say, or say it in other words.',
  )
}

const isGoodByWords = ({ coverage, matchedWords, queryWords }: MatchEvidence): boolean =>
  coverage >= 0.2 &&
  (matchedWords > 1 || queryWords < 3 || coverage >= 0.5) &&
  (matchedWords > 2 || queryWords < 4 || coverage >= 0.45)

/** Of what is served, words alone often cover little: by this 98% of it is answered, and 89% of the worst family of sets. */
const isWeakByWords = ({ coverage, matchedWords }: MatchEvidence): boolean =>
  coverage >= 0.02 || matchedWords >= 3
