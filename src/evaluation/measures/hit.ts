import { type Measure, relevantWithin } from './measure.ts'

/** @see trec_eval's `success` */
export const hit: Measure = {
  name: 'hit',
  title: 'Hit',
  explanation: '1 when any relevant candidate stands among the first k, else 0.',
  cutoff: 'optional',
  at: (ranking, { grades }, k) => (relevantWithin(ranking, grades, k) > 0 ? 1 : 0),
}
