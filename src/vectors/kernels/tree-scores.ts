import { wasm } from './tree-scores.wasm.ts'
import { aligned, firstByte, opensKernels, pageBytes, webAssembly } from './web-assembly.ts'

/** Trees of at most {@link mostLeaves} leaves, as the splits that rule leaves out. */
export type LeafTrees = {
  /** Numbers of a row. */
  readonly width: number
  /** Score before the first tree. */
  readonly initial: number
  /**
   * Per split the number of a row that it reads: one above the threshold rules the leaves of its left side out. `width` added,
   * a missing number (NaN) is above every threshold, else above none.
   */
  readonly column: Uint32Array
  readonly threshold: Float32Array
  /** Leaves of the left side as bits; bit 0 is the leftmost leaf of the tree. */
  readonly left: Uint32Array
  /** Per tree, where its splits end, and its first leaf in `values`. */
  readonly ends: Uint32Array
  readonly firstLeaf: Uint32Array
  /** Of each tree's leaves, left to right. */
  readonly values: Float32Array
}

export const mostLeaves = 32

/**
 * Scores of rows; a row's sum is taken tree by tree, in 64-bit floating point.
 *
 * @param rows - `count` rows of `width` numbers, row after row
 */
export type TreeScorer = (rows: Float32Array, count: number) => Float64Array

type Kernel = (
  columns: number,
  splits: number,
  trees: number,
  treeCount: number,
  values: number,
  initial: number,
  rows: number,
  out: number,
) => void

/** Rows that are scored at once; a multiple of eight. */
const blockRows = 128

const opened = opensKernels<{ readonly score: Kernel }>(wasm)

/** @throws RangeError when there is no memory for the trees */
export function treeScorer(trees: LeafTrees): TreeScorer {
  const { width, initial, column, threshold, left, ends, firstLeaf, values } = trees
  const treesAt = aligned(firstByte + 12 * column.length)
  const valuesAt = aligned(treesAt + 8 * ends.length)
  const columnsAt = aligned(valuesAt + values.byteLength)
  const outAt = aligned(columnsAt + 8 * width * blockRows)
  const bytes = outAt + 8 * blockRows
  const memory = new webAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) })
  const { score: kernel } = opened(memory)
  const [words, floats] = [new Uint32Array(memory.buffer), new Float32Array(memory.buffer)]
  for (let split = 0, at = firstByte / 4; split < column.length; split++) {
    words[at++] = column[split]! * 4 * blockRows
    floats[at++] = threshold[split]!
    words[at++] = left[split]!
  }
  for (let tree = 0, at = treesAt / 4; tree < ends.length; tree++) {
    words[at++] = 12 * ends[tree]!
    words[at++] = firstLeaf[tree]!
  }
  floats.set(values, valuesAt / 4)
  const cells = new Float32Array(memory.buffer, columnsAt, 2 * width * blockRows)
  const out = new Float64Array(memory.buffer, outAt, blockRows)
  const missing = width * blockRows
  return (rows, count) => {
    const scores = new Float64Array(count)
    for (let start = 0; start < count; start += blockRows) {
      const some = Math.min(blockRows, count - start)
      for (let row = 0, from = start * width; row < some; row++)
        for (let at = row; at < missing; at += blockRows, from++) {
          const value = rows[from]!
          cells[at] = value
          cells[at + missing] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : value
        }
      kernel(columnsAt, firstByte, treesAt, ends.length, valuesAt, initial, some, outAt)
      scores.set(out.subarray(0, some), start)
    }
    return scores
  }
}
