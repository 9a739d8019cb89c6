import type { BinnedRows } from './binning.ts'
import type { Split } from './find-split.ts'

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

/** A tree that grows. */
type TreeSketch = {
  /** @returns the new node's place */
  addLeaf(value: number, rows: number): number
  /** Gives a leaf two children: the next two leaves that are added, left and right. */
  split(node: number, split: Split): void
  /** Gives each node that was split the mean of its leaves, weighted by rows. */
  finish(): BinnedTree
}

export function treeSketch(): TreeSketch {
  const child: number[] = []
  const feature: number[] = []
  const bin: number[] = []
  const missingRight: boolean[] = []
  const value: number[] = []
  const gain: number[] = []
  const rows: number[] = []
  return {
    addLeaf(ownValue, ownRows) {
      const node = child.push(0) - 1
      feature[node] = 0
      bin[node] = 0
      missingRight[node] = false
      value[node] = ownValue
      gain[node] = 0
      rows[node] = ownRows
      return node
    },
    split(node, split) {
      child[node] = child.length
      feature[node] = split.feature
      bin[node] = split.bin
      missingRight[node] = split.missingRight
      gain[node] = split.gain
    },
    finish() {
      // Children stand after their parent: backwards, theirs are known first.
      for (let node = child.length - 1; node >= 0; node -= 1) {
        const left = child[node]!
        if (left === 0) continue
        const ofLeft = value[left]! * rows[left]!
        const ofRight = value[left + 1]! * rows[left + 1]!
        value[node] = (ofLeft + ofRight) / (rows[left]! + rows[left + 1]!)
      }
      return { child, feature, bin, missingRight, value, gain }
    },
  }
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
