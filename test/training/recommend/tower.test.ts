import { describe, expect, test } from 'vitest'
import { sparseRows } from '../../../embeddings/trainer/src/recommend/features/sparse-rows.ts'
import { openContrast } from '../../../embeddings/trainer/src/recommend/tower/contrast.ts'
import { openMatrices } from '../../../embeddings/trainer/src/recommend/tower/matrices.ts'
import { openTower, type TowerShape } from '../../../embeddings/trainer/src/recommend/tower/tower.ts'
import { towerScorer, trainTwoTower } from '../../../embeddings/trainer/src/recommend/tower/two-tower.ts'
import { mulberry32 } from '../../../src/domain/random.ts'
import { expectGradients } from './gradients.ts'
import { agentOf } from './tiny-recommendations.ts'

const [width, batch] = [8, 8]

/** Both towers on eight random rows, and the loss with all gradients of a batch. */
function tiny(depth: TowerShape['depth']) {
  const random = mulberry32(5)
  const numbers = (count: number) => Float32Array.from({ length: count }, () => random() - 0.5)
  const rows = (columns: number) =>
    sparseRows(
      Array.from({ length: batch }, (_, row) =>
        [0, 3].map((more) => [(row + more) % columns, 0.2 + random()] as const),
      ),
      columns,
    )
  const matrices = openMatrices(10_000, 8)
  const side = (ids: boolean) =>
    openTower(
      matrices,
      { depth, width, batch },
      {
        content: rows(6),
        ids: ids ? rows(5) : null,
        start: { content: numbers(6 * width), dense: [numbers(width * width), numbers(width * width)] },
      },
    )
  const [query, agent] = [side(false), side(true)]
  agent.parameters.ids!.values.set(numbers(5 * width))
  const contrast = openContrast(matrices, { batch, width, temperature: 0.5 })
  const items = Array.from({ length: batch }, (_, at) => at)
  const serves = (row: number, column: number): boolean => row === column || (row === 1 && column === 4)
  const loss = (): number => contrast.loss(query.forward(items), agent.forward(items), serves)
  const back = (): void => {
    loss()
    query.backward(items, contrast.byQueries)
    agent.backward(items, contrast.byAgents)
  }
  return { query, agent, loss, back }
}

describe.each(['linear', 'mlp'] as const)('a %s tower', (depth) => {
  test('has the gradients that differences of its loss show', () => {
    const { query, agent, loss, back } = tiny(depth)
    back()
    for (const [side, tower] of Object.entries({ query, agent }))
      expectGradients(tower.parameters, { loss, side })
  })
})

test('what else serves a query does not push it away', () => {
  const matrices = openMatrices(4000, 8)
  const contrast = openContrast(matrices, { batch, width, temperature: 1 })
  const units = () => {
    const matrix = matrices.take(batch, width)
    for (let row = 0; row < batch; row += 1) matrix.values[row * width + row] = 1
    return matrix
  }
  // Each query is like its own agent alone: a softmax over 1 and seven zeros.
  const expected = Math.log((Math.E + 7) / Math.E)
  expect(contrast.loss(units(), units(), (row, column) => row === column)).toBeCloseTo(expected, 5)
  expect(contrast.loss(units(), units(), () => true)).toBeCloseTo(0, 5)
})

test('a tower learns words that agents do not hold, and a model by its name', async () => {
  const objects = ['invoice', 'picture', 'meeting', 'song', 'car', 'house']
  const asked = ['bill', 'image', 'appointment', 'tune', 'automobile', 'dwelling']
  const agents = [
    ...objects.map((name) => agentOf(name, [`find_${name}`])),
    agentOf('large', [], 'large-model'),
  ]
  const queries = [...asked, 'riddle'].flatMap((word, place) =>
    ['my', 'the', 'one more', 'some'].map((start) => ({
      id: `${start} ${word}`,
      part: 'PartII',
      text: `${start} ${word}`,
      positives: [place],
    })),
  )
  const tower = await trainTwoTower(agents, queries, {
    settings: { width: 16, batch: 8, epochs: 30, learningRate: 0.02 },
  })
  const texts = ['where is this tune', 'a dwelling', 'that riddle']
  const scores = towerScorer(tower, agents, texts)
  const best = (text: string): string => {
    const own = scores(text, [...agents.keys()])
    return agents[own.indexOf(Math.max(...own))]!.id
  }
  expect(texts.map(best)).toEqual(['song', 'house', 'large'])
})

test('a tower that sees ids alone learns them', async () => {
  const agents = ['a', 'b', 'c'].map((id) => agentOf(id, [`tool_${id}`]))
  const queries = ['red', 'green', 'blue'].map((text, place) => ({
    id: text,
    part: 'PartII',
    text,
    positives: [place],
  }))
  const settings = { width: 8, batch: 8, epochs: 60, learningRate: 0.05 }
  const tower = await trainTwoTower(agents, queries, { settings, seen: ['tool id'] })
  const scores = towerScorer(tower, agents, ['green'])('green', [0, 1, 2])
  expect(scores.indexOf(Math.max(...scores))).toBe(1)
})
