import { type Measure, relevantOf, relevantWithin } from './measure.ts'

/** @see trec_eval's `Rprec` */
export const rPrecision: Measure = {
  name: 'rprec',
  title: 'R-precision',
  explanation: 'Precision at R, where R is the number of relevant candidates of the query.',
  cutoff: 'none',
  at(ranking, { grades }) {
    const relevant = relevantOf(grades)
    return relevant === 0 ? 0 : relevantWithin(ranking, grades, relevant) / relevant
  },
}
