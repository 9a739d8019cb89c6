/**
 * The smallest value that at least this share of the values does not exceed (nearest rank): always one of them.
 *
 * @param values - in any order; not changed
 * @param share - 0..1; 0 gives the smallest value
 * @returns 0 when there are no values
 */
export function quantile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) return 0
  return nearestRank(Float64Array.from(values).sort(), share)
}

/** The same of values that are sorted, smallest first, and not empty. */
export function nearestRank(sorted: Float64Array, share: number): number {
  // 0.95 * 20 is a hair above 19 in floating point, and must not become 20.
  const rank = Math.ceil(share * sorted.length - 1e-9)
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]!
}
