import { mulberry32 } from '../../../../../src/domain/random.ts'
import type { SparseRows } from '../features/sparse-rows.ts'
import { adamStep, type Parameter, parameter } from '../tower/adam.ts'
import { bagOf, dot, forEachTriple, pushOf, smallNumbers } from './bpr.ts'

/** Vectors of queries and agents as sums over their features. */
export type Factors = { readonly width: number; readonly query: Float32Array; readonly agent: Float32Array }

const settings = { width: 128, learningRate: 5e-3, batch: 4096 }

/**
 * Matrix factorisation by BPR. A query is the sum of its features' vectors, and so is an agent: with ids alone this is MF, with ids and terms
 * LightFM.
 *
 * @see Rendle et al., UAI 2009; Kula, CBRecSys 2015
 */
export async function trainFactors(
  queries: SparseRows,
  agents: SparseRows,
  {
    positives,
    epochs,
    signal,
  }: {
    readonly positives: readonly (readonly number[])[]
    readonly epochs: number
    readonly signal?: AbortSignal | undefined
  },
): Promise<Factors> {
  const { width, learningRate, batch } = settings
  const random = mulberry32(2)
  const query = parameter(smallNumbers(queries.width * width, random), width)
  const agent = parameter(smallNumbers(agents.width * width, random), width)
  const count = agents.starts.length - 1
  await forEachTriple(positives, { agents: count, epochs, batch, signal }, (triples, step) => {
    for (const [asked, serving, other] of triples) {
      const q = bagOf(query.values, queries, asked, width)
      const [good, bad] = [serving, other].map((one) => bagOf(agent.values, agents, one, width)) as [
        Float32Array,
        Float32Array,
      ]
      const push = pushOf(dot(q, good) - dot(q, bad)) / triples.length
      backTo(
        query,
        queries,
        asked,
        good.map((value, d) => push * (value - bad[d]!)),
      )
      backTo(
        agent,
        agents,
        serving,
        q.map((value) => push * value),
      )
      backTo(
        agent,
        agents,
        other,
        q.map((value) => -push * value),
      )
    }
    adamStep(query, step, learningRate)
    adamStep(agent, step, learningRate)
  })
  return { width, query: query.values, agent: agent.values }
}

function backTo(
  { gradients, width, touched }: Parameter,
  { starts, columns, values }: SparseRows,
  row: number,
  gradient: Float32Array,
): void {
  for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
    const to = columns[at]! * width
    touched.add(columns[at]!)
    for (let d = 0; d < width; d += 1) gradients[to + d]! += values[at]! * gradient[d]!
  }
}
