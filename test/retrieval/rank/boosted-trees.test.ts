import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boostedTrees, type TreeModel, type TreeNodes } from '../../../src/retrieval/rank/boosted-trees.ts'
import { arbitraryRow, arbitraryTree, type DrawnTree, modelOf } from '../arbitrary-trees.ts'

/** Word match first; rows without a vector (missing) go where low similarity goes. */
const drawn: DrawnTree = {
  value: 0.5,
  feature: 0,
  threshold: 2,
  missing: 'right',
  left: { value: -1 },
  right: {
    value: 1,
    feature: 1,
    threshold: 0.25,
    missing: 'left',
    left: { value: 0.75 },
    right: { value: 2 },
  },
}
const features = ['words', 'similarity']

/** Follows the drawing. */
function walk(tree: DrawnTree, row: readonly number[]): number {
  if (!('left' in tree)) return tree.value
  const value = row[tree.feature]!
  const goesRight = Number.isNaN(value) ? tree.missing === 'right' : value > tree.threshold
  return walk(goesRight ? tree.right : tree.left, row)
}

const world = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    trees: fc.array(arbitraryTree(width), { maxLength: 5 }),
    rows: fc.array(arbitraryRow(width), { maxLength: 11 }),
    initial: fc.integer({ min: -3, max: 3 }),
  }),
)
const namesOf = (width: number): string[] => Array.from({ length: width }, (_, index) => `feature ${index}`)

describe('score', () => {
  test.each([
    { why: 'a value up to the threshold goes left', row: [2, 1], expected: -1 },
    { why: 'a larger one goes right, twice', row: [2.5, 0.5], expected: 2 },
    { why: 'each step asks its own feature', row: [3, 0.25], expected: 0.75 },
    { why: 'missing words go right', row: [Number.NaN, 1], expected: 2 },
    { why: 'a missing similarity goes left', row: [9, Number.NaN], expected: 0.75 },
  ])('$why', ({ row, expected }) => {
    const model = boostedTrees(modelOf([drawn], features))
    expect(Array.from(model.score(Float32Array.from(row), 1))).toEqual([expected])
  })

  test('is the initial score and what following each drawing gives, for any number of rows', () => {
    fc.assert(
      fc.property(world, ({ width, trees, rows, initial }) => {
        const model = boostedTrees(modelOf(trees, namesOf(width), initial))
        expect(Array.from(model.score(Float32Array.from(rows.flat()), rows.length))).toEqual(
          rows.map((row) => trees.reduce((sum, tree) => sum + walk(tree, row), initial)),
        )
      }),
    )
  })

  /** As many leaves as asked for: each split cuts one off, by turns on either side. */
  const comb = (leaves: number): DrawnTree => {
    if (leaves === 1) return { value: 0.25 }
    const [one, rest] = [{ value: leaves }, comb(leaves - 1)]
    const missing = leaves % 3 === 0 ? 'right' : 'left'
    const sides = leaves % 2 === 0 ? { left: one, right: rest } : { left: rest, right: one }
    const threshold = leaves % 2 === 0 ? -leaves : leaves
    return { value: 0, feature: leaves % 2, threshold, missing, ...sides }
  }

  test.each([{ leaves: 1 }, { leaves: 31 }, { leaves: 32 }, { leaves: 33 }, { leaves: 70 }])(
    'finds each of $leaves leaves, for more rows than are scored at once',
    ({ leaves }) => {
      const trees = [drawn, comb(leaves), drawn]
      const values = [...Array.from({ length: 75 }, (_, at) => at - 0.5), Number.NaN, -80, 80]
      const rows = values.flatMap((a, at) => [
        [a, values[(7 * at) % values.length]!],
        [-a, -values[(11 * at) % values.length]!],
      ])
      const model = boostedTrees(modelOf(trees, features, 0.5))
      expect(Array.from(model.score(Float32Array.from(rows.flat()), rows.length))).toEqual(
        rows.map((row) => trees.reduce((sum, tree) => sum + walk(tree, row), 0.5)),
      )
      const reached = new Set(rows.map((row) => walk(comb(leaves), row)))
      expect(reached.size).toBeGreaterThanOrEqual(Math.min(leaves, 20))
    },
  )

  test('leaves the rows as they were', () => {
    const rows = Float32Array.of(Number.NaN, 1)
    boostedTrees(modelOf([drawn], features)).score(rows, 1)
    expect(Array.from(rows)).toEqual([Number.NaN, 1])
  })

  test('says when there are fewer numbers than rows need', () => {
    const model = boostedTrees(modelOf([drawn], features))
    expect(() => model.score(new Float32Array(5), 3)).toThrow(
      'rows has 5 numbers, but 3 rows of 2 features need 6.',
    )
  })
})

describe('nodes that are no trees are refused', () => {
  const good = modelOf([drawn, drawn], features)
  const changed = (name: keyof TreeNodes, at: number, value: number): TreeModel => {
    const array = good.nodes[name].slice()
    array[at] = value
    return { ...good, nodes: { ...good.nodes, [name]: array } }
  }
  test.each([
    {
      why: 'a child before its parent',
      model: changed('child', 2, 1),
      says: /^Tree 0, node 2: its children/,
    },
    { why: 'a child in another tree', model: changed('child', 2, 5), says: /^Tree 0, node 2: its children/ },
    {
      why: 'a child of two parents',
      model: changed('child', 1, 3),
      says: /^Tree 0, node 2: .*another parent/,
    },
    { why: 'a node without parent', model: changed('child', 7, 0), says: /^Tree 1, node 3: no node leads/ },
    {
      why: 'an unknown feature',
      model: changed('feature', 5, 2),
      says: /^Tree 1, node 0: it asks for feature 2/,
    },
    {
      why: 'a threshold of NaN',
      model: changed('threshold', 0, Number.NaN),
      says: /^Tree 0, node 0: the thr/,
    },
    { why: 'an infinite value', model: changed('value', 1, Infinity), says: /^Tree 0, node 1: the value/ },
    { why: 'a third side', model: changed('missingRight', 0, 2), says: /^Tree 0, node 0: missingRight is 2/ },
    { why: 'a first tree that starts late', model: changed('roots', 0, 1), says: /must start at node 0/ },
    {
      why: 'a tree beyond the nodes',
      model: changed('roots', 1, 99),
      says: /^Tree 0, node 0: the tree ends/,
    },
    { why: 'no features', model: { ...good, features: [] }, says: /has 0 features/ },
  ])('$why', ({ model, says }) => {
    expect(() => boostedTrees(good)).not.toThrow()
    expect(() => boostedTrees(model)).toThrow(says)
  })
})
