/** First and second derivative of the loss by a row's score. */
export type Derivatives = {
  readonly first: Float32Array
  readonly second: Float32Array
}

/** Numbers per bin: sum of the first derivatives, sum of the second, count of rows, one unused. */
export const slot = 4

/** Where each feature's bins start in a histogram, and the length of it: `features + 1` places. */
export function histogramPlaces(binsPerFeature: readonly number[]): Uint32Array {
  const places = new Uint32Array(binsPerFeature.length + 1)
  binsPerFeature.forEach((bins, feature) => {
    places[feature + 1] = places[feature]! + slot * bins
  })
  return places
}

/**
 * Sums the derivatives of rows by bin of one feature.
 *
 * @param histogram - the feature's part, all zero
 * @param column - the feature's bin of every row
 * @param rows - numbers of the rows to count
 * @param derivatives - of those rows, in their order
 */
export function addRows(
  histogram: Float64Array,
  column: Uint8Array,
  rows: Uint32Array,
  { first, second }: Derivatives,
): void {
  for (let index = 0; index < rows.length; index += 1) {
    const at = column[rows[index]!]! << 2
    histogram[at]! += first[index]!
    histogram[at + 1]! += second[index]!
    histogram[at + 2]! += 1
  }
}

/** Turns the histogram of a node into that of one child by taking the other child's away. */
export function subtract(histogram: Float64Array, other: Float64Array): void {
  for (let index = 0; index < histogram.length; index += 1) histogram[index]! -= other[index]!
}
