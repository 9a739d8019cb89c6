import { gainOf, type Measure, relevantOf } from './measure.ts'

/** Of one query; its mean over queries is the MRR that it is named after. @see trec_eval's `recip_rank` */
export const reciprocalRank: Measure = {
  name: 'mrr',
  title: 'MRR',
  explanation: '1 over the rank of the first relevant candidate; 0 when none stands among the first k.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const end = Math.min(k, ranking.length)
    for (let index = 0; index < end; index += 1) {
      if (gainOf(grades, ranking[index]!.id) > 0) return 1 / (index + 1)
    }
    return 0
  },
}

/**
 * Of one query; its mean over queries is the MAP that it is named after. Always divided by all relevant candidates,
 * also where the cutoff admits fewer.
 *
 * @see trec_eval's `map` and `map_cut`
 */
export const averagePrecision: Measure = {
  name: 'map',
  title: 'MAP',
  explanation:
    'Precision at the place of each relevant candidate, averaged over all of them; absent ones give 0.',
  cutoff: 'optional',
  at(ranking, { grades }, k) {
    const relevant = relevantOf(grades)
    if (relevant === 0) return 0
    const end = Math.min(k, ranking.length)
    let found = 0
    let sum = 0
    for (let index = 0; index < end; index += 1) {
      if (gainOf(grades, ranking[index]!.id) > 0) {
        found += 1
        sum += found / (index + 1)
      }
    }
    return sum / relevant
  },
}

/** The best grade may be shared: any candidate that has it will do. @see AgentSelect, Table 7 */
export const top1Match: Measure = {
  name: 'top1',
  title: 'Top-1 match',
  explanation: '1 when the first candidate is (one of) the best graded, else 0.',
  cutoff: 'none',
  at(ranking, { grades }) {
    const [first] = ranking
    if (first === undefined) return 0
    const gain = gainOf(grades, first.id)
    if (gain === 0) return 0
    for (const grade of grades.values()) if (grade > gain) return 0
    return 1
  },
}
