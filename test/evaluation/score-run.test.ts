import { expect, test } from 'vitest'
import { measureNamed } from '../../src/evaluation/measures.ts'
import { scoreRun } from '../../src/evaluation/score-run.ts'
import { gradesOf, inThisOrder } from './rankings.ts'

const qrels = new Map([
  ['q1', gradesOf({ a: 1 })],
  ['q2', gradesOf({ a: 1 })],
  ['q3', gradesOf({ a: 2, b: 1 })],
])
const run = new Map([
  ['q1', inThisOrder('a', 'b')],
  ['q3', inThisOrder('b', 'a')],
  ['q9', inThisOrder('a')],
])
const chosen = ['mrr', 'top1', 'kendall'].map(measureNamed)

test('a query without a ranking counts as zero, or not at all', () => {
  expect(scoreRun(run, qrels, chosen, 'countAsZero').means.top1).toEqual({ mean: 1 / 3, queries: 3 })
  expect(scoreRun(run, qrels, chosen, 'leaveOut').means.top1).toEqual({ mean: 1 / 2, queries: 2 })
})

test('a query without judgements is passed over', () => {
  expect([...scoreRun(run, qrels, chosen, 'countAsZero').queries.keys()]).toEqual(['q1', 'q2', 'q3'])
})

test('a query that a measure does not apply to stays out of its mean', () => {
  const { queries, means } = scoreRun(run, qrels, chosen, 'countAsZero')
  expect(queries.get('q1')).toEqual({ mrr: 1, top1: 1 })
  expect(means.kendall).toEqual({ mean: -1, queries: 1 })
})

test('no query at all gives a mean of zero over none', () => {
  expect(scoreRun(run, new Map(), chosen, 'countAsZero').means.mrr).toEqual({ mean: 0, queries: 0 })
})
