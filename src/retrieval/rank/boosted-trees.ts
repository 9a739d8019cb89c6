import { type LeafTrees, mostLeaves, type TreeScorer, treeScorer } from '../../vectors/kernels/tree-scores.ts'

/**
 * Binary trees as flat arrays, one tree after the other, a parent before its children. A node with `child` 0 is a leaf;
 * otherwise `child` is the place of its left child in these arrays, and the right child stands next to it.
 */
export type TreeNodes = {
  /** Place of each tree's root; ascending, the first is 0. */
  readonly roots: Uint32Array
  readonly child: Uint32Array
  /** Number of the feature that is asked; of no meaning in a leaf. */
  readonly feature: Uint16Array
  /** Values up to this one go left, larger ones right; of no meaning in a leaf. Finite. */
  readonly threshold: Float32Array
  /** Where a missing value goes: 0 left, 1 right. */
  readonly missingRight: Uint8Array
  /** A leaf's part in the score; in other nodes the mean over the training rows that came through. Finite. */
  readonly value: Float32Array
}

/** All that makes a model, as plain values: what is packed into bytes. */
export type TreeModel = {
  /** Names of the features, in the order of a row's columns. At least one, at most 32,767. */
  readonly features: readonly string[]
  /** Score before the first tree. */
  readonly initial: number
  readonly nodes: TreeNodes
}

/** A sum of regression trees over rows of features. NaN means that a feature is missing. */
export type BoostedTrees = {
  readonly features: readonly string[]
  readonly trees: number
  /**
   * @param rows - `count` rows of `features.length` numbers each, row after row
   * @returns one score per row, higher is better
   * @throws Error when `rows` is too short
   */
  score(rows: Float32Array, count: number): Float64Array
}

/**
 * A model that is ready to score.
 *
 * @throws Error when the nodes are not trees over the features; the message names the node
 */
export function boostedTrees({ features, initial, nodes }: TreeModel): BoostedTrees {
  checkNodes(nodes, features.length)
  const width = features.length
  const next = (node: number, row: Float32Array, from: number): number => {
    const asked = row[from + nodes.feature[node]!]!
    const isRight = Number.isNaN(asked) ? nodes.missingRight[node] === 1 : asked > nodes.threshold[node]!
    return nodes.child[node]! + Number(isRight)
  }
  let scorer: TreeScorer | undefined

  return {
    features,
    trees: nodes.roots.length,
    score(rows, count) {
      if (rows.length < count * width)
        throw new Error(
          `rows has ${rows.length} numbers, but ${count} rows of ${width} features need ${count * width}.`,
        )
      scorer ??= scorerOf({ features, initial, nodes }, next)
      return scorer(rows, count)
    },
  }
}

/** Node after node where a tree has more leaves than the quick way can tell apart. */
function scorerOf(
  model: TreeModel,
  next: (node: number, rows: Float32Array, from: number) => number,
): TreeScorer {
  const trees = leafTrees(model)
  if (trees !== null) return treeScorer(trees)
  const { features, initial, nodes } = model
  return (rows, count) =>
    Float64Array.from({ length: count }, (_, row) =>
      nodes.roots.reduce((sum, root) => {
        let node = root
        while (nodes.child[node] !== 0) node = next(node, rows, row * features.length)
        return sum + nodes.value[node]!
      }, initial),
    )
}

/** The same trees by the leaves that each split rules out; null when one has more than {@link mostLeaves}. */
function leafTrees({ features, initial, nodes }: TreeModel): LeafTrees | null {
  const { roots, child, value } = nodes
  const leaves = leavesBelow(nodes)
  if (roots.some((root) => leaves[root]! > mostLeaves)) return null
  const splits = child.reduce((count, left) => count + Number(left !== 0), 0)
  const column = new Uint32Array(splits)
  const threshold = new Float32Array(splits)
  const left = new Uint32Array(splits)
  const ends = new Uint32Array(roots.length)
  const firstLeaf = new Uint32Array(roots.length)
  const values = new Float32Array(child.length - splits)
  /** By node, how many leaves of its tree are left of it. */
  const before = new Uint8Array(child.length)
  let split = 0
  let leaf = 0
  for (let tree = 0; tree < roots.length; tree += 1) {
    firstLeaf[tree] = leaf
    const end = roots[tree + 1] ?? child.length
    for (let node = roots[tree]!; node < end; node += 1) {
      const below = child[node]!
      if (below === 0) {
        values[leaf + before[node]!] = value[node]!
        continue
      }
      before[below] = before[node]!
      before[below + 1] = before[node]! + leaves[below]!
      column[split] = nodes.feature[node]! + features.length * nodes.missingRight[node]!
      threshold[split] = nodes.threshold[node]!
      left[split] = (2 ** leaves[below]! - 1) * 2 ** before[node]!
      split += 1
    }
    leaf += leaves[roots[tree]!]!
    ends[tree] = split
  }
  return { width: features.length, initial, column, threshold, left, ends, firstLeaf, values }
}

/** By node, how many leaves it has below it; 1 for a leaf. */
function leavesBelow({ child }: TreeNodes): Uint32Array {
  const leaves = new Uint32Array(child.length)
  for (let node = child.length - 1; node >= 0; node -= 1) {
    const left = child[node]!
    leaves[node] = left === 0 ? 1 : leaves[left]! + leaves[left + 1]!
  }
  return leaves
}

function checkNodes(nodes: TreeNodes, features: number): void {
  const { roots, child, feature, threshold, missingRight, value } = nodes
  if (features < 1 || features > 0x7fff)
    throw new Error(`The model has ${features} features; 1 to 32767 are possible.`)
  if ((roots[0] ?? child.length) !== 0)
    throw new Error(`The first of ${roots.length} trees must start at node 0 of ${child.length}.`)
  // Each split takes the next two nodes that no other has taken, in whatever order: so every node has one parent.
  const isTaken = new Uint8Array(child.length)
  for (let tree = 0; tree < roots.length; tree += 1) {
    const root = roots[tree]!
    const end = roots[tree + 1] ?? child.length
    if (end <= root || end > child.length)
      throw wrongNode(tree, 0, `the tree ends at node ${end} of ${child.length}`)
    const wrong = (node: number, what: string): Error => wrongNode(tree, node - root, what)
    const children = (left: number): string => `its children ${left - root} and ${left - root + 1}`
    isTaken[root] = 1
    for (let node = root; node < end; node += 1) {
      if (isTaken[node] === 0) throw wrong(node, 'no node leads here')
      if (!Number.isFinite(value[node]!)) throw wrong(node, `the value ${value[node]} is not finite`)
      const left = child[node]!
      if (left === 0) continue
      if (left <= node || left + 1 >= end)
        throw wrong(node, `${children(left)} are not further nodes of the tree`)
      if (isTaken[left] === 1 || isTaken[left + 1] === 1)
        throw wrong(node, `${children(left)} have another parent`)
      isTaken[left] = 1
      isTaken[left + 1] = 1
      if (missingRight[node]! > 1) throw wrong(node, `missingRight is ${missingRight[node]}, not 0 or 1`)
      if (feature[node]! >= features)
        throw wrong(node, `it asks for feature ${feature[node]} of ${features}, counted from 0`)
      if (!Number.isFinite(threshold[node]!))
        throw wrong(node, `the threshold ${threshold[node]} is not finite`)
    }
  }
}

const wrongNode = (tree: number, node: number, what: string): Error =>
  new Error(`Tree ${tree}, node ${node}: ${what}.`)
