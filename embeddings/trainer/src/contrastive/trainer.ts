import { mulberry32 } from '../../../../src/domain/random.ts'
import {
  type WorkerPool,
  type KernelCall,
  startWorkers,
} from '../../../../src/vectors/kernels/worker-pool.ts'
import { wasm } from './contrastive.wasm.ts'
import { type SharedArena, sharedArena } from '../shared-arena.ts'
import { fillTexts, textBuffers } from './text-buffers.ts'
import type { TokenTexts } from './texts.ts'

/** A batch of query-document pairs by the numbers of their texts. All lists of pairs have one length. */
export type Batch = {
  readonly queries: ArrayLike<number>
  readonly documents: ArrayLike<number>
  /** Further documents that no query of the batch wants unless `isPositive` says so. At most as many as pairs. */
  readonly negatives: ArrayLike<number>
  /** How much each pair counts, > 0. */
  readonly weights: ArrayLike<number>
  /** Whether column (place among documents, then negatives) also serves the row's query: left out of its negatives. */
  readonly falseNegatives: readonly (readonly [row: number, column: number])[]
}

export type TrainerSettings = {
  /** Tokens of the vocabulary. */
  readonly vocabulary: number
  /** Length of a vector, a multiple of 8. */
  readonly dimensions: number
  /** Pairs of a full batch, a multiple of 8 times the threads. */
  readonly batchSize: number
  readonly maxQueryTokens: number
  readonly maxDocumentTokens: number
  /** Fields that tokens may come from, queries' own among them. At most 16. */
  readonly fields: number
  readonly threads: number
  /** Share of tokens left out of each text, drawn anew each time, 0..1. */
  readonly tokenDropout: number
  readonly seed: number
}

/** The weights of a two-tower model with one shared table. */
export type TwoTowerWeights = {
  /** vocabulary x dimensions, row-major. */
  readonly table: Float32Array
  /** Logarithm of how much a token counts, per tower. */
  readonly queryWeights: Float32Array
  readonly documentWeights: Float32Array
  /** Logarithm of how much a field counts. */
  readonly fieldWeights: Float32Array
}

/** All that later steps depend on, besides the texts and settings. */
type TrainerState = {
  readonly steps: number
  /** Logarithm of what cosines are multiplied with, and its Adam moments. */
  readonly scale: { readonly value: number; readonly first: number; readonly second: number }
  /** Weights and their Adam moments by name. */
  readonly arrays: { readonly [name: string]: Float32Array }
}

export type ContrastiveTrainer = {
  readonly weights: TwoTowerWeights
  /** The state between two steps. Its arrays are views that later steps change. */
  state(): TrainerState
  /** Goes on from a state of a trainer with the same settings. @throws RangeError when it has other lengths */
  restore(state: TrainerState): void
  /** One step. @returns the mean loss of the batch, in nats */
  step(batch: Batch, learningRate: number): number
  /** Unit vectors of texts, texts x dimensions. Without dropout. */
  encode(numbers: ArrayLike<number>, tower: 'query' | 'document'): Float32Array
  close(): Promise<void>
}

const beta1 = 0.9
const beta2 = 0.999
const epsilon = 1e-8

/**
 * Trains token vectors so that a query's weighted mean lies near its documents': InfoNCE over the batch in both
 * directions, with further negatives for the queries, Adam on what a batch touched. Equal inputs give equal weights,
 * whatever the number of threads.
 *
 * @see van den Oord et al., arXiv 1807.03748 (InfoNCE); Henderson et al., arXiv 1705.00652 (in-batch negatives)
 */
export function contrastiveTrainer(texts: TokenTexts, settings: TrainerSettings): ContrastiveTrainer {
  const { vocabulary: v, dimensions: d, batchSize: b, fields, threads } = settings
  const n = 2 * b
  const arena = sharedArena(
    4 * (4 * v * d + 8 * v + 3 * d * n + 2 * d * b + 2 * b * n + threads * n * 16) +
      5 * (b * settings.maxQueryTokens + n * settings.maxDocumentTokens) +
      64 * n +
      (1 << 20),
  )
  const workers: WorkerPool = startWorkers(
    Uint8Array.from(Buffer.from(wasm, 'base64')),
    arena.memory,
    threads,
  )
  const table = parameters(arena, v * d)
  const towers = {
    query: {
      weights: parameters(arena, v),
      seen: arena.take(v, 1),
      ...textBuffers(arena, b, settings.maxQueryTokens, d),
    },
    document: {
      weights: parameters(arena, v),
      seen: arena.take(v, 1),
      ...textBuffers(arena, n, settings.maxDocumentTokens, d),
    },
  }
  const fieldWeights = parameters(arena, 16)
  const fieldGradients = arena.take(16 * 16)
  const scores = arena.take(b * n)
  const turned = arena.take(b * n)
  const documentsTurned = arena.take(d * n)
  const panels = Array.from({ length: threads }, () => arena.take(8 * n))
  const rowSums = arena.take(b)
  const columnSums = arena.take(n)
  const columnHighs = arena.take(n)
  const pairWeights = arena.take(b)
  const scaleGradients = arena.take(b)
  const scale = { value: 3, first: 0, second: 0 }
  let steps = 0

  const scoresView = arena.f32(scores, b * n)
  const fieldView = {
    values: arena.f32(fieldWeights.values, 16),
    first: arena.f32(fieldWeights.first, 16),
    second: arena.f32(fieldWeights.second, 16),
  }
  initialise(arena.f32(table.values, v * d), mulberry32(settings.seed))
  const momentsOf = (name: string, { values, first, second }: Parameters, count: number) =>
    Object.entries({ '': values, '.first': first, '.second': second }).map(
      ([part, offset]) => [`${name}${part}`, arena.f32(offset, count)] as const,
    )
  const arrays: { readonly [name: string]: Float32Array } = Object.fromEntries([
    ...momentsOf('table', table, v * d),
    ...momentsOf('query', towers.query.weights, v),
    ...momentsOf('document', towers.document.weights, v),
    ...momentsOf('fields', fieldWeights, 16),
  ])

  const run = (callsOf: (thread: number) => readonly KernelCall[]) => workers.run(callsOf)
  const poolCall = (tower: 'query' | 'document', [from, to]: readonly [number, number]): KernelCall => {
    const t = towers[tower]
    return [
      'pool',
      t.tokens,
      t.fields,
      t.starts,
      from,
      to,
      table.values,
      t.weights.values,
      fieldWeights.values,
      d,
      t.vectors,
      t.norms,
    ]
  }

  return {
    weights: {
      table: arena.f32(table.values, v * d),
      queryWeights: arena.f32(towers.query.weights.values, v),
      documentWeights: arena.f32(towers.document.weights.values, v),
      fieldWeights: fieldView.values.subarray(0, fields),
    },
    state: () => ({ steps, scale: { ...scale }, arrays }),
    restore(state) {
      for (const [name, values] of Object.entries(arrays)) {
        const stored = state.arrays[name]
        if (stored?.length !== values.length)
          throw new RangeError(`"${name}" has ${stored?.length ?? 'no'} values, not ${values.length}.`)
        values.set(stored)
      }
      Object.assign(scale, state.scale)
      steps = state.steps
    },
    step(batch, learningRate) {
      steps += 1
      // Of its own for each step, so that a restored trainer drops the same tokens.
      const random = mulberry32(settings.seed ^ Math.imul(steps, 0x9e3779b9))
      const rate = (learningRate * Math.sqrt(1 - beta2 ** steps)) / (1 - beta1 ** steps)
      const [q, a] = [towers.query, towers.document]
      const keep = 1 - settings.tokenDropout
      fillTexts(arena, q, texts, [batch.queries], settings.maxQueryTokens, keep, random)
      fillTexts(arena, a, texts, [batch.documents, batch.negatives], settings.maxDocumentTokens, keep, random)
      arena.f32(pairWeights, b).set(batch.weights)
      const weightTotal = Array.from(batch.weights).reduce((sum, weight) => sum + weight, 0)
      const factor = Math.exp(scale.value)
      const part = (rows: number, thread: number) => share(rows, thread, threads)

      run((thread) => [poolCall('query', part(b, thread)), poolCall('document', part(n, thread))])
      run((thread) => [['transpose', a.vectors, n, d, ...part(d, thread), documentsTurned]])
      run((thread) => [
        ['multiply', q.vectors, ...part(b, thread), d, documentsTurned, n, panels[thread]!, scores],
        ['scaleRows', scores, ...part(b, thread), n, factor],
      ])
      for (const [row, column] of batch.falseNegatives) scoresView[row * n + column] = -1e4
      run((thread) => [
        ['rowLogSums', scores, ...part(b, thread), n, rowSums],
        ['columnLogSums', scores, ...part(b, thread), b, n, columnHighs, columnSums],
      ])
      const losses = run((thread) => [
        [
          'crossEntropy',
          scores,
          ...part(b, thread),
          b,
          n,
          rowSums,
          columnSums,
          pairWeights,
          weightTotal,
          factor,
          scaleGradients,
        ],
      ])
      run((thread) => [
        ['multiply', scores, ...part(b, thread), n, a.vectors, d, panels[thread]!, q.gradients],
        ['throughLength', q.gradients, q.vectors, q.norms, ...part(b, thread), d],
        ['transpose', scores, b, n, ...part(n, thread), turned],
      ])
      run((thread) => [
        ['multiply', turned, ...part(n, thread), b, q.vectors, d, panels[thread]!, a.gradients],
        ['throughLength', a.gradients, a.vectors, a.norms, ...part(n, thread), d],
      ])
      const adam = [rate, beta1, beta2, epsilon] as const
      run((thread) => {
        const scatter = (t: typeof q, count: number): KernelCall => [
          'scatter',
          t.tokens,
          t.fields,
          t.starts,
          count,
          t.gradients,
          d,
          table.values,
          t.weights.values,
          fieldWeights.values,
          table.gradients,
          t.weights.gradients,
          fieldGradients,
          t.seen,
          thread,
          threads,
        ]
        const values = (t: typeof q): KernelCall => [
          'adamValues',
          t.weights.values,
          t.weights.gradients,
          t.weights.first,
          t.weights.second,
          t.seen,
          v,
          thread,
          threads,
          ...adam,
        ]
        return [
          scatter(q, b),
          scatter(a, n),
          [
            'adamRows',
            table.values,
            table.gradients,
            table.first,
            table.second,
            q.seen,
            a.seen,
            v,
            d,
            thread,
            threads,
            ...adam,
          ],
          values(q),
          values(a),
        ]
      })
      stepFields(arena.f32(fieldGradients, 16 * 16), fieldView, rate)
      const byScale = arena.f32(scaleGradients, b).reduce((sum, gradient) => sum + gradient, 0)
      scale.first = beta1 * scale.first + (1 - beta1) * byScale
      scale.second = beta2 * scale.second + (1 - beta2) * byScale * byScale
      scale.value = Math.min(
        scale.value - (rate * scale.first) / (Math.sqrt(scale.second) + epsilon),
        Math.log(100),
      )
      return losses.reduce((sum, loss) => sum + loss, 0)
    },
    encode(numbers, tower) {
      const t = towers[tower]
      const most = tower === 'query' ? b : n
      const limit = tower === 'query' ? settings.maxQueryTokens : settings.maxDocumentTokens
      const rows = new Float32Array(numbers.length * d)
      for (let start = 0; start < numbers.length; start += most) {
        const some = Array.from(numbers).slice(start, start + most)
        fillTexts(arena, t, texts, [some], limit, 1, never)
        run((thread) => [poolCall(tower, share(most, thread, threads))])
        rows.set(arena.f32(t.vectors, some.length * d), start * d)
      }
      return rows
    },
    close: () => workers.close(),
  }
}

type Parameters = { values: number; gradients: number; first: number; second: number }

const parameters = (arena: SharedArena, count: number): Parameters => ({
  values: arena.take(count),
  gradients: arena.take(count),
  first: arena.take(count),
  second: arena.take(count),
})

/** Stands in for random numbers where none are drawn. */
const never = (): number => 0

/** Rows of one thread: whole groups of eight, as even as can be. */
function share(rows: number, thread: number, threads: number): readonly [number, number] {
  const groups = rows / 8
  return [8 * Math.floor((groups * thread) / threads), 8 * Math.floor((groups * (thread + 1)) / threads)]
}

function stepFields(
  gradients: Float32Array,
  { values, first, second }: { values: Float32Array; first: Float32Array; second: Float32Array },
  rate: number,
): void {
  // The queries' only field stays at 0: its weight would change no vector.
  for (let field = 1; field < 16; field++) {
    let gradient = 0
    for (let at = field; at < gradients.length; at += 16) gradient += gradients[at]!
    first[field] = beta1 * first[field]! + (1 - beta1) * gradient
    second[field] = beta2 * second[field]! + (1 - beta2) * gradient * gradient
    values[field] = values[field]! - (rate * first[field]!) / (Math.sqrt(second[field]!) + epsilon)
  }
  gradients.fill(0)
}

function initialise(table: Float32Array, random: () => number): void {
  for (let at = 0; at < table.length; at += 2) {
    const radius = 0.1 * Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    table[at] = radius * Math.cos(angle)
    table[at + 1] = radius * Math.sin(angle)
  }
}
