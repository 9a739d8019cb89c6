import { type BinnedTree, treeSketch } from './binned-tree.ts'
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
import { rowOrder } from './row-order.ts'

type GrowthRules = SplitRules & { readonly leaves: number; readonly depth: number }

/** A node that may still be split. Its rows stand side by side in the grower's list. */
type Leaf = {
  readonly node: number
  readonly start: number
  readonly end: number
  readonly depth: number
  readonly sums: Sums
  readonly bounds: Bounds
  /** Absent when the node will not be split; it belongs to the leaf as long as there is a split. */
  readonly histogram: Float64Array | undefined
  readonly split: Split | undefined
}

type TreeGrower = {
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
  const order = rowOrder(rowCount)
  const ordered: Derivatives = { first: new Float32Array(rowCount), second: new Float32Array(rowCount) }
  const spare: Float64Array[] = []

  const mayBeSplit = (count: number, depth: number, leaves: number): boolean =>
    count >= 2 * rules.minimumRows && depth < rules.depth && leaves < rules.leaves

  return {
    grow(rows, derivatives, features) {
      const sketch = treeSketch()
      order.begin(rows)

      const histogramOf = (own: Uint32Array): Float64Array => {
        const histogram = spare.pop()?.fill(0) ?? new Float64Array(places.at(-1)!)
        gather(own, derivatives, ordered)
        addRows(histogram, features, { columns, places, rows: own, derivatives: ordered })
        return histogram
      }
      const addLeaf = (place: Omit<Leaf, 'node' | 'split'>): Leaf => {
        const { sums, bounds, histogram } = place
        const node = sketch.addLeaf(newtonValue(sums, bounds, rules.lambdaL2), sums.rows)
        const split = histogram && findSplit({ sums, bounds, histogram }, places, features, rules)
        if (histogram !== undefined && split === undefined) spare.push(histogram)
        return { ...place, node, split }
      }
      /** Histograms of a leaf's two sides: the smaller one is counted, the other is what it leaves of the parent's. */
      const histogramsOfSides = (
        leaf: Leaf,
        histogram: Float64Array,
        middle: number,
        leaves: number,
      ): Sides => {
        const { start, end } = leaf
        const leftIsSmaller = middle - start <= end - middle
        const larger = Math.max(middle - start, end - middle)
        if (!mayBeSplit(larger, leaf.depth + 1, leaves)) {
          spare.push(histogram)
          return {}
        }
        const own = histogramOf(leftIsSmaller ? order.rows(start, middle) : order.rows(middle, end))
        subtract(histogram, own)
        return leftIsSmaller ? { left: own, right: histogram } : { left: histogram, right: own }
      }

      const open: Leaf[] = [
        addLeaf({
          start: 0,
          end: rows.length,
          depth: 0,
          sums: sumsOf(rows, derivatives),
          bounds: { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY },
          histogram: mayBeSplit(rows.length, 0, 1) ? histogramOf(order.rows(0, rows.length)) : undefined,
        }),
      ]
      for (let leaves = 2; leaves <= rules.leaves; leaves += 1) {
        const leaf = takeBest(open)
        if (leaf?.split === undefined || leaf.histogram === undefined) break
        const { split, start, end, histogram } = leaf
        const missingBin = binsPerFeature[split.feature]! - 1
        const middle = order.part(leaf, split, columns[split.feature]!, missingBin)
        const histograms = histogramsOfSides(leaf, histogram, middle, leaves)
        const bounds = boundsOfChildren(split, leaf.bounds, rules, missingBin - 1)
        const depth = leaf.depth + 1
        sketch.split(leaf.node, split)
        open.push(
          addLeaf({
            start,
            end: middle,
            depth,
            sums: split.left,
            bounds: bounds.left,
            histogram: histograms.left,
          }),
          addLeaf({
            start: middle,
            end,
            depth,
            sums: split.right,
            bounds: bounds.right,
            histogram: histograms.right,
          }),
        )
      }
      for (const { histogram, split } of open)
        if (histogram !== undefined && split !== undefined) spare.push(histogram)
      return sketch.finish()
    },
  }
}

type Sides = { readonly left?: Float64Array; readonly right?: Float64Array }

/** Takes the leaf with the largest gain out of the list, the oldest of equal ones; undefined when none can be split. */
function takeBest(open: Leaf[]): Leaf | undefined {
  let best = -1
  open.forEach(({ split }, index) => {
    if (split !== undefined && split.gain > (open[best]?.split?.gain ?? 0)) best = index
  })
  return best < 0 ? undefined : open.splice(best, 1)[0]
}

/** Writes the derivatives of some rows side by side, in the rows' order. */
function gather(rows: Uint32Array, { first, second }: Derivatives, into: Derivatives): void {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]!
    into.first[index] = first[row]!
    into.second[index] = second[row]!
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
