import { setImmediate } from 'node:timers/promises'
import { mulberry32 } from '../../../../../src/domain/random.ts'
import type { SparseRows } from '../features/sparse-rows.ts'

/** Draws triples of a query, an agent that serves it, and any that does not: all pairs once an epoch, shuffled. */
export async function forEachTriple(
  positives: readonly (readonly number[])[],
  {
    agents,
    epochs,
    batch,
    signal,
  }: {
    readonly agents: number
    readonly epochs: number
    readonly batch: number
    readonly signal?: AbortSignal | undefined
  },
  learn: (triples: readonly Triple[], step: number, epoch: number) => void,
): Promise<void> {
  const random = mulberry32(1)
  const sets = positives.map((own) => new Set(own))
  const pairs = positives.flatMap((own, query) => own.map((agent) => ({ query, agent, order: 0 })))
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const pair of pairs) pair.order = random()
    pairs.sort((a, b) => a.order - b.order)
    for (let start = 0; start < pairs.length; start += batch) {
      await setImmediate()
      signal?.throwIfAborted()
      const triples = pairs.slice(start, start + batch).map(({ query, agent }): Triple => {
        let other = Math.floor(random() * agents)
        while (sets[query]!.has(other)) other = Math.floor(random() * agents)
        return [query, agent, other]
      })
      step += 1
      learn(triples, step, epoch)
    }
  }
}

export type Triple = readonly [query: number, serving: number, other: number]

/** Weighted sum of a row's columns of a table. */
export function bagOf(
  table: Float32Array,
  { starts, columns, values }: SparseRows,
  row: number,
  width: number,
): Float32Array {
  const sum = new Float32Array(width)
  for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
    const from = columns[at]! * width
    for (let d = 0; d < width; d += 1) sum[d]! += values[at]! * table[from + d]!
  }
  return sum
}

/** Gradient of the loss of triples by the vectors of nodes, queries first, and the mean loss. */
export function tripleGradient(
  vectors: Float32Array,
  {
    triples,
    queries,
    width,
  }: { readonly triples: readonly Triple[]; readonly queries: number; readonly width: number },
): { readonly gradient: Float32Array; readonly loss: number } {
  const gradient = new Float32Array(vectors.length)
  let loss = 0
  for (const [query, serving, other] of triples) {
    const [q, a, b] = [query * width, (queries + serving) * width, (queries + other) * width]
    let margin = 0
    for (let d = 0; d < width; d += 1) margin += vectors[q + d]! * (vectors[a + d]! - vectors[b + d]!)
    loss += Math.log1p(Math.exp(-margin)) / triples.length
    const push = pushOf(margin) / triples.length
    for (let d = 0; d < width; d += 1) {
      const value = vectors[q + d]!
      gradient[q + d]! += push * (vectors[a + d]! - vectors[b + d]!)
      gradient[a + d]! += push * value
      gradient[b + d]! -= push * value
    }
  }
  return { gradient, loss }
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d += 1) sum += a[d]! * b[d]!
  return sum
}

/** Small numbers to start from, about normal. */
export function smallNumbers(count: number, random: () => number): Float32Array {
  const draw = (): number => random() + random() + random() - 1.5
  return Float32Array.from({ length: count }, () => 0.1 * draw())
}

/** Numbers to start from, uniform, for a layer of so many inputs and outputs (Glorot & Bengio, AISTATS 2010). */
export function layerStart(inputs: number, outputs: number, random: () => number): Float32Array {
  const bound = Math.sqrt(6 / (inputs + outputs))
  return Float32Array.from({ length: inputs * outputs }, () => (2 * random() - 1) * bound)
}

/** What a loss of -log sigmoid(margin) takes from the margin. */
export const pushOf = (margin: number): number => -1 / (1 + Math.exp(margin))
