import { expect, test } from 'vitest'
import type { ProbedCandidates } from '../../../src/evaluation/datasets/dataset.ts'
import { gainOf, probeTerciles } from '../../../src/evaluation/reranking/probed-record.ts'
import type { QueryOutcome } from '../../../src/evaluation/evaluation-run.ts'

const outcomes = (values: readonly (number | undefined)[]): readonly QueryOutcome[] =>
  values.map((value, at) => ({
    id: `q${at}`,
    part: 'p',
    text: '',
    candidates: [],
    relevant: {},
    match: 'good',
    tokens: 0,
    measures: value === undefined ? {} : { 'ndcg@5': value },
  }))

test('a win rate is the share of the measured queries that rise', () => {
  const found = gainOf(
    {
      without: outcomes([0.5, 0.5, 0.5, 0.5, undefined]),
      with: outcomes([0.75, 1, 0.25, 0.5, 1]),
    },
    'ndcg@5',
  )
  // Differences 1/4, 1/2, -1/4, 0: of 8 sign patterns 6 have a sum as far from 0 as 1/2.
  expect(found).toMatchObject({ won: 2, lost: 1, equal: 1, winRate: 0.5, p: 6 / 8 })
  expect(found.difference).toMatchObject({ mean: 0.125, queries: 4 })
})

const runsOf = (query: string, ...grades: readonly (1 | 2 | 3 | 4 | 5)[]) =>
  grades.map((grade, at) => ({ query, text: query, card: `a/${at}`, cardHash: 'x', grade }))
const probed = (...runs: readonly ReturnType<typeof runsOf>[]): ProbedCandidates => ({
  pairs: new Map(),
  runs: runs.flat(),
  hiddenFrom: () => new Set(),
})

test('each tercile of variance makes a record of its own, from low to high', async () => {
  // Variances: 0, 0, 1/4, 1, 4, 4.
  const all = probed(
    runsOf('all fail', 1, 1),
    runsOf('all win', 5, 5),
    runsOf('little', 4, 5),
    runsOf('more', 3, 5),
    runsOf('much', 1, 5),
    runsOf('as much', 5, 1),
    runsOf('one alone', 5),
  )
  let rankings = 0
  const found = await probeTerciles(all, 'ndcg@5', async () => {
    rankings += 1
    return { without: outcomes([0.5, 0.5]), with: outcomes([0.5, rankings === 3 ? 1 : 0.4]) }
  })
  expect(found).toMatchObject([
    { tercile: 'low', probes: 2, runs: 4, winRate: 0, lost: 1 },
    { tercile: 'medium', probes: 2, runs: 4, winRate: 0, lost: 1 },
    { tercile: 'high', probes: 2, runs: 4, winRate: 0.5, lost: 0 },
  ])
  expect(rankings).toBe(3)
})

test('two probes make no terciles', async () => {
  const few = probed(runsOf('a', 1, 5), runsOf('b', 2, 5))
  expect(await probeTerciles(few, 'ndcg@5', async () => ({ without: [], with: [] }))).toEqual([])
})
