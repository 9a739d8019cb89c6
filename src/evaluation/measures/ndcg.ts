import type { Grades } from '../../domain/qrels.ts'
import type { Ranking } from '../../domain/ranking.ts'

/**
 * Normalised discounted cumulative gain of the first k candidates: gain is the grade itself, discount log2(rank + 1),
 * the ideal taken from all judged candidates.
 *
 * @returns 0..1; 0 when nothing is relevant
 * @see Järvelin & Kekäläinen, TOIS 2002; trec_eval's `ndcg_cut`
 */
export function ndcgAt(ranking: Ranking, grades: Grades, k: number): number {
  const gains = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const ideal = discountedGain(gains.slice(0, k))
  if (ideal === 0) return 0
  return discountedGain(ranking.slice(0, k).map(({ id }) => Math.max(grades.get(id) ?? 0, 0))) / ideal
}

const discountedGain = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
