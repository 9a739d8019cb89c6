import type { LearnedWeights } from '../../../src/vectors/embedding/static-embedding.ts'
import { covarianceOf, principalComponents } from './word-vectors/remove-common.ts'

/** Against the mean variance: what keeps a direction in which no card differs from being none at all. */
const ridge = 1e-9

/**
 * Turns an embedding to the axes along which cards lie furthest from the origin and keeps the first of these: of all
 * embeddings with so many dimensions the one whose dot products with these cards come closest.
 *
 * @param vectorsOfCards - in the embedding's own dimensions, row-major; at least one. Asked only when dimensions go
 * @param kept - dimensions that remain, at most those there are
 * @see Eckart & Young, Psychometrika 1936; Raunak et al., RepL4NLP 2019, of word vectors
 */
export function keepPrincipal(
  learned: LearnedWeights,
  vectorsOfCards: () => Float32Array,
  kept: number,
): LearnedWeights {
  const { dimensions, table } = learned
  if (kept >= dimensions) return learned
  const covariance = covarianceOf(vectorsOfCards(), new Float64Array(dimensions))
  let trace = 0
  for (let at = 0; at < dimensions; at += 1) trace += covariance[at * (dimensions + 1)]!
  for (let at = 0; at < dimensions; at += 1)
    covariance[at * (dimensions + 1)] = covariance[at * (dimensions + 1)]! + ridge * (trace / dimensions || 1)
  const axes = principalComponents(covariance, dimensions, kept).map((axis) => Float32Array.from(axis))
  return { ...learned, dimensions: kept, table: along(axes, table, dimensions) }
}

/** Rows by their dot products with each of the axes. */
function along(axes: readonly Float32Array[], rows: Float32Array, width: number): Float32Array {
  const turned = new Float32Array((rows.length / width) * axes.length)
  for (let start = 0, next = 0; start < rows.length; start += width) {
    for (const axis of axes) {
      let sum = 0
      for (let at = 0; at < width; at += 1) sum += rows[start + at]! * axis[at]!
      turned[next++] = sum
    }
  }
  return turned
}
