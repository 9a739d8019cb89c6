import type { SearchAnswer } from './answer.ts'

/** What the verdict on a whole answer rests on. */
export type MatchEvidence = {
  /** Best share of the query's information that one of the first candidates covers, 0..1; per step when it has steps. */
  readonly coverage: number
  /** Most words of the query that one candidate holds. */
  readonly matchedWords: number
  /** Words of the query that say something. */
  readonly queryWords: number
  /** Probability that anything serves the request, 0..1; undefined when no learned ranker took part. */
  readonly probability: number | undefined
  /** Best cosine, or undefined when no dense retriever took part. */
  readonly cosine: number | undefined
  /** Cards the filter admits. */
  readonly searched: number
  /** Cards of this kind in the catalog. */
  readonly indexed: number
}

/**
 * When nothing fits, and when a match is doubtful. Chosen on the dev sets by asking each set's queries of its own tools, of those
 * less the ones that serve, and of other sets': docs/decisions/0003-no-good-match.md and 0005-static-embedding.md hold the figures.
 */
const isNone = (evidence: MatchEvidence): boolean => {
  const { coverage, matchedWords, queryWords } = evidence
  const sureness = surenessOf(evidence)
  return sureness === undefined
    ? coverage < 0.1 || (matchedWords <= 1 && queryWords >= 3 && coverage < 0.3)
    : sureness < leastSureness || queryWords === 0
}
const isWeak = (evidence: MatchEvidence): boolean => {
  const { coverage, matchedWords, queryWords } = evidence
  const sureness = surenessOf(evidence)
  return sureness === undefined
    ? coverage < 0.2 ||
        (matchedWords <= 1 && queryWords >= 3 && coverage < 0.5) ||
        (matchedWords <= 2 && queryWords >= 4 && coverage < 0.45)
    : sureness < goodSureness
}

/**
 * The log-odds that anything serves, and how near the nearest card is: the first were learned among relatives of what was
 * missing, the second tells what is foreign to the whole catalog. Undefined without a learned ranker.
 */
const surenessOf = ({ probability, cosine = 0 }: MatchEvidence): number | undefined =>
  probability === undefined ? undefined : Math.log(probability / (1 - probability)) + cosineWeight * cosine
const cosineWeight = 1
/** 90% of the queries of the dev sets that something serves reach it. */
const leastSureness = 0.09
const goodSureness = 0.46
/** A cosine from which meaning may speak for a candidate whose words do not. Models differ: it never makes a match good. */
const tellingCosine = 0.6

/** Whether the first candidates answer the need, with the sentence that says so. */
export function judgeMatch(evidence: MatchEvidence): Pick<SearchAnswer, 'match' | 'note'> {
  if (evidence.indexed === 0) {
    return { match: 'none', note: 'The catalog holds no card of this kind.' }
  }
  if (evidence.searched === 0) {
    return { match: 'none', note: 'The filter admits no card. Loosen it, or see which sources exist.' }
  }
  if (isNone(evidence)) {
    if (evidence.probability === undefined && (evidence.cosine ?? 0) >= tellingCosine) {
      return {
        match: 'weak',
        note: 'The nearest candidate is near in meaning only: check its description before you use it.',
      }
    }
    return {
      match: 'none',
      note:
        evidence.probability === undefined
          ? 'Nothing here fits: hardly any word of the request occurs in a candidate.'
          : 'Nothing here fits: the nearest candidates do something else.',
    }
  }
  if (isWeak(evidence)) {
    return {
      match: 'weak',
      note: 'No candidate covers the whole request: check the descriptions before you use one.',
    }
  }
  return { match: 'good', note: '' }
}
