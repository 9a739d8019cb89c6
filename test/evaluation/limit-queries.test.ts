import { expect, test } from 'vitest'
import type { Dataset } from '../../src/evaluation/datasets/dataset.ts'
import { limitQueries } from '../../src/evaluation/datasets/adjusted.ts'
import { judged } from './small-dataset.ts'

const datasetOf = (sizes: readonly number[]): Dataset => ({
  name: 'sizes',
  origin: 'made for tests',
  headline: ['ndcg@10'],
  notes: ['first'],
  parts: sizes.map((size, part) => ({
    name: `p${part}`,
    kind: 'tool',
    cards: [],
    queries: Array.from({ length: size }, (_, at) => judged(`p${part}q${at}`, 'text', {})),
  })),
})

test.each([
  { why: 'an even share each', sizes: [100, 100], most: 10, kept: [5, 5] },
  {
    why: 'a small part whole, what it leaves to the others',
    sizes: [100, 2, 100],
    most: 12,
    kept: [5, 2, 5],
  },
  { why: 'a remainder goes to the larger part', sizes: [10, 20], most: 7, kept: [3, 4] },
  { why: 'fewer than there are parts: some get none, and stay', sizes: [5, 5, 5], most: 2, kept: [0, 1, 1] },
  { why: 'a part without queries stays', sizes: [0, 9], most: 3, kept: [0, 3] },
])('keeps $kept of $sizes: $why', ({ sizes, most, kept }) => {
  const limited = limitQueries(datasetOf(sizes), most)
  expect(limited.parts.map(({ queries }) => queries.length)).toEqual(kept)
  expect(limited.notes).toEqual(['first', expect.stringContaining(`Only ${most} of `)])
})

test('takes queries at even distances, from the first', () => {
  const { parts } = limitQueries(datasetOf([10]), 4)
  expect(parts[0]!.queries.map(({ id }) => id)).toEqual(['p0q0', 'p0q2', 'p0q5', 'p0q7'])
})

test('leaves a dataset alone that has no more', () => {
  const dataset = datasetOf([3, 4])
  expect(limitQueries(dataset, 7)).toBe(dataset)
})
