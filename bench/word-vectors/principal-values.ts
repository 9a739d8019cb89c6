import {
  covarianceOf,
  meanOf,
  principalComponents,
} from '../../embeddings/trainer/src/word-vectors/remove-common.ts'

/** Directions that nearly all words share. */
const shared = 2

/**
 * Rows along the directions in which they vary most, less the first two, each divided by the fourth root of its variance:
 * halfway to equal variances, so that the few strongest directions do not decide alone. Of length 1.
 *
 * @param rows - count x width, row-major
 * @param wanted - values per row that come out, at most width - 2
 */
export function principalValues(rows: Float32Array, width: number, wanted: number): Float32Array {
  const mean = meanOf(rows, width)
  const covariance = covarianceOf(rows, mean)
  const directions = principalComponents(covariance, width, shared + wanted).slice(shared)
  const count = rows.length / width
  const values = new Float32Array(count * wanted)
  for (let row = 0; row < count; row++) {
    const centred = Float64Array.from(
      rows.subarray(row * width, (row + 1) * width),
      (value, at) => value - mean[at]!,
    )
    directions.forEach((direction, place) => {
      values[row * wanted + place] = direction.reduce((sum, value, at) => sum + value * centred[at]!, 0)
    })
  }
  for (let place = 0; place < wanted; place++) {
    let squares = 0
    for (let at = place; at < values.length; at += wanted) squares += values[at]! ** 2
    const scale = (squares / count) ** 0.25 || 1
    for (let at = place; at < values.length; at += wanted) values[at] = values[at]! / scale
  }
  for (let start = 0; start < values.length; start += wanted) {
    const row = values.subarray(start, start + wanted)
    const length = Math.hypot(...row) || 1
    row.forEach((value, at) => {
      row[at] = value / length
    })
  }
  return values
}
