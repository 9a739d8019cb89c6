import { describe, expect, test, vi } from 'vitest'
import { gatherTexts, type TokenTexts } from '../../../embeddings/trainer/src/contrastive/texts.ts'
import {
  type Batch,
  type ContrastiveTrainer,
  contrastiveTrainer,
  type TrainerSettings,
  type TwoTowerWeights,
} from '../../../embeddings/trainer/src/contrastive/trainer.ts'
import { mulberry32 } from '../../../src/domain/random.ts'

/** Whether threads that are started from now on never come up. */
const threads = vi.hoisted(() => ({ absent: false }))
vi.mock('node:worker_threads', async (original) => {
  const actual = await original<typeof import('node:worker_threads')>()
  const nobody = { on: () => undefined, unref: () => undefined, terminate: async () => 0 }
  const construct = (target: typeof actual.Worker, words: [string]): object =>
    threads.absent ? nobody : new target(...words)
  return { ...actual, Worker: new Proxy(actual.Worker, { construct }) }
})

const d = 8
const vocabulary = 40
const settings: TrainerSettings = {
  vocabulary,
  dimensions: d,
  batchSize: 16,
  maxQueryTokens: 6,
  maxDocumentTokens: 8,
  fields: 3,
  threads: 1,
  tokenDropout: 0,
  seed: 5,
}

/** Texts 0..15 are queries, 16..31 their documents, 32..47 negatives, all of random tokens; a pair shares one token. */
function example(): { texts: TokenTexts; batch: Batch } {
  const random = mulberry32(3)
  const some = (count: number): number[] =>
    Array.from({ length: count }, () => 16 + Math.floor(random() * (vocabulary - 16)))
  const gatherer = gatherTexts()
  const rows = Array.from({ length: 16 }, (_, row) => row)
  for (const row of rows) gatherer.add([{ field: 0, tokens: [row, ...some(3)] }])
  for (const row of rows)
    gatherer.add([
      { field: 1, tokens: [row, ...some(2)] },
      { field: 2, tokens: some(3) },
    ])
  for (const _ of rows) gatherer.add([{ field: 2, tokens: some(4) }])
  return {
    texts: gatherer.texts(),
    batch: {
      queries: rows,
      documents: rows.map((row) => 16 + row),
      negatives: rows.map((row) => 32 + row),
      weights: rows.map((row) => 1 + (row % 3)),
      falseNegatives: [
        [0, 1],
        [2, 20],
      ],
    },
  }
}

/** The loss by its definition, without any kernel. */
function lossOf(
  { texts, batch }: ReturnType<typeof example>,
  { table, queryWeights, documentWeights, fieldWeights }: TwoTowerWeights,
  scale: number,
): number {
  const vectorOf = (text: number, weights: Float32Array): number[] => {
    const sum = new Array<number>(d).fill(0)
    for (let at = texts.starts[text]!; at < texts.starts[text + 1]!; at++) {
      const token = texts.tokens[at]!
      const amount = Math.exp(weights[token]! + fieldWeights[texts.fields[at]!]!)
      for (let i = 0; i < d; i++) sum[i] = sum[i]! + amount * table[token * d + i]!
    }
    const norm = Math.hypot(...sum)
    return sum.map((value) => value / norm)
  }
  const queries = Array.from(batch.queries, (text) => vectorOf(text, queryWeights))
  const columns = [...Array.from(batch.documents), ...Array.from(batch.negatives)].map((text) =>
    vectorOf(text, documentWeights),
  )
  const isLeftOut = (row: number, column: number): boolean =>
    batch.falseNegatives.some(([r, c]) => r === row && c === column)
  const score = queries.map((query, row) =>
    columns.map((column, place) =>
      isLeftOut(row, place) ? -1e4 : scale * query.reduce((sum, value, i) => sum + value * column[i]!, 0),
    ),
  )
  const logSum = (values: readonly number[]): number =>
    Math.log(values.reduce((sum, value) => sum + Math.exp(value), 0))
  const total = Array.from(batch.weights).reduce((sum, weight) => sum + weight, 0)
  return score.reduce((sum, row, i) => {
    const byRow = logSum(row) - row[i]!
    const byColumn = logSum(score.map((other) => other[i]!)) - row[i]!
    return sum + ((batch.weights[i]! / total) * (byRow + byColumn)) / 2
  }, 0)
}

const copyOf = ({ weights }: ContrastiveTrainer): TwoTowerWeights => ({
  table: weights.table.slice(),
  queryWeights: weights.queryWeights.slice(),
  documentWeights: weights.documentWeights.slice(),
  fieldWeights: weights.fieldWeights.slice(),
})

async function trained(threads: number, steps: number, dropout = 0) {
  const { texts, batch } = example()
  const trainer = contrastiveTrainer(texts, { ...settings, threads, tokenDropout: dropout })
  const losses = Array.from({ length: steps }, () => trainer.step(batch, 0.01))
  const result = { losses, weights: copyOf(trainer), queries: trainer.encode(batch.queries, 'query') }
  await trainer.close()
  return result
}

describe('contrastive training', () => {
  test('the loss is the one of the definition, and the first step goes against its gradient', async () => {
    const made = example()
    const trainer = contrastiveTrainer(made.texts, settings)
    const before = copyOf(trainer)
    const scale = Math.exp(3)
    expect(trainer.step(made.batch, 0.001)).toBeCloseTo(lossOf(made, before, scale), 4)

    const slope = (name: keyof TwoTowerWeights, at: number): number => {
      const moved = (by: number): number => {
        const values = before[name].slice()
        values[at] = values[at]! + by
        return lossOf(made, { ...before, [name]: values }, scale)
      }
      return (moved(1e-3) - moved(-1e-3)) / 2e-3
    }
    let checked = 0
    for (const name of ['table', 'queryWeights', 'documentWeights', 'fieldWeights'] as const) {
      const moved = trainer.weights[name]
      for (let at = 0; at < moved.length; at += name === 'table' ? 7 : 1) {
        const gradient = slope(name, at)
        if (Math.abs(gradient) < 1e-3) continue
        checked += 1
        // Adam's first step has the length of the learning rate and the sign of the gradient.
        expect(moved[at]! - before[name][at]!, `${name}[${at}]`).toBeCloseTo(-0.001 * Math.sign(gradient), 5)
      }
    }
    expect(checked).toBeGreaterThan(60)
    await trainer.close()
  })

  test('steps lower the loss until each query is nearest to its document', async () => {
    const { losses } = await trained(1, 200)
    expect(losses[0]).toBeGreaterThan(1)
    expect(losses.at(-1)).toBeLessThan(0.05)
  })

  test('the number of threads changes nothing', async () => {
    const [one, two] = [await trained(1, 20, 0.2), await trained(2, 20, 0.2)]
    expect(two.weights.table).toEqual(one.weights.table)
    expect(two.weights.queryWeights).toEqual(one.weights.queryWeights)
    expect(two.queries).toEqual(one.queries)
  })

  test('a thread that never comes up has its work done by the caller', async () => {
    const one = await trained(1, 20, 0.2)
    threads.absent = true
    const alone = await trained(2, 20, 0.2).finally(() => (threads.absent = false))
    expect(alone.weights.table).toEqual(one.weights.table)
    expect(alone.queries).toEqual(one.queries)
  })

  test('encoded texts are unit vectors, and a text without tokens the zero vector', async () => {
    const gatherer = gatherTexts()
    gatherer.add([{ field: 0, tokens: [1, 2] }])
    gatherer.add([{ field: 0, tokens: [] }])
    const trainer = contrastiveTrainer(gatherer.texts(), settings)
    const rows = trainer.encode([0, 1, 0], 'query')
    expect(Math.hypot(...rows.subarray(0, d))).toBeCloseTo(1, 6)
    expect([...rows.subarray(d, 2 * d)]).toEqual(new Array(d).fill(0))
    expect(rows.subarray(2 * d)).toEqual(rows.subarray(0, d))
    await trainer.close()
  })
})
