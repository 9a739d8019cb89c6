import type { JudgedQuery } from '../../../../src/evaluation/datasets/dataset.ts'

/**
 * The nDCG@k that a random order of a query's pool has on average: every place holds the mean gain of the pool. Where
 * most candidates are relevant it is high, and a reranker that does not beat it has done nothing.
 *
 * @returns 0..1; 0 when nothing in the pool is relevant
 */
export function randomOrderNdcg(
  { pool = [], grades }: Pick<JudgedQuery, 'pool' | 'grades'>,
  k: number,
): number {
  const best = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a)
  const gains = pool.reduce((sum, id) => sum + Math.max(0, grades.get(id) ?? 0), 0)
  if (gains === 0) return 0
  const discounts = (count: number, gainAt: (place: number) => number): number =>
    Array.from({ length: count }, (_, place) => gainAt(place) / Math.log2(place + 2)).reduce(
      (sum, gain) => sum + gain,
      0,
    )
  const ideal = discounts(Math.min(k, best.length), (place) => best[place]!)
  return discounts(Math.min(k, pool.length), () => gains / pool.length) / ideal
}
