import type { SparseRows } from '../features/sparse-rows.ts'
import { type Parameter, parameter } from '../tower/adam.ts'
import { addBag, backBag, denseLayer } from '../tower/layers.ts'
import type { Matrices, Matrix } from '../tower/matrices.ts'
import { layerStart, smallNumbers } from '../baselines/bpr.ts'

export type DecoderShape = {
  /** Of the encoded request, and of the state. */
  readonly wide: number
  readonly hidden: number
  /** Codes of each place. */
  readonly sizes: readonly number[]
  /** Rows of a training batch. */
  readonly rows: number
}

export type Decoder = ReturnType<typeof openDecoder>

/** What a step works on: the state before and after, what of it goes to the gates, and scores of the next code. */
type Step = {
  readonly state: Matrix
  readonly gates: Matrix
  readonly next: Matrix
  readonly scores: Matrix
  readonly update: Float32Array
  readonly reset: Float32Array
  readonly fresh: Float32Array
}

type Room = { readonly encoded: Matrix; readonly steps: readonly Step[] }

/**
 * A decoder of codes: an MLP makes a state of a request, and a gated recurrent unit goes on from code to code. Vectors of codes go straight
 * to its gates.
 *
 * @see Cho et al., EMNLP 2014
 */
export function openDecoder(
  matrices: Matrices,
  { wide, hidden, sizes, rows }: DecoderShape,
  { queries, random }: { readonly queries: SparseRows; readonly random: () => number },
) {
  const dense = (inputs: number, outputs: number) =>
    denseLayer(
      matrices,
      { inputs, outputs, batch: rows },
      { weights: layerStart(inputs, outputs, random), bias: new Float32Array(outputs) },
    )
  const table = parameter(layerStart(queries.width, wide, random), wide)
  const toState = dense(wide, hidden)
  const toGates = dense(hidden, 3 * hidden)
  const toScores = sizes.map((size) => dense(hidden, size))
  /** Of the code before; the first place has none. */
  const codeTables = sizes
    .slice(0, -1)
    .map((size) => parameter(smallNumbers(size * 3 * hidden, random), 3 * hidden))
  const byEncoded = matrices.take(rows, wide)
  const [byGates, byState] = [matrices.take(rows, 3 * hidden), matrices.take(rows, hidden)]
  const byScores = sizes.map((size) => matrices.take(rows, size))
  const learning = roomFor(rows)
  return {
    parameters: [
      table,
      ...codeTables,
      ...[toState, toGates, ...toScores].flatMap(({ learned, bias }): Parameter[] => [learned, bias!]),
    ],
    roomFor,
    encode,
    step,
    /**
     * Gathers gradients of a batch of requests with the codes of what serves them.
     *
     * @returns the mean loss of a request, all its codes together
     */
    learn(asked: readonly number[], codes: readonly (readonly number[])[]): number {
      const { encoded, steps } = learning
      encode(asked, learning)
      let loss = 0
      for (const [level, one] of steps.entries()) {
        step(
          level,
          one,
          codes.map((code) => code[level - 1] ?? 0),
        )
        loss += scoreLoss(
          one.scores,
          byScores[level]!,
          codes.map((code) => code[level]!),
        )
      }
      const byNext = new Float32Array(rows * hidden)
      for (let level = sizes.length - 1; level >= 0; level -= 1) {
        toScores[level]!.backward(steps[level]!.next, byScores[level]!, byState)
        for (let at = 0; at < byNext.length; at += 1) byNext[at]! += byState.values[at]!
        backStep(
          level,
          codes.map((code) => code[level - 1] ?? 0),
          byNext,
        )
      }
      const { state } = steps[0]!
      byState.values.set(byNext.map((by, at) => by * (1 - state.values[at]! ** 2)))
      toState.backward(encoded, byState, byEncoded)
      for (let at = 0; at < encoded.values.length; at += 1)
        if (encoded.values[at] === 0) byEncoded.values[at] = 0
      backBag(table, queries, asked, byEncoded)
      return loss
    },
  }

  /** Room for so many rows; each step begins with what the one before ends with. */
  function roomFor(count: number): Room {
    const states = [0, ...sizes].map(() => matrices.take(count, hidden))
    const steps = sizes.map((size, level) => ({
      state: states[level]!,
      next: states[level + 1]!,
      gates: matrices.take(count, 3 * hidden),
      scores: matrices.take(count, size),
      update: new Float32Array(count * hidden),
      reset: new Float32Array(count * hidden),
      fresh: new Float32Array(count * hidden),
    }))
    return { encoded: matrices.take(count, wide), steps }
  }

  /** Makes states of requests: where the first step begins. */
  function encode(asked: readonly number[], { encoded, steps }: Room): void {
    const { state } = steps[0]!
    encoded.values.fill(0)
    addBag(table, queries, asked, encoded)
    for (let at = 0; at < encoded.values.length; at += 1) if (encoded.values[at]! < 0) encoded.values[at] = 0
    toState.forward(encoded, state)
    for (let at = 0; at < state.values.length; at += 1) state.values[at] = Math.tanh(state.values[at]!)
  }

  /** @param before - code of the place before, by row; rows behind the last are not looked at */
  function step(level: number, one: Step, before: readonly number[]): void {
    const { state, gates, next, scores } = one
    toGates.forward(state, gates)
    const codes = codeTables[level - 1]?.values
    for (const [row, code] of before.entries())
      for (let d = 0; d < hidden; d += 1) {
        const [at, gate, from] = [row * hidden + d, row * 3 * hidden + d, code * 3 * hidden + d]
        const update = sigmoid(gates.values[gate]! + (codes?.[from] ?? 0))
        const reset = sigmoid(gates.values[gate + hidden]! + (codes?.[from + hidden] ?? 0))
        const fresh = Math.tanh(reset * gates.values[gate + 2 * hidden]! + (codes?.[from + 2 * hidden] ?? 0))
        one.update[at] = update
        one.reset[at] = reset
        one.fresh[at] = fresh
        next.values[at] = (1 - update) * fresh + update * state.values[at]!
      }
    toScores[level]!.forward(next, scores)
  }

  /** @param by - gradient by the state after; that by the state before takes its place */
  function backStep(level: number, before: readonly number[], by: Float32Array): void {
    const { state, gates, update, reset, fresh } = learning.steps[level]!
    const codes = codeTables[level - 1]
    for (const [row, code] of before.entries()) {
      codes?.touched.add(code)
      for (let d = 0; d < hidden; d += 1) {
        const [at, gate, from] = [row * hidden + d, row * 3 * hidden + d, code * 3 * hidden + d]
        const [u, r, f] = [update[at]!, reset[at]!, fresh[at]!]
        const byFresh = by[at]! * (1 - u) * (1 - f * f)
        const byUpdate = by[at]! * (state.values[at]! - f) * u * (1 - u)
        const byReset = byFresh * gates.values[gate + 2 * hidden]! * r * (1 - r)
        byGates.values[gate] = byUpdate
        byGates.values[gate + hidden] = byReset
        byGates.values[gate + 2 * hidden] = byFresh * r
        if (codes) {
          codes.gradients[from]! += byUpdate
          codes.gradients[from + hidden]! += byReset
          codes.gradients[from + 2 * hidden]! += byFresh
        }
        by[at]! *= u
      }
    }
    toGates.backward(state, byGates, byState)
    for (let at = 0; at < by.length; at += 1) by[at]! += byState.values[at]!
  }
}

/** Mean cross-entropy of a row; its gradient by the scores. */
function scoreLoss({ values, rows, columns }: Matrix, by: Matrix, codes: readonly number[]): number {
  let total = 0
  for (let row = 0; row < rows; row += 1) {
    const own = values.subarray(row * columns, (row + 1) * columns)
    const log = logOfSum(own)
    total += (log - own[codes[row]!]!) / rows
    for (let code = 0; code < columns; code += 1)
      by.values[row * columns + code] = (Math.exp(own[code]! - log) - (code === codes[row] ? 1 : 0)) / rows
  }
  return total
}

/** Logarithm of the sum of what these are logarithms of. */
export function logOfSum(values: Float32Array): number {
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  return high + Math.log(values.reduce((sum, value) => sum + Math.exp(value - high), 0))
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))
