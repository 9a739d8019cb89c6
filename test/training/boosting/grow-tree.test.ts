import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addTree, type BinnedTree } from '../../../embeddings/trainer/src/boosting/binned-tree.ts'
import type { BinnedRows } from '../../../embeddings/trainer/src/boosting/binning.ts'
import { treeGrower } from '../../../embeddings/trainer/src/boosting/grow-tree.ts'

const bins = 4 // value bins; 4 is the bin of missing values
const lambdaL2 = 0.5

const world = fc
  .record({ width: fc.integer({ min: 1, max: 3 }), rows: fc.integer({ min: 1, max: 40 }) })
  .chain(({ width, rows }) =>
    fc.record({
      columns: fc.array(fc.uint8Array({ minLength: rows, maxLength: rows, max: bins }), {
        minLength: width,
        maxLength: width,
      }),
      first: fc.array(fc.integer({ min: -8, max: 8 }), { minLength: rows, maxLength: rows }),
      second: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: rows, maxLength: rows }),
      minimumRows: fc.integer({ min: 1, max: 4 }),
      leaves: fc.integer({ min: 2, max: 9 }),
      depth: fc.integer({ min: 1, max: 5 }),
    }),
  )
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

function grown(own: World): { tree: BinnedTree; binned: BinnedRows; rows: Uint32Array } {
  const binned = { rows: own.first.length, columns: own.columns }
  const perFeature = own.columns.map(() => bins + 1)
  const monotone = own.columns.map(() => 0 as const)
  const rules = { ...own, lambdaL2, monotone }
  const rows = Uint32Array.from(own.first, (_, row) => row)
  const derivatives = { first: Float32Array.from(own.first), second: Float32Array.from(own.second) }
  const grower = treeGrower(binned, perFeature, rules)
  grower.grow(rows, derivatives, Array.from(own.columns.keys())) // what it leaves behind must not matter
  return { tree: grower.grow(rows, derivatives, Array.from(own.columns.keys())), binned, rows }
}

/** The gain of the best split of some rows, by trying each on the rows themselves; 0 when there is none. */
function bestGain(own: World, rows: readonly number[]): number {
  const strength = (some: readonly number[]): number =>
    some.reduce((sum, row) => sum + own.first[row]!, 0) ** 2 /
    (some.reduce((sum, row) => sum + own.second[row]!, 0) + lambdaL2)
  let best = 0
  for (const column of own.columns)
    for (let bin = 0; bin < bins; bin += 1)
      for (const missing of ['left', 'right']) {
        const goesLeft = (row: number): boolean =>
          column[row] === bins ? missing === 'left' : column[row]! <= bin
        const left = rows.filter(goesLeft)
        const right = rows.filter((row) => !goesLeft(row))
        if (Math.min(left.length, right.length) < own.minimumRows) continue
        best = Math.max(best, strength(left) + strength(right) - strength(rows))
      }
  return best
}

/** Rows that come to each node. */
function rowsByNode(tree: BinnedTree, { columns }: BinnedRows, rows: Uint32Array): number[][] {
  const found: number[][] = tree.child.map(() => [])
  for (const row of rows) {
    let node = 0
    found[0]!.push(row)
    while (tree.child[node] !== 0) {
      const bin = columns[tree.feature[node]!]![row]!
      const goesLeft = bin === bins ? !tree.missingRight[node] : bin <= tree.bin[node]!
      node = tree.child[node]! + (goesLeft ? 0 : 1)
      found[node]!.push(row)
    }
  }
  return found
}

describe('a tree over bins', () => {
  test('splits every node as well as trying all splits does, and no leaf that it may still split', () => {
    fc.assert(
      fc.property(world, (own) => {
        const { tree, binned, rows } = grown(own)
        const inNode = rowsByNode(tree, binned, rows)
        const depth = tree.child.map(() => 0)
        tree.child.forEach((left, node) => {
          if (left === 0) return
          depth[left] = depth[left + 1] = depth[node]! + 1
          expect(tree.gain[node]).toBeCloseTo(bestGain(own, inNode[node]!), 6)
          for (const child of [left, left + 1])
            expect(inNode[child]!.length).toBeGreaterThanOrEqual(own.minimumRows)
        })
        const leaves = tree.child.filter((left) => left === 0).length
        expect(leaves).toBeLessThanOrEqual(own.leaves)
        expect(Math.max(...depth)).toBeLessThanOrEqual(own.depth)
        if (leaves === own.leaves) return
        tree.child.forEach((left, node) => {
          if (left === 0 && depth[node]! < own.depth) expect(bestGain(own, inNode[node]!)).toBeLessThan(1e-6)
        })
      }),
    )
  })

  test('gives leaves the Newton step and other nodes the mean of their rows', () => {
    fc.assert(
      fc.property(world, (own) => {
        const { tree, binned, rows } = grown(own)
        const inNode = rowsByNode(tree, binned, rows)
        const scores = new Float64Array(rows.length)
        addTree(scores, binned, tree, Array<number>(own.columns.length).fill(bins))
        inNode.forEach((some, node) => {
          const sum = (of: readonly number[]) => some.reduce((total, row) => total + of[row]!, 0)
          if (tree.child[node] === 0)
            expect(tree.value[node]).toBeCloseTo(-sum(own.first) / (sum(own.second) + lambdaL2), 9)
          const mean = some.reduce((total, row) => total + scores[row]!, 0) / some.length
          expect(tree.value[node]).toBeCloseTo(mean, 9)
        })
      }),
    )
  })

  test('grows the leaf with the largest gain first', () => {
    fc.assert(
      fc.property(world, (own) => {
        const { tree } = grown(own)
        const fewer = grown({ ...own, leaves: 2 }).tree
        expect(tree.gain[0]).toBe(fewer.gain[0])
        // Of two children that are split, the one split earlier (its children stand earlier) gains at least as much.
        tree.child.forEach((left) => {
          if (left === 0 || tree.child[left] === 0 || tree.child[left + 1] === 0) return
          const [earlier, later] =
            tree.child[left]! < tree.child[left + 1]! ? [left, left + 1] : [left + 1, left]
          expect(tree.gain[earlier]!).toBeGreaterThanOrEqual(tree.gain[later]!)
        })
      }),
    )
  })
})
