import type { BinnedRows } from './binning.ts'
import {
  type Bounds,
  boundsOfChildren,
  findSplit,
  newtonValue,
  type Split,
  type SplitRules,
  type Sums,
} from './find-split.ts'
import { addRows, type Derivatives, histogramPlaces, subtract } from './histogram.ts'

/** A tree over bins. Nodes stand in the order in which they grew, the two children of a node side by side. */
export type BinnedTree = {
  /** Place of the left child; 0 in a leaf. */
  readonly child: readonly number[]
  readonly feature: readonly number[]
  readonly bin: readonly number[]
  readonly missingRight: readonly boolean[]
  /** Newton steps of the leaves; in other nodes the mean over their rows. */
  readonly value: readonly number[]
  /** Of the node's split; 0 in a leaf. */
  readonly gain: readonly number[]
}

export type GrowthRules = SplitRules & { readonly leaves: number; readonly depth: number }

/** A node that may still be split. Its rows stand side by side in the grower's list. */
type Leaf = {
  readonly node: number
  readonly start: number
  readonly end: number
  readonly depth: number
  readonly sums: Sums
  readonly bounds: Bounds
  /** Absent when the node will not be split. */
  readonly histogram: Float64Array | undefined
  readonly split: Split | undefined
}

export type TreeGrower = {
  /**
   * Grows a tree leaf by leaf, that with the largest gain first.
   *
   * @param rows - numbers of the rows to learn from, ascending
   * @param derivatives - of all rows
   * @param features - numbers of the features that may be asked
   */
  grow(rows: Uint32Array, derivatives: Derivatives, features: readonly number[]): BinnedTree
}

/**
 * Keeps its working memory from tree to tree: one histogram per leaf, three numbers per row.
 *
 * @param binsPerFeature - with the bin of missing values
 * @see Ke et al., "LightGBM", NIPS 2017, algorithm 1; Shi, Melbourne University 2007, for best-first growth
 */
export function treeGrower(
  { columns, rows: rowCount }: BinnedRows,
  binsPerFeature: readonly number[],
  rules: GrowthRules,
): TreeGrower {
  const places = histogramPlaces(binsPerFeature)
  const order = new Uint32Array(rowCount)
  const aside = new Uint32Array(rowCount)
  const ordered: Derivatives = { first: new Float32Array(rowCount), second: new Float32Array(rowCount) }
  const spare: Float64Array[] = []

  /** Derivatives of some rows, in the rows' order. */
  const gather = (rows: Uint32Array, { first, second }: Derivatives): Derivatives => {
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]!
      ordered.first[index] = first[row]!
      ordered.second[index] = second[row]!
    }
    return ordered
  }

  const histogramOf = (
    rows: Uint32Array,
    derivatives: Derivatives,
    features: readonly number[],
  ): Float64Array => {
    const histogram = spare.pop()?.fill(0) ?? new Float64Array(places.at(-1)!)
    addRows(histogram, features, { columns, places, rows, derivatives: gather(rows, derivatives) })
    return histogram
  }

  /** Moves the rows that go left before those that go right, each in their order. Returns where the right ones start. */
  const part = (start: number, end: number, { feature, bin, missingRight }: Split): number => {
    const column = columns[feature]!
    const missingBin = binsPerFeature[feature]! - 1
    const lastLeft = missingRight ? -1 : missingBin
    let left = start
    let right = 0
    for (let index = start; index < end; index += 1) {
      const row = order[index]!
      const own = column[row]!
      if (own <= bin || own === lastLeft) {
        order[left] = row
        left += 1
      } else {
        aside[right] = row
        right += 1
      }
    }
    order.set(aside.subarray(0, right), left)
    return left
  }

  const grow = (rows: Uint32Array, derivatives: Derivatives, features: readonly number[]): BinnedTree => {
    order.set(rows)
    const child: number[] = []
    const feature: number[] = []
    const bin: number[] = []
    const missingRight: boolean[] = []
    const value: number[] = []
    const gain: number[] = []
    const counts: number[] = []

    const add = (place: Omit<Leaf, 'node' | 'split'>): Leaf => {
      const { sums, bounds, histogram } = place
      const node = child.length
      child.push(0)
      feature.push(0)
      bin.push(0)
      missingRight.push(false)
      gain.push(0)
      value.push(newtonValue(sums, bounds, rules.lambdaL2))
      counts.push(sums.rows)
      const split = histogram && findSplit({ sums, bounds, histogram }, places, features, rules)
      if (histogram !== undefined && split === undefined) spare.push(histogram)
      return { ...place, node, split }
    }
    const mayBeSplit = (count: number, depth: number, leavesNow: number): boolean =>
      count >= 2 * rules.minimumRows && depth < rules.depth && leavesNow < rules.leaves

    const unbounded = { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY }
    const open: Leaf[] = [
      add({
        start: 0,
        end: rows.length,
        depth: 0,
        sums: sumsOf(rows, derivatives),
        bounds: unbounded,
        histogram: mayBeSplit(rows.length, 0, 1) ? histogramOf(rows, derivatives, features) : undefined,
      }),
    ]
    for (let leaves = 2; leaves <= rules.leaves; leaves += 1) {
      const leaf = takeBest(open)
      if (leaf?.split === undefined || leaf.histogram === undefined) break
      const { split, node, start, end, bounds } = leaf
      const middle = part(start, end, split)
      const depth = leaf.depth + 1
      const leftIsSmaller = middle - start <= end - middle
      const larger = Math.max(middle - start, end - middle)
      let smallHistogram: Float64Array | undefined
      if (mayBeSplit(larger, depth, leaves)) {
        const smallRows = leftIsSmaller ? order.subarray(start, middle) : order.subarray(middle, end)
        smallHistogram = histogramOf(smallRows, derivatives, features)
        subtract(leaf.histogram, smallHistogram)
      } else spare.push(leaf.histogram)
      const largeHistogram = smallHistogram && leaf.histogram
      child[node] = child.length
      feature[node] = split.feature
      bin[node] = split.bin
      missingRight[node] = split.missingRight
      gain[node] = split.gain
      const lastBin = binsPerFeature[split.feature]! - 2
      const own = boundsOfChildren(split, bounds, rules, lastBin)
      open.push(
        add({
          start,
          end: middle,
          depth,
          sums: split.left,
          bounds: own.left,
          histogram: leftIsSmaller ? smallHistogram : largeHistogram,
        }),
        add({
          start: middle,
          end,
          depth,
          sums: split.right,
          bounds: own.right,
          histogram: leftIsSmaller ? largeHistogram : smallHistogram,
        }),
      )
    }
    for (const { histogram, split } of open)
      if (histogram !== undefined && split !== undefined) spare.push(histogram)
    takeMeans(child, value, counts)
    return { child, feature, bin, missingRight, value, gain }
  }
  return { grow }
}

/** Takes the leaf with the largest gain out of the list, the oldest of equal ones; undefined when none can be split. */
function takeBest(open: Leaf[]): Leaf | undefined {
  let best = -1
  open.forEach(({ split }, index) => {
    if (split !== undefined && split.gain > (open[best]?.split?.gain ?? 0)) best = index
  })
  return best < 0 ? undefined : open.splice(best, 1)[0]
}

/** Gives each node that has children their mean, weighted by rows; children stand after their parent. */
function takeMeans(child: readonly number[], value: number[], counts: readonly number[]): void {
  for (let node = child.length - 1; node >= 0; node -= 1) {
    const left = child[node]!
    if (left === 0) continue
    const inLeft = counts[left]!
    const inRight = counts[left + 1]!
    value[node] = (value[left]! * inLeft + value[left + 1]! * inRight) / (inLeft + inRight)
  }
}

function sumsOf(rows: Uint32Array, { first, second }: Derivatives): Sums {
  let sumOfFirst = 0
  let sumOfSecond = 0
  for (const row of rows) {
    sumOfFirst += first[row]!
    sumOfSecond += second[row]!
  }
  return { first: sumOfFirst, second: sumOfSecond, rows: rows.length }
}

/**
 * Adds a tree's values to the scores of all rows.
 *
 * @param missingBins - per feature the number of the bin of missing values
 */
export function addTree(
  scores: Float64Array,
  { columns }: BinnedRows,
  { child, feature, bin, missingRight, value }: BinnedTree,
  missingBins: readonly number[],
): void {
  const children = Int32Array.from(child)
  const values = Float64Array.from(value)
  const bins = Int32Array.from(bin)
  const columnOf = feature.map((own) => columns[own]!)
  /** The bin that goes left though it is above the split's; none when missing values go right. */
  const alsoLeft = Int32Array.from(feature, (own, node) => (missingRight[node] ? -1 : missingBins[own]!))
  for (let row = 0; row < scores.length; row += 1) {
    let node = 0
    for (let left = children[0]!; left !== 0; left = children[node]!) {
      const own = columnOf[node]![row]!
      node = own <= bins[node]! || own === alsoLeft[node] ? left : left + 1
    }
    scores[row]! += values[node]!
  }
}
