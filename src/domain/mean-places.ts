/** A place per value, from 1 for the best; equal values share the mean of the places that they take up. */
export function meanPlaces<T>(values: readonly T[], compare: (a: T, b: T) => number): readonly number[] {
  return values.map((value) => {
    const before = values.filter((other) => compare(other, value) < 0).length
    const equal = values.filter((other) => compare(other, value) === 0).length
    return before + (equal + 1) / 2
  })
}
