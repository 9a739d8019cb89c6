import { gainOf, type Measure, relevantOf } from './measure.ts'

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
