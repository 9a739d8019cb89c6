import { setImmediate } from 'node:timers/promises'
import { grouped } from '../../../../../src/domain/grouped.ts'
import { mulberry32 } from '../../../../../src/domain/random.ts'
import type { SparseRows } from '../features/sparse-rows.ts'
import { adamStep } from '../tower/adam.ts'
import { type Matrices, openMatrices } from '../tower/matrices.ts'
import { type Decoder, logOfSum, openDecoder } from './decoder.ts'
import { semanticIds } from './residual-codes.ts'

/** The batch is an eighth of the paper's, as the data is: as many steps. */
const settings = { levels: 3, learningRate: 1e-3, batch: 128, beam: 32 }
const defaultShape = { wide: 512, hidden: 256, size: 256 }

/** Says the best of a pool for a row of the queries, with the logarithms of their chances; those that no beam reaches are left out. */
export type Speller = (query: number, pool: readonly number[]) => ReadonlyMap<number, number>

/**
 * A generative recommender: agents are named by codes of their vectors, a decoder learns to spell the codes of what serves a request, and a
 * beam search spells agents of a pool. What OneRec adds for sessions of videos, and its alignment to preferences, is left out.
 *
 * @param vectors - of agents, row by row
 * @see Deng et al., arXiv 2502.18965; AgentSelect, ICML 2026
 */
export async function trainOneRec(
  {
    queries,
    vectors,
    agents,
  }: { readonly queries: SparseRows; readonly vectors: Float32Array; readonly agents: number },
  {
    positives,
    epochs,
    shape: { wide, hidden, size } = defaultShape,
    signal,
    onStep,
  }: {
    readonly positives: readonly (readonly number[])[]
    readonly epochs: number
    /** Of the encoded request and of the state, and codes of a level. */
    readonly shape?: typeof defaultShape
    readonly signal?: AbortSignal | undefined
    readonly onStep?: (loss: number) => void
  },
): Promise<Speller> {
  const { levels, learningRate, beam } = settings
  const columns = vectors.length / agents
  const rows = 8 * Math.ceil(agents / 8)
  const naming = openMatrices(rows * (columns + size) + 2 * size * columns, Math.max(columns, size))
  const all = naming.take(rows, columns)
  all.values.set(vectors)
  const { codes, sizes } = semanticIds(naming, all, { count: agents, levels, size })
  const pairs = positives.flatMap((own, query) => own.map((agent) => ({ query, agent, order: 0 })))
  const batch = Math.min(settings.batch, 8 * Math.ceil(pairs.length / 8))
  const outputs = sizes.reduce((sum, one) => sum + one, 0)
  const shape = { wide, hidden, sizes, rows: batch }
  const matrices: Matrices = openMatrices(
    batch * (4 * wide + 40 * hidden + 6 * outputs) + 4 * (wide + 3 * hidden + outputs) * (hidden + wide),
    Math.max(batch, wide, 3 * hidden, ...sizes),
  )
  const random = mulberry32(8)
  const decoder = openDecoder(matrices, shape, { queries, random })
  const perEpoch = Math.ceil(pairs.length / batch)
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const pair of pairs) pair.order = random()
    pairs.sort((a, b) => a.order - b.order)
    for (let turn = 0; turn < perEpoch; turn += 1) {
      await setImmediate()
      signal?.throwIfAborted()
      // The last batch of an epoch is filled up with its first pairs.
      const some = Array.from({ length: batch }, (_, at) => pairs[(turn * batch + at) % pairs.length]!)
      const loss = decoder.learn(
        some.map(({ query }) => query),
        some.map(({ agent }) => codes[agent]!),
      )
      for (const learned of decoder.parameters) adamStep(learned, epoch * perEpoch + turn + 1, learningRate)
      onStep?.(loss)
    }
  }
  return spelling(decoder, codes, beam)
}

type Beam = {
  readonly chance: number
  readonly state: Float32Array
  readonly code: number
  readonly pool: readonly number[]
}

/** Spells agents of a pool code by code, the likeliest beginnings going on. */
function spelling(decoder: Decoder, codes: readonly (readonly number[])[], beam: number): Speller {
  const room = decoder.roomFor(beam)
  const { state: first } = room.steps[0]!
  return (query, pool) => {
    decoder.encode([query], room)
    let beams: readonly Beam[] = [{ chance: 0, state: first.values.slice(0, first.columns), code: 0, pool }]
    for (const [level, one] of room.steps.entries()) {
      const { state, next, scores } = one
      for (const [row, { state: own }] of beams.entries()) state.values.set(own, row * state.columns)
      decoder.step(
        level,
        one,
        beams.map(({ code }) => code),
      )
      beams = beams
        .flatMap(({ chance, pool: own }, row): Beam[] => {
          const logits = scores.values.subarray(row * scores.columns, (row + 1) * scores.columns)
          const log = logOfSum(logits)
          const after = next.values.slice(row * next.columns, (row + 1) * next.columns)
          return [...grouped(own, (agent) => codes[agent]![level]!)].map(([code, left]) => ({
            chance: chance + logits[code]! - log,
            state: after,
            code,
            pool: left,
          }))
        })
        .sort((a, b) => b.chance - a.chance)
        .slice(0, beam)
    }
    return new Map(beams.map(({ chance, pool: [agent] }) => [agent!, chance]))
  }
}
