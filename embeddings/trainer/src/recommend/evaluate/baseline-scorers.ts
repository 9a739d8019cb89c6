import { rank } from '../../../../../src/domain/ranking.ts'
import { bagOf, dot } from '../baselines/bpr.ts'
import { trainDnn } from '../baselines/dnn.ts'
import type { GraphVectors } from '../baselines/edges.ts'
import { trainFactors } from '../baselines/factors.ts'
import { trainGraph } from '../baselines/graph.ts'
import { nearestQueries } from '../baselines/nearest-queries.ts'
import type { Relation } from '../baselines/relations.ts'
import { trainInteraction } from '../baselines/train-interaction.ts'
import { agentRows, fitAgents } from '../features/agent-features.ts'
import { rowOf, type SparseRow, type SparseRows, sparseRows } from '../features/sparse-rows.ts'
import { fitTerms, termWeigher } from '../features/tf-idf.ts'
import { trainOneRec } from '../generative/one-rec.ts'
import { agentVectors } from '../tower/two-tower.ts'
import { byScores, type Scorer, type ScorerInput } from './scorer.ts'

const mostTerms = 5000

/** Ids, and terms where they are wanted; a query that was not learned from has the ids of those next to it. */
export async function factors(
  input: ScorerInput,
  { terms, epochs }: { readonly terms: 'with' | 'without'; readonly epochs: number },
): Promise<Scorer> {
  const {
    recommendations: { agents },
    train,
    asked,
    signal,
  } = input
  const texts = train.map(({ text }) => text)
  const weigh = terms === 'with' ? termWeigher(fitTerms(texts, mostTerms)) : (): SparseRow => []
  const queryRow = (ids: SparseRow, text: string): SparseRow => [
    ...ids,
    ...weigh(text).map(([place, value]) => [train.length + place, value] as const),
  ]
  const width = train.length + mostTerms
  const near = nearestQueries(texts)
  const vocabulary = fitAgents(agents, agents)
  const rows = agentRows(agents, vocabulary)
  const own = terms === 'with' ? beside(rows.ids, rows.content) : rows.ids
  const learned = sparseRows(
    texts.map((text, query) => queryRow([[query, 1]], text)),
    width,
  )
  const trained = await trainFactors(learned, own, {
    positives: train.map(({ positives }) => positives),
    epochs,
    signal,
  })
  const newRows = sparseRows(
    asked.map(({ text }) => queryRow(near(text), text)),
    width,
  )
  const placeOf = new Map(asked.map((query, place) => [query.id, place]))
  const vectors = agents.map((_, agent) => bagOf(trained.agent, own, agent, trained.width))
  return byScores(input, ({ id }, pool) => {
    const vector = bagOf(trained.query, newRows, placeOf.get(id)!, trained.width)
    return pool.map((agent) => dot(vector, vectors[agent]!))
  })
}

/** A network over the texts of both and the ids of agents that were learned from. */
export async function dnn(input: ScorerInput): Promise<Scorer> {
  const { train, signal, recommendations } = input
  const { agents } = recommendations
  const learned = [...new Set(train.flatMap(({ positives }) => positives))].map((place) => agents[place]!)
  const vocabulary = fitAgents(agents, learned)
  const { queries, placeOf } = queryTerms(input)
  const score = await trainDnn(
    {
      queries,
      content: agentRows(agents, vocabulary).content,
      models: agentRows(agents, vocabulary, ['model id']).ids,
      tools: agentRows(agents, vocabulary, ['tool id']).ids,
    },
    { positives: train.map(({ positives }) => positives), epochs: 5, signal },
  )
  return byScores(input, ({ id }, pool) => score(placeOf.get(id)!, pool))
}

/** Spells agents of the pool by codes of the tower's vectors. */
export async function oneRec(input: ScorerInput): Promise<Scorer> {
  const { train, signal, recommendations, recommender } = input
  const { agents } = recommendations
  const { queries, placeOf } = queryTerms(input)
  const spell = await trainOneRec(
    { queries, vectors: agentVectors(recommender.tower, agents), agents: agents.length },
    { positives: train.map(({ positives }) => positives), epochs: 5, signal },
  )
  return ({ id }, pool) =>
    rank([...spell(placeOf.get(id)!, pool)].map(([agent, score]) => ({ id: agents[agent]!.id, score })))
}

type GraphKind = 'lightgcn' | 'simgcl' | 'ngcf' | 'kgat'

/** Over the track record of tasks and agents; a query that is not in it has the vectors of those next to it. */
export async function graph(input: ScorerInput, kind: GraphKind): Promise<Scorer> {
  const { train } = input
  const { width, queries, agents } = await trainedGraph(input, kind)
  const near = nearestQueries(train.map(({ text }) => text))
  return byScores(input, ({ text }, pool) => {
    const vector = bagOf(queries, sparseRows([near(text)], train.length), 0, width)
    return pool.map((agent) => dot(vector, agents.subarray(agent * width, (agent + 1) * width)))
  })
}

/** Queries begin with an id; agents with an id, their texts, and the ids of their tools and model. To KGAT these are nodes. */
function trainedGraph(input: ScorerInput, kind: GraphKind): Promise<GraphVectors> {
  const { recommendations, train, signal } = input
  const { agents } = recommendations
  const vocabulary = fitAgents(agents, agents)
  const { content, ids } = agentRows(agents, vocabulary)
  const positives = train.map((query) => query.positives)
  const nodes = kind === 'kgat' ? content : beside(ids, content)
  const count = train.length + agents.length + (kind === 'kgat' ? ids.width : 0)
  const features = sparseRows(
    Array.from({ length: count }, (_, node): SparseRow => {
      const agent = node - train.length
      const known = agent >= 0 && agent < agents.length ? rowOf(nodes, agent) : []
      return [[node, 1], ...known.map(([place, value]) => [count + place, value] as const)]
    }),
    count + nodes.width,
  )
  const record = { positives, agents: agents.length, features }
  if (kind === 'ngcf') return trainInteraction(record, { signal })
  if (kind !== 'kgat') return trainGraph(record, { kind, epochs: kind === 'simgcl' ? 10 : 6, signal })
  const partsOf = (isPart: (part: number) => boolean): Pairs =>
    agents.flatMap((_, agent) =>
      rowOf(ids, agent).flatMap(([part]) =>
        isPart(part) ? [[train.length + agent, train.length + agents.length + part] as const] : [],
      ),
    )
  const relations = [
    positives.flatMap((own, query) => own.map((agent) => [query, train.length + agent] as const)),
    partsOf((part) => part < vocabulary.tools.length),
    partsOf((part) => part >= vocabulary.tools.length),
  ].flatMap((pairs): Relation[] => {
    const [heads, tails] = [pairs.map(([head]) => head), pairs.map(([, tail]) => tail)]
    return [
      { heads, tails },
      { heads: tails, tails: heads },
    ]
  })
  return trainInteraction(record, { relations, signal })
}

type Pairs = readonly (readonly [head: number, tail: number])[]

/** Terms of the queries that are learned from, then of those that are asked, by their ids. */
function queryTerms({ train, asked }: ScorerInput): {
  readonly queries: SparseRows
  readonly placeOf: ReadonlyMap<string, number>
} {
  const terms = fitTerms(
    train.map(({ text }) => text),
    mostTerms,
  )
  return {
    queries: sparseRows(
      [...train, ...asked].map(({ text }) => text).map(termWeigher(terms)),
      terms.terms.length,
    ),
    placeOf: new Map(asked.map(({ id }, place) => [id, train.length + place])),
  }
}

/** Both rows of each agent, the columns of the second behind those of the first. */
const beside = (first: SparseRows, second: SparseRows): SparseRows =>
  sparseRows(
    Array.from({ length: first.starts.length - 1 }, (_, row) => [
      ...rowOf(first, row),
      ...rowOf(second, row).map(([place, value]) => [first.width + place, value] as const),
    ]),
    first.width + second.width,
  )
