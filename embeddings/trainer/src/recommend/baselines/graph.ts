import { mulberry32 } from '../../../../../src/domain/random.ts'
import { adamStep } from '../tower/adam.ts'
import { openContrast } from '../tower/contrast.ts'
import { backNormalise, normaliseRows } from '../tower/layers.ts'
import { openMatrices } from '../tower/matrices.ts'
import { dot, forEachTriple, tripleGradient } from './bpr.ts'
import { type Edges, type Graph, type GraphVectors, handOn, normalisedEdges } from './edges.ts'
import { openStart } from './node-start.ts'

const settings = { width: 64, layers: 2, learningRate: 5e-3, batch: 4096 }
/** What SimGCL adds: views of the vectors with noise, which should be like each other. */
const contrast = { weight: 0.1, noise: 0.1, temperature: 0.2, sampled: 512 }

/**
 * LightGCN: vectors are handed along the edges, and averaged over the layers; BPR. As `simgcl` two views with noise are drawn
 * together besides.
 *
 * @see He et al., SIGIR 2020; Yu et al., SIGIR 2022
 */
export async function trainGraph(
  graph: Graph,
  {
    kind,
    epochs,
    signal,
  }: {
    readonly kind: 'lightgcn' | 'simgcl'
    readonly epochs: number
    readonly signal?: AbortSignal | undefined
  },
): Promise<GraphVectors> {
  const { width, learningRate, batch } = settings
  const random = mulberry32(3)
  const edges = normalisedEdges(graph)
  const first = graph.positives.length
  const start = openStart(graph.features, width, random)
  const views = kind === 'simgcl' ? openViews(graph.positives.flat().length) : null
  await forEachTriple(graph.positives, { agents: graph.agents, epochs, batch, signal }, (triples, step) => {
    const values = start.forward()
    const last = propagated(values, edges)
    const { gradient } = tripleGradient(last, { triples, queries: first, width })
    const total = propagated(gradient, edges)
    if (views)
      for (const drawn of [triples.map(([query]) => query), triples.map(([, serving]) => first + serving)]) {
        const more = views(values, edges, { drawn, random })
        for (let at = 0; at < total.length; at += 1) total[at]! += more[at]!
      }
    start.backward(total)
    adamStep(start.table, step, learningRate)
  })
  const last = propagated(start.forward(), edges)
  return { width, queries: last.slice(0, first * width), agents: last.slice(first * width) }
}

/** The mean over the layers. It is its own transpose: gradients go back by the same. */
function propagated(values: Float32Array, edges: Edges, noise?: () => number): Float32Array {
  const { width, layers } = settings
  const sum = Float32Array.from(values)
  let layer = values
  for (let turn = 0; turn < layers; turn += 1) {
    const next = handOn(layer, edges, width)
    if (noise) addNoise(next, noise)
    for (let at = 0; at < sum.length; at += 1) sum[at]! += next[at]!
    layer = next
  }
  return sum.map((value) => value / (layers + 1))
}

/** Adds to each vector one of length `contrast.noise`, in the orthant of the vector. */
function addNoise(values: Float32Array, random: () => number): void {
  const { width } = settings
  const drawn = new Float32Array(width)
  for (let start = 0; start < values.length; start += width) {
    for (let d = 0; d < width; d += 1) drawn[d] = random()
    const length = Math.sqrt(dot(drawn, drawn))
    for (let d = 0; d < width; d += 1)
      values[start + d]! += (Math.sign(values[start + d]!) * contrast.noise * drawn[d]!) / length
  }
}

/** Gradients of InfoNCE between two noisy views of some nodes, by what the nodes begin with. */
function openViews(pairs: number) {
  const { width } = settings
  const batch = 8 * Math.ceil(Math.min(contrast.sampled, pairs) / 8)
  const matrices = openMatrices(2 * batch * (batch + 4 * width), Math.max(batch, width))
  const infoNce = openContrast(matrices, { batch, width, temperature: contrast.temperature })
  const sides = [infoNce.byQueries, infoNce.byAgents].map((by) => ({
    by,
    units: matrices.take(batch, width),
  }))
  return (
    values: Float32Array,
    edges: Edges,
    { drawn, random }: { readonly drawn: readonly number[]; readonly random: () => number },
  ): Float32Array => {
    const some = Array.from({ length: batch }, (_, at) => drawn[at % drawn.length]!)
    const lengths = sides.map(({ units }) => {
      const view = propagated(values, edges, random)
      for (const [place, node] of some.entries())
        units.values.set(view.subarray(node * width, (node + 1) * width), place * width)
      return normaliseRows(units)
    })
    infoNce.loss(sides[0]!.units, sides[1]!.units, (row, column) => some[row] === some[column])
    const gradient = new Float32Array(values.length)
    for (const [side, { by, units }] of sides.entries()) {
      backNormalise(units, lengths[side]!, by)
      for (const [place, node] of some.entries())
        for (let d = 0; d < width; d += 1)
          gradient[node * width + d]! += contrast.weight * by.values[place * width + d]!
    }
    return propagated(gradient, edges)
  }
}
