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
  /** Number of trees. */
  readonly trees: number
  /** The score of a row of which nothing is known: the mean over the training rows. */
  readonly base: number
  /**
   * @param rows - `count` rows of `features.length` numbers each, row after row
   * @returns one score per row, higher is better
   * @throws Error when `rows` is too short
   */
  score(rows: Float32Array, count: number): Float64Array
  /**
   * What each feature adds to the score of one row: along the row's way down a tree, each step's change of the nodes'
   * mean value goes to the feature that was asked there. With {@link base} they sum to the score.
   *
   * @param row - `features.length` numbers
   * @see Saabas, "Interpreting random forests", 2014
   */
  contributions(row: Float32Array): Float64Array
}

/**
 * A model that is ready to score. Each row is copied twice, once with missing values as -Infinity and once as +Infinity,
 * so that a node picks where they go by the column it reads. Leaves lead to themselves: all rows take as many steps as
 * the tree is deep, and no branch depends on the data.
 *
 * @throws Error when the nodes are not trees over the features; the message names the node
 */
export function boostedTrees({ features, initial, nodes }: TreeModel): BoostedTrees {
  checkNodes(nodes, features.length)
  const width = features.length
  const { roots, value } = nodes
  const depths = depthsOf(nodes)
  const count = nodes.child.length
  const isLeaf = (node: number): boolean => nodes.child[node] === 0
  const next = new Int32Array(count)
  const column = new Int32Array(count)
  const threshold = new Float32Array(count)
  for (let node = 0; node < count; node += 1) {
    next[node] = isLeaf(node) ? node : nodes.child[node]!
    column[node] = isLeaf(node) ? 0 : nodes.feature[node]! + width * nodes.missingRight[node]!
    threshold[node] = isLeaf(node) ? Number.POSITIVE_INFINITY : nodes.threshold[node]!
  }

  const score = (rows: Float32Array, rowCount: number): Float64Array => {
    const scores = new Float64Array(rowCount).fill(initial)
    const known = withoutMissing(rows, rowCount, width)
    const stride = 2 * width
    for (let tree = 0; tree < roots.length; tree += 1) {
      const root = roots[tree]!
      const depth = depths[tree]!
      // Four rows at once: one alone would wait for each step's look-ups before the next step starts.
      let row = 0
      let a = 0
      for (; row + 3 < rowCount; row += 4, a += 4 * stride) {
        const b = a + stride
        const c = b + stride
        const d = c + stride
        let nodeA = root
        let nodeB = root
        let nodeC = root
        let nodeD = root
        for (let step = 0; step < depth; step += 1) {
          nodeA = next[nodeA]! + Number(known[a + column[nodeA]!]! > threshold[nodeA]!)
          nodeB = next[nodeB]! + Number(known[b + column[nodeB]!]! > threshold[nodeB]!)
          nodeC = next[nodeC]! + Number(known[c + column[nodeC]!]! > threshold[nodeC]!)
          nodeD = next[nodeD]! + Number(known[d + column[nodeD]!]! > threshold[nodeD]!)
        }
        scores[row]! += value[nodeA]!
        scores[row + 1]! += value[nodeB]!
        scores[row + 2]! += value[nodeC]!
        scores[row + 3]! += value[nodeD]!
      }
      for (; row < rowCount; row += 1, a += stride) {
        let node = root
        for (let step = 0; step < depth; step += 1)
          node = next[node]! + Number(known[a + column[node]!]! > threshold[node]!)
        scores[row]! += value[node]!
      }
    }
    return scores
  }

  const contributions = (row: Float32Array): Float64Array => {
    const parts = new Float64Array(width)
    const known = withoutMissing(row, 1, width)
    for (const root of roots) {
      for (let node = root; !isLeaf(node); ) {
        const chosen = next[node]! + Number(known[column[node]!]! > threshold[node]!)
        parts[nodes.feature[node]!]! += value[chosen]! - value[node]!
        node = chosen
      }
    }
    return parts
  }

  const base = roots.reduce((sum, root) => sum + value[root]!, initial)
  return { features, trees: roots.length, base, score, contributions }
}

/** Per row `width` numbers with NaN as -Infinity, then the same with NaN as +Infinity. */
function withoutMissing(rows: Float32Array, count: number, width: number): Float32Array {
  if (rows.length < count * width)
    throw new Error(
      `rows has ${rows.length} numbers, but ${count} rows of ${width} features need ${count * width}.`,
    )
  const known = new Float32Array(2 * count * width)
  for (let row = 0, from = 0, to = 0; row < count; row += 1, to += width) {
    for (let feature = 0; feature < width; feature += 1, from += 1, to += 1) {
      const value = rows[from]!
      const isMissing = Number.isNaN(value)
      known[to] = isMissing ? Number.NEGATIVE_INFINITY : value
      known[to + width] = isMissing ? Number.POSITIVE_INFINITY : value
    }
  }
  return known
}

/** Steps from each root to its deepest leaf. */
function depthsOf({ roots, child }: TreeNodes): Uint32Array {
  const depthOfNode = new Uint32Array(child.length)
  return roots.map((root, tree) => {
    const end = roots[tree + 1] ?? child.length
    let deepest = 0
    for (let node = root; node < end; node += 1) {
      const left = child[node]!
      if (left === 0) continue
      const depth = depthOfNode[node]! + 1
      depthOfNode[left] = depth
      depthOfNode[left + 1] = depth
      if (depth > deepest) deepest = depth
    }
    return deepest
  })
}

function checkNodes(nodes: TreeNodes, features: number): void {
  const { roots, child, feature, threshold, missingRight, value } = nodes
  if (features < 1 || features > 0x7fff)
    throw new Error(`The model has ${features} features; 1 to 32767 are possible.`)
  if ((roots[0] ?? child.length) !== 0)
    throw new Error(`The first of ${roots.length} trees must start at node 0 of ${child.length}.`)
  for (let tree = 0; tree < roots.length; tree += 1) {
    const root = roots[tree]!
    const end = roots[tree + 1] ?? child.length
    const complain = (node: number, what: string): never => {
      throw new Error(`Tree ${tree}, node ${node - root}: ${what}.`)
    }
    if (end <= root || end > child.length) complain(root, `the tree ends at node ${end} of ${child.length}`)
    // Each split takes the next two nodes that no other has taken, in whatever order: so every node has one parent.
    const isTaken = new Uint8Array(end - root)
    isTaken[0] = 1
    for (let node = root; node < end; node += 1) {
      if (isTaken[node - root] === 0) complain(node, 'no node leads here')
      if (!Number.isFinite(value[node]!)) complain(node, `the value ${value[node]} is not finite`)
      const left = child[node]!
      if (left === 0) continue
      if (left <= node || left + 1 >= end)
        complain(node, `its children ${left - root} and ${left - root + 1} are not further nodes of the tree`)
      if (isTaken[left - root] === 1 || isTaken[left - root + 1] === 1)
        complain(node, `its children ${left - root} and ${left - root + 1} have another parent`)
      isTaken[left - root] = 1
      isTaken[left - root + 1] = 1
      if (missingRight[node]! > 1) complain(node, `missingRight is ${missingRight[node]}, not 0 or 1`)
      if (feature[node]! >= features)
        complain(node, `it asks for feature ${feature[node]} of ${features}, counted from 0`)
      if (!Number.isFinite(threshold[node]!)) complain(node, `the threshold ${threshold[node]} is not finite`)
    }
  }
}
