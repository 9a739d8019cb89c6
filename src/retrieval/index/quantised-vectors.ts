import { type RowShape, rowsAtOnce, valuesAtOnce } from '../../vectors/kernels/dense-scan.ts'
import { type RoundedVector, roundedVector, scaleOf, spansOf } from '../../vectors/rounded-vector.ts'
import type { Section } from '../text/sections.ts'

/** Vectors of cards as 8-bit rows, waiting to be packed in the order of documents. */
export type QuantisedVectors = {
  readonly dimensions: number
  /** Lengths of the parts of a vector, which are packed apart; one for a vector that is whole. */
  readonly parts: readonly number[]
  /**
   * Keeps a vector, rounded; one that holds anything but finite numbers is kept as none at all.
   *
   * @throws RangeError when its length is not `dimensions`
   */
  add(id: string, vector: Float32Array): void
  /** Keeps a vector that was rounded before. */
  addRounded(id: string, vector: RoundedVector): void
  /** @param ids - by document number; a card without a vector is never found */
  sections(ids: readonly string[]): { readonly [name: string]: Section }
}

/** One part of a vector, and what its values are multiplied by. */
type Kept = { readonly row: Int8Array; readonly scale: number }

const aligned = (count: number, step: number): number => Math.ceil(count / step) * step

/** How the rows of so many documents are laid out. */
export const rowShape = (documents: number, dimensions: number): RowShape => ({
  rows: aligned(documents, rowsAtOnce),
  values: aligned(dimensions, valuesAtOnce),
})

/** What the names of a part's sections begin with. */
export const sectionsOf = (part: number): string => (part === 0 ? 'vectors' : `vectors.${part}`)

/**
 * Rounds each part of a vector to 8 bits with a scale of its own. A dot product with `query` moves by at most 1/254 of the largest value
 * times the sum of the query's magnitudes; for unit vectors of some hundred dimensions that are not nearly all zero, it is a thousandth
 * or less. Of several parts each is packed as if it were a unit vector, not divided by the square root of their number; one of zeros,
 * except the first, is packed as none.
 *
 * @param dimensions - >= 1
 * @param parts - their lengths, which add up to `dimensions`
 */
export function quantisedVectors(
  dimensions: number,
  parts: readonly number[] = [dimensions],
): QuantisedVectors {
  const kept = new Map<string, RoundedVector>()
  const whole = Math.sqrt(parts.length)
  const partOf = (vector: RoundedVector | undefined, part: number): Kept | undefined => {
    if (vector === undefined) return undefined
    const largest = vector.largest[part]!
    if (largest === 0 && part > 0) return undefined
    const { from, to } = spansOf(parts)[part]!
    return { row: vector.values.subarray(from, to), scale: scaleOf(largest) * whole }
  }
  return {
    dimensions,
    parts,
    add(id, vector) {
      if (vector.length !== dimensions) {
        throw new RangeError(
          `The vector of "${id}" has ${vector.length} dimensions where ${dimensions} are expected.`,
        )
      }
      const rounded = roundedVector(vector, parts)
      if (rounded !== null) kept.set(id, rounded)
    },
    addRounded(id, vector) {
      kept.set(id, vector)
    },
    sections(ids) {
      const vectors = ids.map((id) => kept.get(id))
      const packed = parts.map((length, part) => {
        const rows = vectors.map((vector) => partOf(vector, part))
        return packedRows(rows, length, sectionsOf(part))
      })
      return Object.assign({}, ...packed)
    },
  }
}

/** @param name - what the names of the sections begin with */
function packedRows(
  vectors: readonly (Kept | undefined)[],
  dimensions: number,
  name: string,
): { readonly [name: string]: Section } {
  const { rows, values } = rowShape(vectors.length, dimensions)
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
    [`${name}.heads`]: heads,
    [`${name}.tails`]: tails,
    [`${name}.scales`]: scales,
    [`${name}.reaches`]: reaches,
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
