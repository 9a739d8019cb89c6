import { describe, expect, test } from 'vitest'
import { openBiInteraction } from '../../../embeddings/trainer/src/recommend/baselines/bi-interaction.ts'
import { openDnn, trainDnn } from '../../../embeddings/trainer/src/recommend/baselines/dnn.ts'
import { normalisedEdges, turned } from '../../../embeddings/trainer/src/recommend/baselines/edges.ts'
import { tripleGradient, type Triple } from '../../../embeddings/trainer/src/recommend/baselines/bpr.ts'
import { openRelations, type Fact } from '../../../embeddings/trainer/src/recommend/baselines/relations.ts'
import { trainInteraction } from '../../../embeddings/trainer/src/recommend/baselines/train-interaction.ts'
import { sparseRows } from '../../../embeddings/trainer/src/recommend/features/sparse-rows.ts'
import { openDecoder } from '../../../embeddings/trainer/src/recommend/generative/decoder.ts'
import { trainOneRec } from '../../../embeddings/trainer/src/recommend/generative/one-rec.ts'
import { semanticIds } from '../../../embeddings/trainer/src/recommend/generative/residual-codes.ts'
import { openMatrices } from '../../../embeddings/trainer/src/recommend/tower/matrices.ts'
import { mulberry32 } from '../../../src/domain/random.ts'
import { expectGradients } from './gradients.ts'
import { twoCircles as positives } from './tiny-recommendations.ts'

const rowsOf = (rows: readonly (readonly number[])[], width: number) =>
  sparseRows(
    rows.map((columns) => columns.map((column, at) => [column, 1 / (1 + at)] as const)),
    width,
  )
const numbers = (count: number, seed: number) => {
  const random = mulberry32(seed)
  return Float32Array.from({ length: count }, () => random() - 0.5)
}
const named = <T>(list: readonly T[]): { readonly [name: string]: T } =>
  Object.fromEntries(list.map((one, at) => [`parameter ${at}`, one]))

const ids = (count: number) =>
  rowsOf(
    Array.from({ length: count }, (_, at) => [at]),
    count,
  )

describe('the network over pairs', () => {
  const input = {
    queries: rowsOf([[0, 1], [1, 2], [3], [0, 3]], 4),
    content: rowsOf([[0, 4], [1], [2, 3], [4]], 5),
    models: rowsOf([[0], [1], [], [0]], 2),
    tools: rowsOf([[0, 1], [1], [2], []], 3),
  }

  test('has the gradients that differences of its loss show', () => {
    const network = openDnn(
      openMatrices(20_000, 64),
      { text: 8, ids: 8, hidden: 8, rows: 8 },
      { input, random: mulberry32(1) },
    )
    const [asked, agents] = [
      [0, 1, 2, 3, 1],
      [0, 1, 2, 3, 0],
    ]
    const by = [0.7, -0.4, 0.9, -0.8, 0.3]
    const loss = () => network.forward(asked, agents).reduce((sum, score, at) => sum + score * by[at]!, 0)
    loss()
    network.backward(asked, agents, by)
    expectGradients(network.parameters, { loss, step: 2e-3 })
  })

  test('learns which words of a request mean which agent, the same each time', async () => {
    const words = rowsOf(
      Array.from({ length: 16 }, (_, at) => [at % 4, 4 + (at % 3)]),
      7,
    )
    const agents = ids(4)
    const none = rowsOf([[], [], [], []], 1)
    const losses: number[] = []
    const train = () =>
      trainDnn(
        { queries: words, content: agents, models: none, tools: none },
        {
          positives: Array.from({ length: 12 }, (_, at) => [at % 4]),
          epochs: 300,
          shape: { text: 16, ids: 8, hidden: 16, rows: 24 },
          onStep: (loss) => losses.push(loss),
        },
      )
    const score = await train()
    for (const query of [12, 13, 14, 15]) {
      const scores = score(query, [0, 1, 2, 3])
      expect(scores.indexOf(Math.max(...scores))).toBe(query % 4)
    }
    expect(losses.at(-1)!).toBeLessThan(0.5 * losses[0]!)
    expect((await train())(12, [0, 1, 2, 3])).toEqual(score(12, [0, 1, 2, 3]))
  })
})

describe('layers of sums and products', () => {
  test('have the gradients that differences of their loss show', () => {
    const [nodes, width] = [16, 8]
    const model = openBiInteraction(openMatrices(20_000, 24), { nodes, width, layers: 2 }, mulberry32(3))
    const edges = normalisedEdges({ positives, agents: 6 })
    const skewed = { ...edges, weights: edges.weights.map((weight, at) => weight * (1 + (at % 3))) }
    const values = numbers(nodes * width, 13).map((value) => 3 * value)
    const triples: readonly Triple[] = [
      [0, 1, 4],
      [2, 0, 3],
      [4, 5, 2],
    ]
    const lossOf = () =>
      tripleGradient(model.forward(values, skewed), { triples, queries: 6, width: model.wide })
    const gradients = model.backward(lossOf().gradient, turned(skewed))
    const loss = () => lossOf().loss
    expectGradients({ start: { values, gradients }, ...named(model.parameters) }, { loss, step: 1e-3 })
  })
})

describe('relations', () => {
  const open = () =>
    openRelations(
      openMatrices(10_000, 16),
      {
        nodes: 8,
        width: 8,
        relations: [
          { heads: [0, 0, 1], tails: [2, 3, 2] },
          { heads: [2, 3, 2], tails: [0, 0, 1] },
        ],
      },
      mulberry32(4),
    )

  test('have the gradients that differences of their loss show', () => {
    const relations = open()
    const values = numbers(64, 5)
    const facts: readonly Fact[] = [
      [0, 0, 2, 5],
      [1, 2, 1, 4],
    ]
    const { gradient: gradients } = relations.learn(values, facts)
    const kept = relations.parameters.map((one) => ({
      values: one.values,
      gradients: Float32Array.from(one.gradients),
    }))
    const loss = () => relations.learn(values, facts).loss
    expectGradients({ start: { values, gradients }, ...named(kept) }, { loss })
  })

  test('share the ear of a node among all that it has', () => {
    const { to, weights } = open().attention(numbers(64, 5))
    const heard = new Map<number, number>()
    for (const [edge, head] of to.entries()) heard.set(head, (heard.get(head) ?? 0) + weights[edge]!)
    expect([...heard.keys()].sort()).toEqual([0, 1, 2, 3])
    for (const sum of heard.values()) expect(sum).toBeCloseTo(1)
  })
})

describe.each(['ngcf', 'kgat'] as const)('%s', (kind) => {
  /** To KGAT, the agents of a circle share a tool. */
  const heads = [6, 7, 8, 9, 10, 11]
  const tails = [12, 12, 12, 13, 13, 13]
  const served = positives.flatMap((own, query) => own.map((agent) => [query, 6 + agent] as const))
  const [asked, serving] = [served.map(([query]) => query), served.map(([, agent]) => agent)]
  const relations = [
    { heads: asked, tails: serving },
    { heads: serving, tails: asked },
    { heads, tails },
    { heads: tails, tails: heads },
  ]
  const train = (onStep?: (loss: number) => void) =>
    trainInteraction(
      { positives, agents: 6, features: ids(kind === 'kgat' ? 14 : 12) },
      { ...(kind === 'kgat' ? { relations } : {}), epochs: 40, ...(onStep ? { onStep } : {}) },
    )

  test('finds by its neighbours an agent that a task was never served by, the same each time', async () => {
    const losses: number[] = []
    const { width, queries, agents } = await train((loss) => losses.push(loss))
    expect(losses.at(-1)!).toBeLessThan(0.5 * losses[0]!)
    const score = (task: number, agent: number) => {
      let sum = 0
      for (let d = 0; d < width; d += 1) sum += queries[task * width + d]! * agents[agent * width + d]!
      return sum
    }
    for (const other of [3, 4, 5]) expect(score(2, 2)).toBeGreaterThan(score(2, other))
    for (const other of [0, 1, 2]) expect(score(5, 3)).toBeGreaterThan(score(5, other))
    expect((await train()).agents).toEqual(agents)
  })
})

describe('semantic ids', () => {
  test('name what is near alike at first, and nothing the same', () => {
    const matrices = openMatrices(2000, 8)
    const vectors = matrices.take(24, 8)
    for (let row = 0; row < 24; row += 1) {
      vectors.values[row * 8 + (row % 3)] = 10
      vectors.values[row * 8 + 4] = row < 21 ? row % 7 : 0
    }
    const { codes, sizes } = semanticIds(matrices, vectors, { count: 24, levels: 2, size: 8 })
    expect(sizes.length).toBe(3)
    expect(new Set(codes.map((code) => code.join(' '))).size).toBe(24)
    for (const code of codes) expect(code.every((one, level) => one < sizes[level]!)).toBe(true)
    const firstOf = [0, 1, 2].map(
      (kind) => new Set(codes.flatMap((code, row) => (row % 3 === kind ? [code[0]!] : []))),
    )
    for (const [kind, own] of firstOf.entries())
      for (const code of own) expect(firstOf[(kind + 1) % 3]!.has(code)).toBe(false)
  })
})

describe('the decoder of codes', () => {
  test('has the gradients that differences of its loss show', () => {
    const queries = rowsOf([[0, 1], [1, 2], [3], [0, 3], [2], [1], [0], [2, 3]], 4)
    const decoder = openDecoder(
      openMatrices(40_000, 64),
      { wide: 8, hidden: 8, sizes: [8, 8, 8], rows: 8 },
      { queries, random: mulberry32(6) },
    )
    const asked = [0, 1, 2, 3, 4, 5, 6, 7]
    const codes = asked.map((at) => [at, (3 * at) % 8, (at + 1) % 4])
    decoder.learn(asked, codes)
    const kept = decoder.parameters.map(({ values, gradients }) => ({
      values,
      gradients: Float32Array.from(gradients),
    }))
    expectGradients(named(kept), { loss: () => decoder.learn(asked, codes), step: 2e-3 })
  })

  test('spells what serves a request, the same each time', async () => {
    const agents = 12
    const train = (losses: number[]) =>
      trainOneRec(
        {
          queries: rowsOf(
            Array.from({ length: 72 }, (_, at) => [at % 12, 12 + (at % 5)]),
            17,
          ),
          vectors: numbers(agents * 8, 9),
          agents,
        },
        {
          positives: Array.from({ length: 60 }, (_, at) => [at % 12]),
          epochs: 400,
          shape: { wide: 32, hidden: 16, size: 8 },
          onStep: (loss) => losses.push(loss),
        },
      )
    const losses: number[] = []
    const spell = await train(losses)
    expect(losses.at(-1)!).toBeLessThan(0.5 * losses[0]!)
    const pool = Array.from({ length: agents }, (_, at) => at)
    for (let query = 60; query < 72; query += 1) {
      const found = spell(query, pool)
      expect([...found.keys()][0]).toBe(query % 12)
      // All beams hold: the chances of all agents are those of a distribution over codes.
      expect(found.size).toBe(agents)
      expect([...found.values()].reduce((sum, log) => sum + Math.exp(log), 0)).toBeLessThanOrEqual(1.0001)
    }
    expect(spell(60, [3, 4]).size).toBe(2)
    expect((await train([]))(60, pool)).toEqual(spell(60, pool))
  })
})
