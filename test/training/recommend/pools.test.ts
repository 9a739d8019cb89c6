import { expect, test } from 'vitest'
import { poolsOf, rankedPool } from '../../../embeddings/trainer/src/recommend/evaluate/pools.ts'
import type { Recommendations } from '../../../embeddings/trainer/src/recommend/recommendations.ts'
import { agentOf } from './tiny-recommendations.ts'

const agents = Array.from({ length: 1500 }, (_, at) => agentOf(`agent-${at}`, [`tool_${at}`]))
const queries = Array.from({ length: 200 }, (_, at) => ({
  id: `q${at}`,
  part: 'PartII',
  text: `${at}`,
  positives: [at, at + 1],
}))
const recommendations: Recommendations = { agents, queries }

test('a pool has what serves and others, a thousand in all, the same each time', () => {
  const pool = poolsOf(recommendations, '1')(queries[0]!)
  expect(new Set(pool).size).toBe(1000)
  expect(pool).toEqual(expect.arrayContaining([0, 1]))
  expect(poolsOf(recommendations, '1')(queries[0]!)).toEqual(pool)
  expect(poolsOf(recommendations, '2')(queries[0]!)).not.toEqual(pool)
})

test('what serves but was learned from is no wrong answer', () => {
  const pool = poolsOf(recommendations, '1')({ ...queries[0]!, positives: [0] })
  expect(pool).toContain(0)
  expect(pool).not.toContain(1)
})

test('who says the same of all gains nothing by it', () => {
  const poolOf = poolsOf(recommendations, '1')
  const places = queries.map((query) => {
    const ranking = rankedPool(recommendations, poolOf(query), new Float32Array(1000))
    return ranking.findIndex(({ id }) => id === agents[query.positives[0]!]!.id)
  })
  const mean = places.reduce((sum, place) => sum + place, 0) / places.length
  expect(mean).toBeGreaterThan(400)
  expect(mean).toBeLessThan(600)
})
