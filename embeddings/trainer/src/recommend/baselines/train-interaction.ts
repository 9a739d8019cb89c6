import { mulberry32 } from '../../../../../src/domain/random.ts'
import type { SparseRows } from '../features/sparse-rows.ts'
import { adamStep, parameter } from '../tower/adam.ts'
import { openMatrices } from '../tower/matrices.ts'
import { openBiInteraction } from './bi-interaction.ts'
import { forEachTriple, tripleGradient } from './bpr.ts'
import { type Edges, type Graph, type GraphVectors, normalisedEdges, turned } from './edges.ts'
import { openStart } from './node-start.ts'
import { type Fact, openRelations, type Relation } from './relations.ts'

const settings = {
  ngcf: { width: 32, epochs: 10 },
  kgat: { width: 64, epochs: 6 },
} as const
const shared = { layers: 2, learningRate: 5e-3, batch: 4096, dropped: 0.2 }

/**
 * NGCF, or KGAT where relations are given: these bind nodes that stand behind the agents too, and say anew in each epoch how much each node
 * listens to which. NGCF drops out a fifth of the numbers of each layer, KGAT a fifth of the edges. BPR.
 *
 * @see Wang et al., SIGIR 2019 and KDD 2019; sizes as in AgentSelect, ICML 2026
 */
export async function trainInteraction(
  graph: Graph,
  {
    relations,
    epochs = settings[relations ? 'kgat' : 'ngcf'].epochs,
    signal,
    onStep,
  }: {
    readonly relations?: readonly Relation[]
    /** @defaultValue as in the paper */
    readonly epochs?: number
    readonly signal?: AbortSignal | undefined
    readonly onStep?: (loss: number) => void
  } = {},
): Promise<GraphVectors> {
  const { layers, learningRate, batch, dropped } = shared
  const { width } = settings[relations ? 'kgat' : 'ngcf']
  const random = mulberry32(6)
  const features = toEights(graph.features)
  const nodes = features.starts.length - 1
  const matrices = openMatrices(
    nodes * width * (8 * layers + 7) + (6 * layers + 1) * width * width,
    nodes + width,
  )
  const start = openStart(features, width, random)
  const model = openBiInteraction(matrices, { nodes, width, layers }, random)
  const known = relations && openRelations(matrices, { nodes, width, relations }, random)
  /** The same numbers, by an Adam of their own. */
  const byFacts = parameter(start.table.values, width)
  const draw = factsOf(relations ?? [], graph.features.starts.length - 1, random)
  let edges: Edges = normalisedEdges(graph)
  let factSteps = 0
  const queries = graph.positives.length
  const learnFacts = (): void => {
    for (const facts of draw(batch)) {
      const { gradient } = known!.learn(start.forward(), facts)
      start.backward(gradient, byFacts)
      factSteps += 1
      for (const one of [byFacts, ...known!.parameters]) adamStep(one, factSteps, learningRate)
    }
    edges = known!.attention(start.forward())
  }
  let current = -1
  await forEachTriple(
    graph.positives,
    { agents: graph.agents, epochs, batch, signal },
    (triples, step, epoch) => {
      if (known && epoch !== current) learnFacts()
      current = epoch
      const keep = (): number => (random() < dropped ? 0 : 1 / (1 - dropped))
      const used = known ? { ...edges, weights: edges.weights.map((weight) => keep() * weight) } : edges
      const vectors = model.forward(start.forward(), used, known ? undefined : keep)
      const { gradient, loss } = tripleGradient(vectors, { triples, queries, width: model.wide })
      start.backward(model.backward(gradient, turned(used)))
      for (const one of [start.table, ...model.parameters]) adamStep(one, step, learningRate)
      onStep?.(loss)
    },
  )
  if (known) edges = known.attention(start.forward())
  const last = model.forward(start.forward(), edges)
  const end = queries + graph.agents
  return {
    width: model.wide,
    queries: last.slice(0, queries * model.wide),
    agents: last.slice(queries * model.wide, end * model.wide),
  }
}

/** All facts in a new order, in batches, each beside a tail that its head has not. */
function factsOf(
  relations: readonly Relation[],
  nodes: number,
  random: () => number,
): (batch: number) => readonly (readonly Fact[])[] {
  const all = relations.flatMap(({ heads, tails }, relation) =>
    heads.map((head, at) => ({ relation, head, tail: tails[at]!, order: 0 })),
  )
  const known = new Set(all.map(({ relation, head, tail }) => `${relation} ${head} ${tail}`))
  return (batch) => {
    for (const fact of all) fact.order = random()
    all.sort((a, b) => a.order - b.order)
    const facts = all.map(({ relation, head, tail }): Fact => {
      let other = Math.floor(random() * nodes)
      while (known.has(`${relation} ${head} ${other}`)) other = Math.floor(random() * nodes)
      return [relation, head, tail, other]
    })
    return Array.from({ length: Math.ceil(facts.length / batch) }, (_, at) =>
      facts.slice(at * batch, (at + 1) * batch),
    )
  }
}

/** With empty rows behind, up to a multiple of 8, as the kernels want them. */
function toEights(rows: SparseRows): SparseRows {
  const count = rows.starts.length - 1
  const starts = new Uint32Array(8 * Math.ceil(count / 8) + 1).fill(rows.starts[count]!)
  starts.set(rows.starts)
  return { ...rows, starts }
}
