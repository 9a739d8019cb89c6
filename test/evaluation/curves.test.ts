import { expect, test } from 'vitest'
import { gainByRank, popularityRegimes } from '../../src/evaluation/report/curves.ts'
import type { QueryOutcome } from '../../src/evaluation/evaluation-run.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'

const outcome = (
  id: string,
  ranking: readonly string[],
  relevant: { readonly [id: string]: number },
  measures: { readonly [measure: string]: number } = {},
): QueryOutcome => ({
  id,
  part: 'p',
  text: id,
  relevant,
  measures,
  match: 'good',
  tokens: 0,
  candidates: ranking.map((candidate, at) => ({ id: candidate, score: -at })),
})

test('the gain by rank is the mean grade there, beside that of the best order', () => {
  const found = gainByRank(
    [
      outcome('one', ['b', 'a', 'x'], { a: 3, b: 1 }),
      outcome('two', ['x'], { a: 2 }),
      outcome('nothing serves it', ['a', 'b', 'c'], {}),
    ],
    3,
  )
  // Ranking: grades 1, 3, 0 and 0, none, none; oracle: 3, 1, 0 and 2, 0, 0.
  expect(found).toEqual([
    { rank: 1, gain: 0.5, oracle: 2.5, share: 0.2 },
    { rank: 2, gain: 1.5, oracle: 0.5, share: 2 / 3 },
    { rank: 3, gain: 0, oracle: 0, share: 2 / 3 },
  ])
  expect(gainByRank([outcome('nothing serves it', ['a'], {})], 3)).toEqual([])
})

test('a query belongs to the regime of the most wanted card that serves it', () => {
  const often = (count: number, card: string, value: number) =>
    Array.from({ length: count }, (_, at) => outcome(`${card}${at}`, [], { [card]: 1 }, { 'ndcg@5': value }))
  const outcomes = [
    ...often(1, 'rare', 0.2),
    ...often(3, 'some', 0.4),
    ...often(5, 'head', 0.9),
    outcome('both', [], { head: 1, other: 1 }, { 'ndcg@5': 0.3 }),
    outcome('unmeasured', [], { rare: 1 }),
    outcome('nothing serves it', [], {}, { refusal: 1 }),
  ]
  // "rare" is wanted by two queries, one of which has no value; "head" by six.
  expect(popularityRegimes(outcomes, 'ndcg@5')).toEqual([
    { least: 2, most: 3, estimate: bootstrapMean([0.2, 0.4, 0.4, 0.4]) },
    { least: 6, most: 6, estimate: bootstrapMean([0.9, 0.9, 0.9, 0.9, 0.9, 0.3]) },
  ])
})
