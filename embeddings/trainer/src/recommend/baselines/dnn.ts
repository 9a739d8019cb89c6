import { mulberry32 } from '../../../../../src/domain/random.ts'
import type { SparseRows } from '../features/sparse-rows.ts'
import { adamStep, type Parameter, parameter } from '../tower/adam.ts'
import { addBag, backBag, backNormalise, denseLayer, normaliseRows } from '../tower/layers.ts'
import type { Matrices, Matrix } from '../tower/matrices.ts'
import { openMatrices } from '../tower/matrices.ts'
import { forEachTriple, layerStart, pushOf, smallNumbers } from './bpr.ts'

/** What the network is told: terms of requests and agents, and apart the ids of models and of tools. */
export type DnnInput = {
  readonly queries: SparseRows
  readonly content: SparseRows
  readonly models: SparseRows
  readonly tools: SparseRows
}

export type DnnShape = {
  /** Of the texts, of the ids, and of the hidden layer. */
  readonly text: number
  readonly ids: number
  readonly hidden: number
  /** Pairs that are scored at once. */
  readonly rows: number
}

const defaultShape: DnnShape = { text: 256, ids: 64, hidden: 128, rows: 512 }
/** The batch is an eighth of the paper's, as the data is: as many steps. */
const settings = { learningRate: 1e-3, batch: 512 }

/**
 * A network over pairs. Both texts become unit vectors (a table, ReLU); their values, products and distances, and vectors of ids of the
 * model and of the tools (their mean), go through one hidden layer to a score.
 *
 * @see AgentSelect, ICML 2026: DNN over TF-IDF
 */
export function openDnn(
  matrices: Matrices,
  { text, ids, hidden, rows }: DnnShape,
  { input, random }: { readonly input: DnnInput; readonly random: () => number },
) {
  const width = 4 * text + 2 * ids
  const [queryTable, agentTable] = [input.queries, input.content].map(({ width: terms }) =>
    parameter(layerStart(terms, text, random), text),
  ) as [Parameter, Parameter]
  const [modelTable, toolTable] = [input.models, input.tools].map(({ width: names }) =>
    parameter(smallNumbers(names * ids, random), ids),
  ) as [Parameter, Parameter]
  const layer = denseLayer(
    matrices,
    { inputs: width, outputs: hidden, batch: rows },
    { weights: layerStart(width, hidden, random), bias: new Float32Array(hidden) },
  )
  const last = parameter(layerStart(hidden, 1, random), hidden)
  const [q, a] = [text, text].map((columns) => matrices.take(rows, columns)) as [Matrix, Matrix]
  const [model, tool] = [ids, ids].map((columns) => matrices.take(rows, columns)) as [Matrix, Matrix]
  const [x, byX] = [width, width].map((columns) => matrices.take(rows, columns)) as [Matrix, Matrix]
  const [h, byH] = [hidden, hidden].map((columns) => matrices.take(rows, columns)) as [Matrix, Matrix]
  const sides = [
    { table: queryTable, bag: input.queries, out: q, lengths: new Float32Array(rows) as Float32Array },
    { table: agentTable, bag: input.content, out: a, lengths: new Float32Array(rows) as Float32Array },
  ]
  const bags = [
    { table: modelTable, bag: input.models, out: model },
    { table: toolTable, bag: input.tools, out: tool },
  ]
  return {
    parameters: {
      queryTable,
      agentTable,
      modelTable,
      toolTable,
      last,
      weights: layer.learned,
      bias: layer.bias!,
    } as { readonly [name: string]: Parameter },
    /** Scores of pairs, as many as `rows` at most. */
    forward(asked: readonly number[], agents: readonly number[]): Float32Array {
      for (const side of sides) {
        side.out.values.fill(0)
        addBag(side.table, side.bag, side.out === q ? asked : agents, side.out)
        clip(side.out)
        side.lengths = normaliseRows(side.out)
      }
      for (const { table, bag, out } of bags) {
        out.values.fill(0)
        addBag(table, bag, agents, out)
      }
      for (let row = 0; row < rows; row += 1) joinRow(row)
      layer.forward(x, h)
      clip(h)
      return Float32Array.from(asked, (_, row) => {
        let score = 0
        for (let d = 0; d < hidden; d += 1) score += h.values[row * hidden + d]! * last.values[d]!
        return score
      })
    },
    /** Gathers gradients of the last pairs. @param push - by their scores */
    backward(asked: readonly number[], agents: readonly number[], push: ArrayLike<number>): void {
      byH.values.fill(0)
      last.touched.add(0)
      for (let row = 0; row < push.length; row += 1)
        for (let d = 0; d < hidden; d += 1) {
          const value = h.values[row * hidden + d]!
          last.gradients[d]! += push[row]! * value
          if (value > 0) byH.values[row * hidden + d] = push[row]! * last.values[d]!
        }
      layer.backward(x, byH, byX)
      const [byQ, byA, byModel, byTool] = [q, a, model, tool].map(({ rows: count, columns }) => ({
        values: new Float32Array(count * columns),
        columns,
      })) as [Gradient, Gradient, Gradient, Gradient]
      for (let row = 0; row < rows; row += 1) splitRow(row, { byQ, byA, byModel, byTool })
      for (const { table, bag, out, lengths } of sides) {
        const gradient = out === q ? byQ : byA
        backNormalise(out, lengths, gradient)
        for (let at = 0; at < out.values.length; at += 1) if (out.values[at] === 0) gradient.values[at] = 0
        backBag(table, bag, out === q ? asked : agents, gradient)
      }
      for (const { table, bag, out } of bags) backBag(table, bag, agents, out === model ? byModel : byTool)
    },
  }

  function joinRow(row: number): void {
    for (let d = 0, to = row * width; d < text; d += 1, to += 1) {
      const [one, other] = [q.values[row * text + d]!, a.values[row * text + d]!]
      x.values[to] = one
      x.values[to + text] = other
      x.values[to + 2 * text] = one * other
      x.values[to + 3 * text] = Math.abs(one - other)
    }
    const to = row * width + 4 * text
    x.values.set(model.values.subarray(row * ids, (row + 1) * ids), to)
    x.values.set(tool.values.subarray(row * ids, (row + 1) * ids), to + ids)
  }

  function splitRow(
    row: number,
    { byQ, byA, byModel, byTool }: { readonly [side in 'byQ' | 'byA' | 'byModel' | 'byTool']: Gradient },
  ): void {
    for (let d = 0, from = row * width; d < text; d += 1, from += 1) {
      const at = row * text + d
      const sign = Math.sign(q.values[at]! - a.values[at]!) * byX.values[from + 3 * text]!
      byQ.values[at] = byX.values[from]! + byX.values[from + 2 * text]! * a.values[at]! + sign
      byA.values[at] = byX.values[from + text]! + byX.values[from + 2 * text]! * q.values[at]! - sign
    }
    const from = row * width + 4 * text
    byModel.values.set(byX.values.subarray(from, from + ids), row * ids)
    byTool.values.set(byX.values.subarray(from + ids, from + 2 * ids), row * ids)
  }
}

type Gradient = Pick<Matrix, 'values' | 'columns'>

function clip({ values }: Matrix): void {
  for (let at = 0; at < values.length; at += 1) if (values[at]! < 0) values[at] = 0
}

/**
 * Learns by BPR.
 *
 * @returns scores of agents for a row of the queries, in the order of the agents
 */
export async function trainDnn(
  input: DnnInput,
  {
    positives,
    epochs,
    shape = defaultShape,
    signal,
    onStep,
  }: {
    readonly positives: readonly (readonly number[])[]
    readonly epochs: number
    /** @defaultValue as in the paper */
    readonly shape?: DnnShape
    readonly signal?: AbortSignal | undefined
    readonly onStep?: (loss: number) => void
  },
): Promise<(query: number, agents: readonly number[]) => Float32Array> {
  const { rows, text, ids, hidden } = shape
  const width = 4 * text + 2 * ids
  const matrices = openMatrices(
    rows * (3 * width + 2 * text + 2 * ids + 2 * hidden) + 4 * width * hidden,
    Math.max(rows, width),
  )
  const dnn = openDnn(matrices, shape, { input, random: mulberry32(4) })
  const agents = input.content.starts.length - 1
  await forEachTriple(positives, { agents, epochs, batch: settings.batch, signal }, (triples, step) => {
    let loss = 0
    for (let start = 0; start < triples.length; start += rows / 2) {
      const some = triples.slice(start, start + rows / 2)
      const asked = [...some, ...some].map(([query]) => query)
      const pairs = [...some.map(([, serving]) => serving), ...some.map(([, , other]) => other)]
      const scores = dnn.forward(asked, pairs)
      const pushes = some.map((_, at) => pushOf(scores[at]! - scores[some.length + at]!) / triples.length)
      for (const [at] of some.entries())
        loss += Math.log1p(Math.exp(scores[some.length + at]! - scores[at]!)) / triples.length
      dnn.backward(asked, pairs, [...pushes, ...pushes.map((push) => -push)])
    }
    for (const learned of Object.values(dnn.parameters)) adamStep(learned, step, settings.learningRate)
    onStep?.(loss)
  })
  return (query, pool) => {
    const scores = new Float32Array(pool.length)
    for (let start = 0; start < pool.length; start += rows) {
      const some = pool.slice(start, start + rows)
      scores.set(
        dnn.forward(
          some.map(() => query),
          some,
        ),
        start,
      )
    }
    return scores
  }
}
