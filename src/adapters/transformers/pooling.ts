import type { Pooling } from './files/families.ts'

/** Token vectors of a batch, row-major: texts x tokens x dimensions. */
export type TokenVectors = {
  readonly data: Float32Array
  readonly texts: number
  readonly tokens: number
  readonly dimensions: number
}

/**
 * Makes one vector per text out of its token vectors.
 *
 * @param lengths - tokens of each text, >= 1; what comes after them is padding and does not count
 * @returns texts x dimensions, row-major, not normalised
 */
export function poolTokens(
  vectors: TokenVectors,
  lengths: readonly number[],
  pooling: Exclude<Pooling, 'model'>,
): Float32Array {
  const { data, texts, tokens, dimensions } = vectors
  const pooled = new Float32Array(texts * dimensions)
  for (let text = 0; text < texts; text++) {
    const length = lengths[text]!
    const first = pooling === 'last' ? length - 1 : 0
    const end = pooling === 'cls' ? 1 : length
    for (let axis = 0; axis < dimensions; axis++) {
      let sum = 0
      for (let token = first; token < end; token++) sum += data[(text * tokens + token) * dimensions + axis]!
      pooled[text * dimensions + axis] = sum / (end - first)
    }
  }
  return pooled
}

/**
 * Scales every row to length 1, in place.
 *
 * @returns the number of the first row that has no direction (zero, infinite or not a number), or null
 */
export function normaliseRows(rows: Float32Array, dimensions: number): number | null {
  for (let start = 0; start < rows.length; start += dimensions) {
    const row = rows.subarray(start, start + dimensions)
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
    if (!Number.isFinite(length) || length === 0) return start / dimensions
    for (let axis = 0; axis < dimensions; axis++) row[axis] = row[axis]! / length
  }
  return null
}
