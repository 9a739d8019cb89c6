import { type Measure, relevantWithin } from './measure.ts'

/**
 * Divides by k even when fewer candidates came, so that a short ranking gains nothing; without a cutoff, by what came.
 *
 * @see trec_eval's `P` and `set_P`
 */
export const precision: Measure = {
  name: 'p',
  title: 'P',
  explanation: 'The share of the first k places that hold a relevant candidate.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const places = k === Number.POSITIVE_INFINITY ? ranking.length : k
    return places === 0 ? 0 : relevantWithin(ranking, grades, k) / places
  },
}
