import type { WordVectors } from './word-vectors.ts'

/** Directions that frequent words share and that say little of what a word means. */
const components = 2
const rounds = 50

/**
 * The vectors asked for, less the mean and the first two principal components of the frequent words, of length 1.
 *
 * @see Mu, Bhat & Viswanath, ICLR 2018 ("All-but-the-Top")
 */
export function removeCommon({
  dimensions,
  frequent,
  ofWords,
}: WordVectors): ReadonlyMap<string, Float32Array> {
  const mean = meanOf(frequent, dimensions)
  const shared = principalComponents(covarianceOf(frequent, mean), dimensions, components)
  return new Map(
    [...ofWords].map(([word, vector]) => {
      const rest = Float64Array.from(vector, (value, at) => value - mean[at]!)
      for (const component of shared) subtract(rest, component, dot(rest, component))
      const length = Math.sqrt(dot(rest, rest)) || 1
      return [word, Float32Array.from(rest, (value) => value / length)]
    }),
  )
}

export function meanOf(rows: Float32Array, width: number): Float64Array {
  const mean = new Float64Array(width)
  for (let at = 0; at < rows.length; at += 1) mean[at % width] = mean[at % width]! + rows[at]!
  const count = rows.length / width
  return mean.map((sum) => sum / Math.max(1, count))
}

/** Sums of products of rows less their mean, width x width. */
export function covarianceOf(rows: Float32Array, mean: Float64Array): Float64Array {
  const width = mean.length
  const sums = new Float64Array(width * width)
  const centred = new Float64Array(width)
  for (let start = 0; start < rows.length; start += width) {
    for (let at = 0; at < width; at += 1) centred[at] = rows[start + at]! - mean[at]!
    for (let one = 0; one < width; one += 1) {
      const value = centred[one]!
      const row = one * width
      for (let other = 0; other < width; other += 1)
        sums[row + other] = sums[row + other]! + value * centred[other]!
    }
  }
  return sums
}

/**
 * Unit vectors in which rows of this covariance vary most, by power iteration, each in what the ones before leave.
 *
 * @param covariance - width x width
 * @param most - how many; fewer where nothing is left
 */
export function principalComponents(
  covariance: Float64Array,
  width: number,
  most: number,
): readonly Float64Array[] {
  const found: Float64Array[] = []
  for (let number = 0; number < Math.min(most, width); number += 1) {
    let vector = Float64Array.from({ length: width }, (_, at) => Math.sin(at + number + 1))
    for (let round = 0; round < rounds; round += 1) {
      const image = Float64Array.from({ length: width }, (_, row) =>
        dot(covariance.subarray(row * width, (row + 1) * width), vector),
      )
      for (const earlier of found) subtract(image, earlier, dot(image, earlier))
      const length = Math.sqrt(dot(image, image))
      if (length === 0) return found
      vector = image.map((value) => value / length)
    }
    found.push(vector)
  }
  return found
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}

function subtract(from: Float64Array, direction: Float64Array, amount: number): void {
  for (let at = 0; at < from.length; at += 1) from[at] = from[at]! - amount * direction[at]!
}
