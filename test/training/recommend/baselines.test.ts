import { describe, expect, test } from 'vitest'
import { trainFactors } from '../../../embeddings/trainer/src/recommend/baselines/factors.ts'
import { bagOf, dot } from '../../../embeddings/trainer/src/recommend/baselines/bpr.ts'
import { trainGraph } from '../../../embeddings/trainer/src/recommend/baselines/graph.ts'
import { nearestQueries } from '../../../embeddings/trainer/src/recommend/baselines/nearest-queries.ts'
import { sparseRows } from '../../../embeddings/trainer/src/recommend/features/sparse-rows.ts'
import { twoCircles as positives } from './tiny-recommendations.ts'

const ids = (count: number) =>
  sparseRows(
    Array.from({ length: count }, (_, at) => [[at, 1] as const]),
    count,
  )

test('a query that was never seen stands for those next to it, by their cosines', () => {
  const near = nearestQueries([
    'find a flight to Rome',
    'book a hotel in Rome',
    'play some music',
    'find a song',
  ])
  const row = near('a flight to Rome')
  expect(row[0]![0]).toBe(0)
  expect(row.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1)
  expect(row.length).toBeLessThanOrEqual(3)
  expect(near('nothing alike')).toEqual([])
})

test('factors put what was seen before what was not', async () => {
  const [queries, agents] = [ids(6), ids(6)]
  const { width, query, agent } = await trainFactors(queries, agents, { positives, epochs: 200 })
  const score = (a: number, b: number) => dot(bagOf(query, queries, a, width), bagOf(agent, agents, b, width))
  expect(Math.min(score(0, 0), score(0, 1), score(0, 2))).toBeGreaterThan(
    Math.max(score(0, 3), score(0, 4), score(0, 5)),
  )
})

describe.each(['lightgcn', 'simgcl'] as const)('%s', (kind) => {
  test('finds by its neighbours an agent that a task was never served by', async () => {
    const { width, queries, agents } = await trainGraph(
      { positives, agents: 6, features: ids(12) },
      { kind, epochs: 200 },
    )
    const score = (task: number, agent: number) =>
      dot(
        queries.subarray(task * width, (task + 1) * width),
        agents.subarray(agent * width, (agent + 1) * width),
      )
    for (const other of [3, 4, 5]) expect(score(2, 2)).toBeGreaterThan(score(2, other))
    for (const other of [0, 1, 2]) expect(score(5, 3)).toBeGreaterThan(score(5, other))
  })
})
