import type { SearchAnswer } from './answer.ts'

/** What the verdict on a whole answer rests on. */
export type MatchEvidence = {
  /** Best share of the query's information that one of the first candidates covers, 0..1; per step when it has steps. */
  readonly coverage: number
  /** Best cosine, or undefined when no dense retriever took part. */
  readonly cosine: number | undefined
  /** Cards the filter admits. */
  readonly searched: number
}

/**
 * Coverage below which nothing fits, and below which a match is doubtful. Chosen on the dev sets by asking each set's
 * queries of the tools of all other sets: see docs/decisions/0003-no-good-match.md.
 */
const thresholds = { none: 0.2, weak: 0.4 }
/** A cosine from which meaning alone speaks for a candidate whose words do not. */
const tellingCosine = 0.6

/** Whether the first candidates answer the need, with the sentence that says so. */
export function judgeMatch({
  coverage,
  cosine,
  searched,
}: MatchEvidence): Pick<SearchAnswer, 'match' | 'note'> {
  if (searched === 0)
    return { match: 'none', note: 'The filter admits no card. Loosen it, or see which sources exist.' }
  const isTold = (cosine ?? 0) >= tellingCosine
  if (coverage < thresholds.none && !isTold) {
    return {
      match: 'none',
      note: 'Nothing here fits: hardly any word of the request occurs in the best candidate.',
    }
  }
  if (coverage < thresholds.weak && !isTold) {
    return {
      match: 'weak',
      note: 'No candidate covers the whole request: check the descriptions before you use one.',
    }
  }
  return { match: 'good', note: '' }
}
