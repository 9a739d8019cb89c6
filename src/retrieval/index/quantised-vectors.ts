import { type RowShape, rowsAtOnce, valuesAtOnce } from '../../vectors/kernels/dense-scan.ts'
import type { Section } from '../text/sections.ts'

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

type Kept = { readonly row: Int8Array; readonly scale: number }

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
  const kept = new Map<string, Kept>()
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
      const { rows, values } = rowShape(ids.length, dimensions)
      const vectors = ids.map((id) => kept.get(id))
      const head = headOf(vectors, dimensions)
      const tail = values - head
      const heads = new Int8Array(rows * head)
      const tails = new Int8Array(rows * tail)
      // A card without a vector has NaN for its scale, and so for every score: it is better than none.
      const scales = new Float32Array(rows).fill(Number.NaN)
      const reaches = new Float32Array(rows)
      vectors.forEach((vector, document) => {
        if (vector === undefined) return
        const rest = vector.row.subarray(head)
        heads.set(vector.row.subarray(0, head), document * head)
        tails.set(rest, document * tail)
        scales[document] = vector.scale
        reaches[document] = Math.sqrt(squares(rest)) * vector.scale * (1 + 2 ** -20)
      })
      return {
        'vectors.heads': heads,
        'vectors.tails': tails,
        'vectors.scales': scales,
        'vectors.reaches': reaches,
      }
    },
  }
}

/** Share of the squares of all vectors that their tails may hold: the less, the fewer vectors are looked at beyond their heads. */
const mostInTails = 0.2

/** How many values make the head: as few as leave little to the tails. Models that put what tells most first have short ones. */
function headOf(vectors: readonly (Kept | undefined)[], dimensions: number): number {
  const perValue = new Float64Array(dimensions)
  for (const vector of vectors) {
    if (vector === undefined) continue
    const { row, scale } = vector
    for (let at = 0; at < dimensions; at++) perValue[at] = perValue[at]! + (row[at]! * scale) ** 2
  }
  let left = perValue.reduce((sum, square) => sum + square, 0)
  const most = mostInTails * left
  let head = 0
  while (left > most) left -= perValue[head++]!
  return left === 0 ? aligned(dimensions, valuesAtOnce) : aligned(head, valuesAtOnce)
}

const squares = (values: Int8Array): number => values.reduce((sum, value) => sum + value * value, 0)
