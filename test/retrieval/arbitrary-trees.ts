import fc from 'fast-check'
import type { TreeModel } from '../../src/retrieval/rank/boosted-trees.ts'

/** A tree as one would draw it. */
export type DrawnTree =
  | { readonly value: number }
  | {
      readonly value: number
      readonly feature: number
      readonly threshold: number
      readonly missing: 'left' | 'right'
      readonly left: DrawnTree
      readonly right: DrawnTree
    }

/** Lays drawn trees out as a model. */
export function modelOf(trees: readonly DrawnTree[], features: readonly string[], initial = 0): TreeModel {
  const roots: number[] = []
  const child: number[] = []
  const feature: number[] = []
  const threshold: number[] = []
  const missingRight: number[] = []
  const value: number[] = []
  const add = (tree: DrawnTree): number => {
    feature.push('left' in tree ? tree.feature : 0)
    threshold.push('left' in tree ? tree.threshold : 0)
    missingRight.push('left' in tree && tree.missing === 'right' ? 1 : 0)
    value.push(tree.value)
    return child.push(0) - 1
  }
  for (const tree of trees) {
    const open = [{ tree, node: add(tree) }]
    roots.push(open[0]!.node)
    for (const { tree: parent, node } of open) {
      if (!('left' in parent)) continue
      child[node] = add(parent.left)
      open.push({ tree: parent.left, node: child[node]! }, { tree: parent.right, node: add(parent.right) })
    }
  }
  const nodes = {
    roots: Uint32Array.from(roots),
    child: Uint32Array.from(child),
    feature: Uint16Array.from(feature),
    threshold: Float32Array.from(threshold),
    missingRight: Uint8Array.from(missingRight),
    value: Float32Array.from(value),
  }
  return { features, initial, nodes }
}

const small = fc.integer({ min: -6, max: 6 }).map((number) => number / 4)

/** Trees over `features` features with thresholds that rows of {@link arbitraryRow} often meet exactly. */
export const arbitraryTree = (features: number): fc.Arbitrary<DrawnTree> =>
  fc.letrec<{ tree: DrawnTree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.record({ value: small }),
      fc.record({
        value: small,
        feature: fc.nat(features - 1),
        threshold: small,
        missing: fc.constantFrom('left' as const, 'right' as const),
        left: tie('tree'),
        right: tie('tree'),
      }),
    ),
  })).tree

export const arbitraryRow = (features: number): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.oneof(small, fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)), {
    minLength: features,
    maxLength: features,
  })
