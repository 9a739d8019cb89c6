/**
 * Wilson's interval for a share that was seen as `count` of `of`. It holds for few cases, and for none or all of them.
 *
 * @param z - 1.96 for 95% of both ends, 1.645 for 95% of one
 * @see Wilson, Journal of the American Statistical Association 1927
 */
export function wilson(
  count: number,
  of: number,
  z: number,
): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 }
  const share = count / of
  const whole = 1 + (z * z) / of
  const middle = (share + (z * z) / (2 * of)) / whole
  const half = (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / whole
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** A place per value, from 1 for the best; equal values share the mean of the places that they take up. */
export function meanPlaces<T>(values: readonly T[], compare: (a: T, b: T) => number): readonly number[] {
  return values.map((value) => {
    const before = values.filter((other) => compare(other, value) < 0).length
    const equal = values.filter((other) => compare(other, value) === 0).length
    return before + (equal + 1) / 2
  })
}

/** The middle value, or the mean of the two in the middle; null without any. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
