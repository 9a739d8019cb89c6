import { existsSync } from 'node:fs'
import type { AgentCard, ToolCard } from '../../src/domain/card.ts'
import type { JudgedQuery } from '../../src/evaluation/datasets/dataset.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { search } from '../../src/retrieval/search/search.ts'
import { atLeast, type Bench, type Table } from '../bench.ts'
import { readSet } from '../dev-sets.ts'
import { outcomesFile } from '../model-outcomes.ts'
import { noModel, shippedModel } from '../static-model-folder.ts'
import { spread } from '../workplace.ts'
import { backbonesTable } from './backbones.ts'
import { setScores } from './set-scores.ts'
import { agentOf, type Edit, edits, type Ideal, type Scores, variantsOf } from './edits.ts'

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
    const drops: { readonly [way in Way]: Drop[] } = { search: [], making: [], judging: [] }
    for (const set of sets) {
      log(`counterfactual: ${set}`)
      const found = await dropsOf(data, set, {
        model: remembering(shipped),
        most: quick ? perSet.quick : perSet.all,
      })
      for (const { way, edit, drop } of found) drops[way].push({ set, edit, drop })
    }
    const swaps = existsSync(outcomesFile(data))
      ? [await backbonesTable({ data, quick, log }, shipped.plain ?? shipped)]
      : []
    await shipped.close()
    const share = (edit: Edit): number | undefined =>
      quick ? undefined : 100 * noticed(ofEdit(drops.search, edit)).mean
    return {
      tables: [
        ...(Object.keys(ways) as Way[]).map((way) => editsTable(drops[way], ways[way])),
        ...swaps,
        setsTable(drops.search),
      ],
      notes: [
        'Scores are those of a search of agents by the ranker that ships (AUDITION_READER=none: without its reader), in an index of all variants of a request, the agents of other requests of its set and the tools it might need. Noticed: the right agent scores strictly higher. 95% bootstrap intervals.',
        'The tools as a set: how right they are for the request by the measure that composing goes by, of a search for tools among those of the set. A tool that composing does not find is not needed.',
        'Paper, five runs of five requests: swap the backbone 92%, add irrelevant 84%, add redundant 44%.',
      ],
      floors: [
        atLeast('a swapped needed tool is noticed', 92, share('swap the needed tool'), '%'),
        atLeast('an irrelevant tool is noticed', 84, share('add an irrelevant tool'), '%'),
      ],
    }
  },
}

/** What tells the right agent from its edits. */
const ways = {
  search: 'Edits of the right agent, a search of agents',
  making: 'The same edits, the tools as a set: expected F3, as composing makes sets',
  judging: 'The same edits, the tools as a set: expected F1',
} as const
type Way = keyof typeof ways

type Drop = { readonly set: string; readonly edit: Edit; readonly drop: number }

/** How much the score falls, request by request and edit by edit. */
async function dropsOf(
  data: string,
  set: string,
  { model, most }: { readonly model: EmbeddingModel; readonly most: number },
): Promise<readonly (Omit<Drop, 'set'> & { readonly way: Way })[]> {
  const { cards, queries } = readSet(data, set)
  const tools = new Map(cards.flatMap((card) => (card.kind === 'tool' ? [[card.id, card]] : [])))
  const neededBy = ({ grades }: JudgedQuery): readonly ToolCard[] =>
    [...grades].flatMap(([id, grade]) => (grade > 0 ? (tools.get(id) ?? []) : []))
  const several = queries.filter((query) => neededBy(query).length >= 2)
  const snapshot = await memorySnapshot(cards, model)
  const drops: (Omit<Drop, 'set'> & { readonly way: Way })[] = []
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
    const byCard = await scored(query, { ideal, beside, tools: [...pool.values()], model })
    const bySet = await setScores(query.text, ideal, { snapshot, model })
    for (const edit of Object.keys(edits) as Edit[]) {
      drops.push({ way: 'search', edit, drop: byCard.full - byCard[edit] })
      if (edit !== 'swap the backbone')
        for (const way of ['making', 'judging'] as const)
          drops.push({ way, edit, drop: bySet[way].full - bySet[way][edit] })
    }
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

/** Scores of the right agent and of its edits in a search. */
async function scored(query: JudgedQuery, { ideal, beside, tools, model }: Beside): Promise<Scores> {
  const variants = variantsOf(query.id, ideal)
  const snapshot = await memorySnapshot([...variants.values(), ...beside, ...tools], model)
  const { candidates } = await search(
    { snapshot, model },
    { kind: 'agent', query: query.text, k: ranked, pack: 'ranking' },
  )
  const scores = new Map(candidates.map(({ card, score }) => [card.id, score]))
  // A variant that is not found among so many scores nothing.
  return Object.fromEntries(
    [...variants].map(([variant, { id }]) => [variant, scores.get(id) ?? 0]),
  ) as Scores
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

const ofEdit = (drops: readonly Drop[], edit: Edit): readonly number[] =>
  drops.flatMap((one) => (one.edit === edit ? [one.drop] : []))

const editsIn = (drops: readonly Drop[]): readonly Edit[] => [...new Set(drops.map(({ edit }) => edit))]

function editsTable(drops: readonly Drop[], title: string): Table {
  return {
    title,
    head: ['edit', 'requests', 'mean drop of the score', 'noticed', 'scores the same'],
    rows: editsIn(drops).map((edit) => {
      const values = ofEdit(drops, edit)
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

function setsTable(drops: readonly Drop[]): Table {
  const present = sets.filter((set) => drops.some((one) => one.set === set))
  return {
    title: 'Noticed by a search of agents, by set, per cent',
    head: ['edit', ...present],
    rows: editsIn(drops).map((edit) => [
      edit,
      ...present.map((set) =>
        (
          100 *
          noticed(
            ofEdit(
              drops.filter((one) => one.set === set),
              edit,
            ),
          ).mean
        ).toFixed(0),
      ),
    ]),
  }
}
