import { gainOf, type Measure } from './measure.ts'

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
