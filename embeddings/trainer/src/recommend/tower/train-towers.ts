import { setImmediate } from 'node:timers/promises'
import { mulberry32, seedOf } from '../../../../../src/domain/random.ts'
import type { SparseRows } from '../features/sparse-rows.ts'
import { adamStep } from './adam.ts'
import { openContrast } from './contrast.ts'
import { openMatrices } from './matrices.ts'
import { openTower, type TowerShape, type TowerStart } from './tower.ts'

export type TowerSettings = Pick<TowerShape, 'depth' | 'width' | 'batch'> & {
  readonly epochs: number
  readonly learningRate: number
  /** Cosines are divided by it. */
  readonly temperature: number
  readonly seed: number
}

/** The tower that ships: linear; see docs/recommend.md for the MLP beside it. */
export const towerDefaults: TowerSettings = {
  depth: 'linear',
  width: 256,
  batch: 512,
  epochs: 10,
  learningRate: 3e-3,
  temperature: 0.07,
  seed: 1,
}

/** What towers learn from. */
export type TowerInput = {
  readonly queries: SparseRows
  readonly agents: { readonly content: SparseRows; readonly ids: SparseRows }
  /** Terms that the columns of the queries, and of the agents' content, stand for: equal ones start with equal rows. */
  readonly terms: { readonly queries: readonly string[]; readonly agents: readonly string[] }
  /** Per query the agents that serve it. */
  readonly positives: readonly (readonly number[])[]
  readonly settings: TowerSettings
  readonly signal?: AbortSignal | undefined
  readonly onEpoch?: (epoch: number, loss: number) => void
}

/** Learned numbers, by tower and name. */
export type TowerWeights = {
  readonly [tower in 'query' | 'agent']: { readonly [name: string]: Float32Array }
}

/**
 * Trains both towers: each epoch asks every query once, with one of the agents that serve it. (The paper takes all pairs: queries that many
 * agents serve then drown the others.) The rate falls in a straight line. The same input gives the same weights.
 */
export async function trainTowers({
  queries,
  agents,
  terms,
  positives,
  settings,
  signal,
  onEpoch,
}: TowerInput): Promise<TowerWeights> {
  const { width, batch, epochs, learningRate, seed } = settings
  const matrices = openMatrices(
    4 * batch * batch + 40 * width * batch + 24 * width * width,
    Math.max(batch, width),
  )
  const random = mulberry32(seed)
  const startOf = (names: readonly string[]): TowerStart => ({
    content: rowsOf(names, width),
    dense: [0, 1].map(() =>
      Float32Array.from({ length: width * width }, () => (2 * random() - 1) * Math.sqrt(3 / width)),
    ),
  })
  // Where nothing else is seen, zeros would have no direction to learn from.
  const { ids, content } = agents
  const idStart =
    content.columns.length > 0
      ? {}
      : {
          ids: rowsOf(
            Array.from({ length: ids.width }, (_, id) => `id ${id}`),
            width,
          ),
        }
  const query = openTower(matrices, settings, { content: queries, ids: null, start: startOf(terms.queries) })
  const agent = openTower(matrices, settings, { ...agents, start: { ...startOf(terms.agents), ...idStart } })
  const contrast = openContrast(matrices, settings)
  const sets = positives.map((own) => new Set(own))
  const asks = [...positives.keys()].filter((place) => positives[place]!.length > 0)
  const perEpoch = Math.ceil(asks.length / batch)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(asks, random)
    let loss = 0
    for (let turn = 0; turn < perEpoch; turn += 1) {
      await setImmediate()
      signal?.throwIfAborted()
      // The last batch of an epoch is filled up with its first queries.
      const asked = Array.from({ length: batch }, (_, at) => asks[(turn * batch + at) % asks.length]!)
      const serving = asked.map(
        (place) => positives[place]![Math.floor(random() * positives[place]!.length)]!,
      )
      const serves = (row: number, column: number): boolean => sets[asked[row]!]!.has(serving[column]!)
      loss += contrast.loss(query.forward(asked), agent.forward(serving), serves) / perEpoch
      query.backward(asked, contrast.byQueries)
      agent.backward(serving, contrast.byAgents)
      const step = epoch * perEpoch + turn
      const rate = learningRate * (1 - step / (epochs * perEpoch))
      for (const one of [query, agent])
        for (const learned of Object.values(one.parameters)) adamStep(learned, step + 1, rate)
    }
    onEpoch?.(epoch + 1, loss)
  }
  const weightsOf = (one: typeof query) =>
    Object.fromEntries(
      Object.entries(one.parameters).map(([name, { values }]) => [name, Float32Array.from(values)]),
    )
  return { query: weightsOf(query), agent: weightsOf(agent) }
}

/** A row per term, drawn by the term: texts of the same words are near before anything is learned. */
function rowsOf(terms: readonly string[], width: number): Float32Array {
  const rows = new Float32Array(terms.length * width)
  for (const [place, term] of terms.entries()) {
    const random = mulberry32(seedOf(term))
    for (let d = 0; d < width; d += 1) rows[place * width + d] = (2 * random() - 1) * Math.sqrt(3 / width)
  }
  return rows
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const held = list[last]!
    list[last] = list[other]!
    list[other] = held
  }
}
