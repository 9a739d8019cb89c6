import { mulberry32 } from '../../../../../src/domain/random.ts'
import { adamStep } from '../tower/adam.ts'
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
  await forEachTriple(graph.positives, { agents: graph.agents, epochs, batch, signal }, (triples, step) => {
    const values = start.forward()
    const last = propagated(values, edges)
    const { gradient } = tripleGradient(last, { triples, queries: first, width })
    const total = propagated(gradient, edges)
    if (kind === 'simgcl') {
      const drawn = triples.slice(0, contrast.sampled)
      for (const some of [drawn.map(([query]) => query), drawn.map(([, serving]) => first + serving)]) {
        const more = contrastOf(values, edges, { some: [...new Set(some)], random })
        for (let at = 0; at < total.length; at += 1) total[at]! += more[at]!
      }
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

/** Gradient of InfoNCE between two noisy views of some nodes, by the vectors that were handed along. */
function contrastOf(
  values: Float32Array,
  edges: Edges,
  { some, random }: { readonly some: readonly number[]; readonly random: () => number },
): Float32Array {
  const { width } = settings
  const views = [0, 1].map(() => propagated(values, edges, random))
  const units = views.map((view) => some.map((node) => unitOf(rowOf(view, node))))
  const gradient = new Float32Array(values.length)
  for (const [place, node] of some.entries()) {
    const own = units[0]![place]!
    const scores = units[1]!.map((other) => Math.exp(dot(own.unit, other.unit) / contrast.temperature))
    const total = scores.reduce((sum, score) => sum + score, 0)
    for (const [column, score] of scores.entries()) {
      const share =
        (score / total - (column === place ? 1 : 0)) *
        (contrast.weight / (contrast.temperature * some.length))
      backUnit(gradient, node, { of: own, toward: units[1]![column]!.unit, share })
      backUnit(gradient, some[column]!, { of: units[1]![column]!, toward: own.unit, share })
    }
  }
  return propagated(gradient, edges)

  function backUnit(
    into: Float32Array,
    node: number,
    { of, toward, share }: { readonly of: Unit; readonly toward: Float32Array; readonly share: number },
  ): void {
    const along = dot(of.unit, toward)
    for (let d = 0; d < width; d += 1)
      into[node * width + d]! += (share * (toward[d]! - along * of.unit[d]!)) / of.length
  }
}

type Unit = { readonly unit: Float32Array; readonly length: number }

function unitOf(vector: Float32Array): Unit {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return { unit: vector.map((value) => value / length), length }
}

const rowOf = (values: Float32Array, row: number): Float32Array =>
  values.subarray(row * settings.width, (row + 1) * settings.width)
