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

/** What a histogram is made of. */
type HistogramRows = {
  /** Per feature the bin of every row. */
  readonly columns: readonly Uint8Array[]
  /** Where each feature's bins start. */
  readonly places: Uint32Array
  /** Numbers of the rows to count. */
  readonly rows: Uint32Array
  /** Of those rows, in their order. */
  readonly derivatives: Derivatives
}

/**
 * Sums the derivatives of rows by bin. Features are taken by fours, so that a row's number and derivatives are read
 * once for four bins.
 *
 * @param histogram - zero at the features' places
 * @param features - numbers of the features to count
 */
export function addRows(histogram: Float64Array, features: readonly number[], from: HistogramRows): void {
  let index = 0
  for (; index + 3 < features.length; index += 4) addFour(histogram, features, index, from)
  for (; index < features.length; index += 1) addOne(histogram, features[index]!, from)
}

function addFour(
  histogram: Float64Array,
  features: readonly number[],
  index: number,
  { columns, places, rows, derivatives: { first, second } }: HistogramRows,
): void {
  const columnA = columns[features[index]!]!
  const columnB = columns[features[index + 1]!]!
  const columnC = columns[features[index + 2]!]!
  const columnD = columns[features[index + 3]!]!
  const placeA = places[features[index]!]!
  const placeB = places[features[index + 1]!]!
  const placeC = places[features[index + 2]!]!
  const placeD = places[features[index + 3]!]!
  for (let number = 0; number < rows.length; number += 1) {
    const row = rows[number]!
    const ownFirst = first[number]!
    const ownSecond = second[number]!
    const a = placeA + (columnA[row]! << 2)
    histogram[a]! += ownFirst
    histogram[a + 1]! += ownSecond
    histogram[a + 2]! += 1
    const b = placeB + (columnB[row]! << 2)
    histogram[b]! += ownFirst
    histogram[b + 1]! += ownSecond
    histogram[b + 2]! += 1
    const c = placeC + (columnC[row]! << 2)
    histogram[c]! += ownFirst
    histogram[c + 1]! += ownSecond
    histogram[c + 2]! += 1
    const d = placeD + (columnD[row]! << 2)
    histogram[d]! += ownFirst
    histogram[d + 1]! += ownSecond
    histogram[d + 2]! += 1
  }
}

function addOne(
  histogram: Float64Array,
  feature: number,
  { columns, places, rows, derivatives: { first, second } }: HistogramRows,
): void {
  const column = columns[feature]!
  const place = places[feature]!
  for (let number = 0; number < rows.length; number += 1) {
    const at = place + (column[rows[number]!]! << 2)
    histogram[at]! += first[number]!
    histogram[at + 1]! += second[number]!
    histogram[at + 2]! += 1
  }
}

/** Turns the histogram of a node into that of one child by taking the other child's away. */
export function subtract(histogram: Float64Array, other: Float64Array): void {
  for (let index = 0; index < histogram.length; index += 1) histogram[index]! -= other[index]!
}
