import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'

/** Per feature where its values are cut, ascending: bin b holds the values above cut b-1 and up to cut b. */
export type Cuts = readonly Float32Array[]

/** Features as bins: what histograms are built of. */
export type BinnedRows = {
  readonly rows: number
  /** Per feature one byte per row: the bin, `cuts.length + 1` for missing. */
  readonly columns: readonly Uint8Array[]
}

/** Bins of values of one feature, that of missing values not counted. */
export const valueBins = (cuts: Float32Array): number => cuts.length + 1

/** Rows that cuts are chosen by; of more, so many are drawn. */
const sampled = 200_000

/**
 * Cuts each feature's values into at most `bins` groups of about equal size; equal values are never parted. Cuts lie
 * halfway between values, so that a threshold means the same to values that were not seen.
 *
 * @param features - row after row, `width` numbers each; NaN is left out
 */
export function chooseCuts(
  features: Float32Array,
  { width, bins, random }: { readonly width: number; readonly bins: number; readonly random: SeededRandom },
): Cuts {
  const rows = features.length / width
  const chosen = new Uint32Array(Math.min(rows, sampled))
  for (let index = 0; index < chosen.length; index += 1)
    chosen[index] = rows <= sampled ? index : Math.floor((random.uint32() / 2 ** 32) * rows)
  return Array.from({ length: width }, (_, feature) => {
    const values = new Float32Array(chosen.length)
    let known = 0
    for (const row of chosen) {
      const value = features[row * width + feature]!
      if (Number.isNaN(value)) continue
      values[known] = value + 0 // -0 becomes 0
      known += 1
    }
    return cutSorted(values.subarray(0, known).sort(), bins)
  })
}

/** A value heavier than a bin's fair share has a bin to itself, the rest is shared out evenly. */
function cutSorted(values: Float32Array, bins: number): Float32Array {
  const distinct: number[] = []
  const counts: number[] = []
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0 && values[index] === values[index - 1]) counts[counts.length - 1]! += 1
    else {
      distinct.push(values[index]!)
      counts.push(1)
    }
  }
  const cuts: number[] = []
  const cutAfter = (index: number): number => cuts.push(between(distinct[index]!, distinct[index + 1]!))
  if (distinct.length <= bins) {
    for (let index = 0; index + 1 < distinct.length; index += 1) cutAfter(index)
    return Float32Array.from(cuts)
  }
  const { isHeavy, share } = heavyValues(counts, values.length, bins)
  let inBin = 0
  for (let index = 0; index + 1 < distinct.length && cuts.length < bins - 1; index += 1) {
    inBin += counts[index]!
    const nextIsHeavy = isHeavy[index + 1] === 1 && inBin >= share / 2
    if (isHeavy[index] === 0 && inBin < share && !nextIsHeavy) continue
    cutAfter(index)
    inBin = 0
  }
  return Float32Array.from(cuts)
}

/** Values that alone outweigh a fair share, and the fair share of the others once each of those has its own bin. */
function heavyValues(
  counts: readonly number[],
  total: number,
  bins: number,
): { readonly isHeavy: Uint8Array; readonly share: number } {
  const isHeavy = new Uint8Array(counts.length)
  let rows = total
  let left = bins
  counts.forEach((count, index) => {
    if (count < total / bins) return
    isHeavy[index] = 1
    rows -= count
    left -= 1
  })
  return { isHeavy, share: rows / Math.max(1, left) }
}

/** A 32-bit number of lower <= it < upper, as near to the middle as there is. */
function between(lower: number, upper: number): number {
  const middle = Math.fround((lower + upper) / 2)
  return middle < upper ? middle : lower
}

/** Rows that are binned together: their features stay in the processor's cache from one column to the next. */
const blockRows = 1024

/** The bins of rows; a value of any kind finds its bin, also one that the cuts were not chosen by. */
export function binRows(features: Float32Array, cuts: Cuts): BinnedRows {
  const width = cuts.length
  const rows = features.length / width
  const columns = cuts.map(() => new Uint8Array(rows))
  for (let start = 0; start < rows; start += blockRows)
    for (let feature = 0; feature < width; feature += 1) {
      const block = columns[feature]!.subarray(start, start + blockRows)
      binColumn(block, features.subarray(start * width + feature), cuts[feature]!, width)
    }
  return { rows, columns }
}

/** Bins one feature of some rows: its values stand `width` places apart. A bin is the number of cuts below the value. */
function binColumn(column: Uint8Array, values: Float32Array, cuts: Float32Array, width: number): void {
  for (let row = 0, at = 0; row < column.length; row += 1, at += width) {
    const value = values[at]!
    if (Number.isNaN(value)) {
      column[row] = valueBins(cuts)
      continue
    }
    // Halves the range without a branch on the data, which no processor could guess.
    let low = 0
    for (let length = cuts.length; length > 0; ) {
      const half = (length + 1) >> 1
      low += half * Number(value > cuts[low + half - 1]!)
      length -= half
    }
    column[row] = low
  }
}
