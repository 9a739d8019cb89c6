import { mulberry32 } from '../../../../../src/domain/random.ts'
import type { Matrices, Matrix } from '../tower/matrices.ts'

/** Codes of vectors: those that begin alike are near each other, and no two are the same. */
export type SemanticIds = {
  readonly codes: readonly (readonly number[])[]
  /** How many codes each place has. */
  readonly sizes: readonly number[]
}

const turns = 10

/**
 * Names each vector by the nearest of `size` centres, then what is left of it by the nearest of as many others, and so on. Vectors of the same
 * codes are numbered by one more.
 *
 * @param vectors - rows; a multiple of 8, as is `size`
 * @param count - of the rows that are named; the rest are padding
 * @see Rajput et al., NeurIPS 2023 (TIGER); Deng et al., arXiv 2502.18965 (OneRec)
 */
export function semanticIds(
  matrices: Matrices,
  vectors: Matrix,
  { count, levels, size }: { readonly count: number; readonly levels: number; readonly size: number },
): SemanticIds {
  const { columns } = vectors
  const codes: number[][] = Array.from({ length: count }, () => [])
  const random = mulberry32(7)
  const centres = matrices.take(size, columns)
  const turned = matrices.take(columns, size)
  const scores = matrices.take(vectors.rows, size)
  for (let level = 0; level < levels; level += 1) {
    for (let centre = 0; centre < size; centre += 1) moveTo(centre, Math.floor(random() * count))
    for (let turn = 0; turn < turns; turn += 1) recentre(nearest())
    for (const [row, centre] of nearest().entries()) {
      codes[row]!.push(centre)
      for (let d = 0; d < columns; d += 1)
        vectors.values[row * columns + d]! -= centres.values[centre * columns + d]!
    }
  }
  const seen = new Map<string, number>()
  for (const code of codes) {
    const key = code.join(' ')
    code.push(seen.get(key) ?? 0)
    seen.set(key, code[levels]! + 1)
  }
  const most = Math.max(...seen.values())
  return { codes, sizes: [...Array.from({ length: levels }, () => size), 8 * Math.ceil(most / 8)] }

  function moveTo(centre: number, row: number): void {
    centres.values.set(vectors.values.subarray(row * columns, (row + 1) * columns), centre * columns)
  }

  function nearest(): Uint32Array {
    const halves = Float32Array.from({ length: size }, (_, centre) => {
      const own = centres.values.subarray(centre * columns, (centre + 1) * columns)
      return own.reduce((sum, value) => sum + value * value, 0) / 2
    })
    matrices.transpose(centres, turned)
    matrices.multiply(vectors, turned, scores)
    return Uint32Array.from({ length: count }, (_, row) => {
      let best = 0
      for (let centre = 1; centre < size; centre += 1)
        if (
          scores.values[row * size + centre]! - halves[centre]! >
          scores.values[row * size + best]! - halves[best]!
        )
          best = centre
      return best
    })
  }

  /** A centre that nothing is near to goes to any vector. */
  function recentre(places: Uint32Array): void {
    const counts = new Uint32Array(size)
    centres.values.fill(0)
    for (const [row, centre] of places.entries()) {
      counts[centre]! += 1
      for (let d = 0; d < columns; d += 1)
        centres.values[centre * columns + d]! += vectors.values[row * columns + d]!
    }
    for (const [centre, own] of counts.entries())
      if (own === 0) moveTo(centre, Math.floor(random() * count))
      else for (let d = 0; d < columns; d += 1) centres.values[centre * columns + d]! /= own
  }
}
