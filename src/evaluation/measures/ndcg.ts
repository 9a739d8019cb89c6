import type { Grades, Ranking } from '../../domain/ranking.ts'
import { gainOf, type Measure } from './measure.ts'

/** nDCG with the grade itself as gain. @see trec_eval's `ndcg` and `ndcg_cut` */
export const ndcg: Measure = {
  name: 'ndcg',
  title: 'nDCG',
  explanation:
    'Relevant candidates count by grade, and less the lower they stand; 1 is the best order there is.',
  cutoff: 'optional',
  at: (ranking, { grades }, k) => ndcgAt(ranking, grades, k),
}

/** nDCG with gain 2^grade - 1, as AgentSelect's validation of deployed agents takes it. */
export const exponentialNdcg: Measure = {
  name: 'ndcg-exp',
  title: 'Exponential nDCG',
  explanation: 'nDCG in which each grade counts about twice the one below it: gain 2^grade - 1.',
  cutoff: 'optional',
  at: (ranking, { grades }, k) => exponentialAt(ranking, grades, k),
}

/** nDCG that knows only relevant and not relevant. On binary grades it equals {@link ndcg}. */
export const binaryNdcg: Measure = {
  name: 'ndcg-binary',
  title: 'Binary nDCG',
  explanation: 'nDCG in which every relevant candidate counts the same, whatever its grade.',
  cutoff: 'optional',
  at: (ranking, { grades }, k) => binaryAt(ranking, grades, k),
}

/**
 * Normalised discounted cumulative gain of the first k candidates: discount log2(rank + 1), the ideal taken from all
 * judged candidates.
 *
 * @returns 0..1; 0 when nothing is relevant
 * @see Järvelin & Kekäläinen, TOIS 2002; trec_eval's `ndcg_cut`
 */
export const ndcgAt = ndcgBy((grade) => grade)
const exponentialAt = ndcgBy((grade) => 2 ** grade - 1)
const binaryAt = ndcgBy(() => 1)

/** @param gain - of a grade > 0 */
function ndcgBy(gain: (grade: number) => number) {
  return (ranking: Ranking, grades: Grades, k: number): number => {
    const best: number[] = []
    for (const grade of grades.values()) if (grade > 0) best.push(gain(grade))
    if (best.length === 0) return 0
    best.sort((a, b) => b - a)
    const ideal = discountedGain(Math.min(k, best.length), (index) => best[index]!)
    const actual = discountedGain(Math.min(k, ranking.length), (index) => {
      const grade = gainOf(grades, ranking[index]!.id)
      return grade === 0 ? 0 : gain(grade)
    })
    return actual / ideal
  }
}

function discountedGain(length: number, gainAt: (index: number) => number): number {
  let sum = 0
  for (let index = 0; index < length; index += 1) {
    const gain = gainAt(index)
    if (gain !== 0) sum += gain / Math.log2(index + 2)
  }
  return sum
}
