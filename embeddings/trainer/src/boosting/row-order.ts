import type { Split } from './find-split.ts'

/** Numbers of rows, those of a node side by side and ascending. */
type RowOrder = {
  /** Begins with the rows of the root. */
  begin(rows: Uint32Array): void
  /** The rows of a node: a view, good until the node is parted. */
  rows(start: number, end: number): Uint32Array
  /**
   * Moves a node's rows that go left before those that go right.
   *
   * @param column - bins of the feature that is asked
   * @param missingBin - the bin of its missing values
   * @returns where the right ones start
   */
  part(
    node: { readonly start: number; readonly end: number },
    split: Split,
    column: Uint8Array,
    missingBin: number,
  ): number
}

/** @param most - rows there are at most */
export function rowOrder(most: number): RowOrder {
  const order = new Uint32Array(most)
  const aside = new Uint32Array(most)
  return {
    begin: (rows) => order.set(rows),
    rows: (start, end) => order.subarray(start, end),
    part({ start, end }, { bin, missingRight }, column, missingBin) {
      const alsoLeft = missingRight ? -1 : missingBin
      let left = start
      let right = 0
      for (let index = start; index < end; index += 1) {
        const row = order[index]!
        const own = column[row]!
        if (own <= bin || own === alsoLeft) {
          order[left] = row
          left += 1
        } else {
          aside[right] = row
          right += 1
        }
      }
      order.set(aside.subarray(0, right), left)
      return left
    },
  }
}
