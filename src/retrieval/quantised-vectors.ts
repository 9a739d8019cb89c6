import { type RowShape, rowsAtOnce, valuesAtOnce } from '../kernels/dense-scan.ts'
import type { Section } from './sections.ts'

/** Vectors of cards as 8-bit rows, waiting to be packed in the order of documents. */
export type QuantisedVectors = {
  readonly dimensions: number
  /**
   * Keeps a vector, rounded; one that holds anything but finite numbers is kept as none at all.
   *
   * @throws RangeError when its length is not `dimensions`
   */
  add(id: string, vector: Float32Array): void
  /** @param ids - by document number; a card without a vector is never found */
  sections(ids: readonly string[]): { readonly [name: string]: Section }
}

/** The largest value of a row becomes this one, or its negative. */
const mostValue = 127
const aligned = (count: number, step: number): number => Math.ceil(count / step) * step

/** How the rows of so many documents are laid out. */
export const rowShape = (documents: number, dimensions: number): RowShape => ({
  rows: aligned(documents, rowsAtOnce),
  values: aligned(dimensions, valuesAtOnce),
})

/**
 * Rounds each vector to 8 bits with a scale of its own, so that no value moves by more than 1/254 of the largest one. A
 * dot product with `query` moves by at most that times the sum of the query's magnitudes; for unit vectors of some
 * hundred dimensions that are not nearly all zero, it is a thousandth or less.
 *
 * @param dimensions - >= 1
 */
export function quantisedVectors(dimensions: number): QuantisedVectors {
  const kept = new Map<string, { readonly row: Int8Array; readonly scale: number }>()
  return {
    dimensions,
    add(id, vector) {
      if (vector.length !== dimensions) {
        throw new RangeError(
          `The vector of "${id}" has ${vector.length} dimensions where ${dimensions} are expected.`,
        )
      }
      const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      if (!Number.isFinite(largest)) return
      const step = largest === 0 ? 1 : largest / mostValue
      const row = Int8Array.from(vector, (value) => Math.round(value / step))
      kept.set(id, { row, scale: largest / mostValue })
    },
    sections(ids) {
      const shape = rowShape(ids.length, dimensions)
      const rows = new Int8Array(shape.rows * shape.values)
      // A card without a vector has NaN for its scale, and so for every score: it is better than none.
      const scales = new Float32Array(shape.rows).fill(Number.NaN)
      ids.forEach((id, document) => {
        const vector = kept.get(id)
        if (vector === undefined) return
        rows.set(vector.row, document * shape.values)
        scales[document] = vector.scale
      })
      return { 'vectors.rows': rows, 'vectors.scales': scales }
    },
  }
}
