import type { AgentCard, ToolCard } from '../../src/domain/card.ts'
import type { JudgedQuery } from '../../src/evaluation/datasets/dataset.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'
import { memorySnapshot } from '../../src/retrieval/index/memory-snapshot.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { search } from '../../src/retrieval/search.ts'
import { atLeast, type Bench, type Table } from '../bench.ts'
import { readSet } from '../dev-sets.ts'
import { noModel, shippedModel } from '../static-model-folder.ts'
import { spread } from '../workplace.ts'
import { agentOf, type Edit, edits, type Ideal, variantsOf } from './edits.ts'

/** Development sets with requests that need several tools. */
const sets = [
  'ultratool',
  'toollens',
  'nestful',
  'appbench',
  'callnavi',
  'apigen',
  'restgpt-tmdb',
  'restgpt-spotify',
]
const perSet = { all: 40, quick: 4 }
/** Models that an agent may run on; a search of agents says which of them are best for a request. */
const backbones = [
  'claude-sonnet-4-5',
  'gpt-5',
  'gemini-2.5-pro',
  'llama-3.3-70b-instruct',
  'mistral-large',
  'qwen2.5-coder-32b',
]
/** Agents of other requests that stand beside the variants. */
const background = 100
/** Tools that a search ranks: the most it gives. */
const ranked = 100

/** Whether the shipped ranking tells a right agent from one with a fault. */
export const counterfactual: Bench = {
  name: 'counterfactual',
  question: 'Does search rank the agent that a request needs above the same agent with a fault?',
  async run({ data, quick, log }) {
    if (data === null) return { tables: [], notes: ['skipped: data not present'], floors: [] }
    const shipped = await shippedModel()
    if (shipped === null) return { tables: [], notes: [noModel], floors: [] }
    const drops = new Map<Edit, { readonly set: string; readonly drop: number }[]>()
    for (const set of sets) {
      log(`counterfactual: ${set}`)
      for (const [edit, values] of await dropsOf(data, set, {
        model: remembering(shipped),
        most: quick ? perSet.quick : perSet.all,
      }))
        drops.set(edit, [...(drops.get(edit) ?? []), ...values.map((drop) => ({ set, drop }))])
    }
    await shipped.close()
    const share = (edit: Edit): number | undefined =>
      quick ? undefined : 100 * noticed((drops.get(edit) ?? []).map(({ drop }) => drop)).mean
    return {
      tables: [editsTable(drops), setsTable(drops)],
      notes: [
        'Scores are those of a search of agents by the ranker that ships (AUDITION_READER=none: without its reader), in an index of all variants of a request, the agents of other requests of its set and the tools it might need. Noticed: the right agent scores strictly higher. 95% bootstrap intervals.',
        'Paper, five runs of five requests: swap the backbone 92%, add irrelevant 84%, add redundant 44%.',
      ],
      floors: [
        atLeast('a swapped needed tool is noticed', 92, share('swap the needed tool'), '%'),
        atLeast('an irrelevant tool is noticed', 84, share('add an irrelevant tool'), '%'),
      ],
    }
  },
}

type Drops = ReadonlyMap<Edit, readonly { readonly set: string; readonly drop: number }[]>

/** Per edit how much the score falls, request by request. */
async function dropsOf(
  data: string,
  set: string,
  { model, most }: { readonly model: EmbeddingModel; readonly most: number },
): Promise<ReadonlyMap<Edit, readonly number[]>> {
  const { cards, queries } = readSet(data, set)
  const tools = new Map(cards.flatMap((card) => (card.kind === 'tool' ? [[card.id, card]] : [])))
  const neededBy = ({ grades }: JudgedQuery): readonly ToolCard[] =>
    [...grades].flatMap(([id, grade]) => (grade > 0 ? (tools.get(id) ?? []) : []))
  const several = queries.filter((query) => neededBy(query).length >= 2)
  const snapshot = await memorySnapshot(cards, model)
  const drops = new Map<Edit, number[]>()
  for (const query of spread(several, most)) {
    const found = await search(
      { snapshot, model },
      { kind: 'tool', query: query.text, k: ranked, pack: 'ranking' },
    )
    const order = found.candidates.flatMap(({ card }) => (card.kind === 'tool' ? [card] : []))
    const needed = [...neededBy(query)].sort((a, b) => placeIn(order, a) - placeIn(order, b))
    const others = order.filter((card) => !needed.includes(card) && !needed.some(({ id }) => id === card.id))
    if (others.length < 2) continue
    const ideal = {
      backbones: await bestBackbones(query.text, model),
      needed,
      irrelevant: others.at(-1)!,
      redundant: others[0]!,
    }
    const beside = spread(several, background).flatMap((other) =>
      other === query ? [] : [agentOf(`beside ${other.id}`, null, neededBy(other))],
    )
    const pool = new Map([...order, ...needed].map((card) => [card.id, card]))
    for (const [edit, drop] of await scored(query, { ideal, beside, tools: [...pool.values()], model }))
      drops.set(edit, [...(drops.get(edit) ?? []), drop])
  }
  return drops
}

const placeIn = (order: readonly ToolCard[], { id }: ToolCard): number => {
  const place = order.findIndex((card) => card.id === id)
  return place < 0 ? order.length : place
}

type Beside = {
  readonly ideal: Ideal
  readonly beside: readonly AgentCard[]
  readonly tools: readonly ToolCard[]
  readonly model: EmbeddingModel
}

/** How much less than the right agent each edit scores. */
async function scored(
  query: JudgedQuery,
  { ideal, beside, tools, model }: Beside,
): Promise<readonly (readonly [Edit, number])[]> {
  const variants = variantsOf(query.id, ideal)
  const snapshot = await memorySnapshot([...variants.values(), ...beside, ...tools], model)
  const { candidates } = await search(
    { snapshot, model },
    { kind: 'agent', query: query.text, k: ranked, pack: 'ranking' },
  )
  const scores = new Map(candidates.map(({ card, score }) => [card.id, score]))
  // A variant that is not found among so many scores nothing.
  const scoreOf = (variant: Edit | 'full'): number => scores.get(variants.get(variant)!.id) ?? 0
  return (Object.keys(edits) as Edit[]).map((edit) => [edit, scoreOf('full') - scoreOf(edit)] as const)
}

/** Backbones by a search of agents that are a model alone; ties as they stand in the list. */
async function bestBackbones(text: string, model: EmbeddingModel): Promise<readonly string[]> {
  const snapshot = await memorySnapshot(
    backbones.map((name) => agentOf(`model ${name}`, name, [])),
    model,
  )
  const { candidates } = await search(
    { snapshot, model },
    { kind: 'agent', query: text, k: backbones.length, pack: 'ranking' },
  )
  const found = candidates.flatMap(({ card }) =>
    card.kind === 'agent' && card.backbone ? [card.backbone.name] : [],
  )
  return [...new Set([...found, ...backbones])]
}

/** The same model, which reads a card once. */
function remembering(model: EmbeddingModel): EmbeddingModel {
  const known = new Map<string, Float32Array>()
  const embedCards = model.embedCards?.bind(model)
  if (embedCards === undefined) return model
  return {
    ...model,
    async embedCards(cards) {
      const fresh = cards.filter(({ id }) => !known.has(id))
      const vectors = await embedCards(fresh)
      for (const [place, { id }] of fresh.entries()) known.set(id, vectors[place]!)
      return cards.map(({ id }) => known.get(id)!)
    },
  }
}

const noticed = (drops: readonly number[]) => bootstrapMean(drops.map((drop) => (drop > 0 ? 1 : 0)))

function editsTable(drops: Drops): Table {
  return {
    title: 'Edits of the right agent, all requests',
    head: ['edit', 'requests', 'mean drop of the score', 'noticed', 'scores the same'],
    rows: [...drops].map(([edit, all]) => {
      const values = all.map(({ drop }) => drop)
      const [drop, share] = [bootstrapMean(values), noticed(values)]
      const percent = (value: number): string => (100 * value).toFixed(1)
      return [
        edit,
        `${values.length}`,
        `${drop.mean.toFixed(3)} (${drop.low.toFixed(3)} to ${drop.high.toFixed(3)})`,
        `${percent(share.mean)}% (${percent(share.low)} to ${percent(share.high)})`,
        `${percent(values.filter((value) => value === 0).length / values.length)}%`,
      ]
    }),
  }
}

function setsTable(drops: Drops): Table {
  const present = sets.filter((set) => [...drops.values()].some((all) => all.some((one) => one.set === set)))
  return {
    title: 'Noticed, by set, per cent',
    head: ['edit', ...present],
    rows: [...drops].map(([edit, all]) => [
      edit,
      ...present.map((set) =>
        (100 * noticed(all.filter((one) => one.set === set).map(({ drop }) => drop)).mean).toFixed(0),
      ),
    ]),
  }
}
