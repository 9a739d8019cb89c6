import type { SparseRows } from '../features/sparse-rows.ts'

/** Who was served by whom: a track record, tasks by agents. */
export type Graph = {
  readonly positives: readonly (readonly number[])[]
  readonly agents: number
  /** What each node begins with: queries, then agents. */
  readonly features: SparseRows
}

/** Vectors of queries and agents. */
export type GraphVectors = {
  readonly width: number
  readonly queries: Float32Array
  readonly agents: Float32Array
}

/** Edges of a graph, and by how much what goes along one is multiplied. */
export type Edges = { readonly from: Uint32Array; readonly to: Uint32Array; readonly weights: Float32Array }

/** What each node is sent by its neighbours: the weighted sum of their vectors. */
export function handOn(values: Float32Array, { from, to, weights }: Edges, width: number): Float32Array {
  const sent = new Float32Array(values.length)
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b, weight] = [from[edge]! * width, to[edge]! * width, weights[edge]!]
    for (let d = 0; d < width; d += 1) sent[b + d]! += weight * values[a + d]!
  }
  return sent
}

export const turned = ({ from, to, weights }: Edges): Edges => ({ from: to, to: from, weights })

/** Queries, then agents: both ways, each weighed by the root of the degrees. */
export function normalisedEdges({ positives, agents }: Omit<Graph, 'features'>): Edges {
  const pairs = positives.flatMap((own, query) =>
    own.map((agent) => [query, positives.length + agent] as const),
  )
  const degrees = new Float64Array(positives.length + agents)
  for (const pair of pairs) for (const node of pair) degrees[node]! += 1
  const both = pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])
  return {
    from: Uint32Array.from(both, ([a]) => a),
    to: Uint32Array.from(both, ([, b]) => b),
    weights: Float32Array.from(both, ([a, b]) => 1 / Math.sqrt(degrees[a]! * degrees[b]!)),
  }
}
