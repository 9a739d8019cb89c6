import { type Measure, relevantOf, relevantWithin } from './measure.ts'

/** @see trec_eval's `recall` and `set_recall` */
export const recall: Measure = {
  name: 'recall',
  title: 'Recall',
  explanation: 'The share of the relevant candidates that stand among the first k.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const relevant = relevantOf(grades)
    return relevant === 0 ? 0 : relevantWithin(ranking, grades, k) / relevant
  },
}
