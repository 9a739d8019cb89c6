import { readToolretSet } from '../evals/benchmarks/src/toolret/toolret-folders.ts'
import { composeAgents } from '../src/assembling/compose-agents.ts'
import type { ComposingParts } from '../src/assembling/ports.ts'
import type { Card } from '../src/domain/card.ts'
import type { JudgedQuery } from '../src/evaluation/datasets/dataset.ts'
import { memorySnapshot } from '../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../src/retrieval/ports.ts'
import { search } from '../src/retrieval/search/search.ts'
import { atLeast, atMost, type Bench, fixed, type Table } from './bench.ts'
import { mean } from './scores.ts'
import { noModel, shippedModel } from './static-model-folder.ts'
import { percentiles } from './statistics.ts'
import { spread } from './workplace.ts'

/** Sets that the weights of a composition were chosen on. Of toollens the publisher's train split. */
const trainSets = ['ultratool-plans', 'toollens', 'seal-tools', 'nestools', 'toolbench-g1-train', 'bfcl']
/** Sets that are measured only. */
const devSets = [
  'ultratool',
  'toollens',
  'nestful',
  'appbench',
  'callnavi',
  'restgpt-spotify',
  'restgpt-tmdb',
]
const perSet = { all: 200, quick: 20 }
const latencySize = 50_000
const latencyQueries = 80

/** Whether composed profiles hold the tools that requests need, and what composing takes. */
export const compose: Bench = {
  name: 'compose',
  question: 'Does a composed profile hold every tool that its task needs, and how long does composing take?',
  async run({ data, quick, log }) {
    if (data === null) return { tables: [], notes: ['skipped: data not present'], floors: [] }
    const model = await shippedModel()
    if (model === null) return { tables: [], notes: [noModel], floors: [] }
    const most = quick ? perSet.quick : perSet.all
    const measured = async (names: readonly string[], part: 'train' | 'dev', need: Need) => {
      const rows = []
      for (const name of names) {
        log(`compose: ${part}, ${name}`)
        const { cards, queries } = setOf(data, name, part)
        const wanted = spread(
          queries.filter((query) => need(neededBy(query).size)),
          most,
        )
        if (wanted.length > 0) rows.push({ name, ...(await measure(partsOver(cards, model), wanted)) })
      }
      return rows
    }
    const several: Need = (count) => count >= 2
    const train = await measured(trainSets, 'train', several)
    const single = await measured(trainSets, 'train', (count) => count === 1)
    const dev = await measured(devSets, 'dev', several)
    const milliseconds = quick ? [] : await times(data, model)
    await model.close()
    const p50 = milliseconds.length === 0 ? undefined : percentiles(milliseconds).p50
    const whole = quick ? [] : dev
    return {
      tables: [
        tableOf('Development sets, requests that need two tools or more', dev),
        tableOf('Training sets, requests that need two tools or more', train),
        tableOf('Training sets, requests that need one tool', single),
      ],
      notes: [
        'Without a language model, by the built-in model (AUDITION_READER=none: without its reader), each set over its own tools. First: the first profile holds every needed tool; three: one of the first three does.',
        'Precision: share of the tools in the first profile that are needed; recall: share of the needed tools that it holds.',
        ...(p50 === undefined
          ? []
          : [
              `Composing over ${latencySize.toLocaleString('en')} tools, processor time: p50 ${fixed(p50)} ms, p95 ${fixed(percentiles(milliseconds).p95)} ms over ${milliseconds.length} requests.`,
            ]),
      ],
      floors: [
        atLeast(
          'first profile holds every needed tool, requests of the development sets',
          55,
          pooled(whole, ({ first }) => first),
          '%',
        ),
        atLeast(
          'one of the first three does',
          70,
          pooled(whole, ({ three }) => three),
          '%',
        ),
        atMost(
          `p50 of processor time of composing over ${latencySize.toLocaleString('en')} tools`,
          60,
          p50,
          ' ms',
        ),
      ],
    }
  },
}

type Need = (count: number) => boolean

const neededBy = ({ grades }: JudgedQuery): ReadonlySet<string> =>
  new Set([...grades].flatMap(([id, grade]) => (grade > 0 ? [id] : [])))

function setOf(data: string, name: string, part: 'train' | 'dev') {
  const { cards, queries } = readToolretSet(data, name, part === 'train' ? 'all' : 'evaluation').part
  if (part === 'dev') return { cards, queries }
  // Of a set that its publisher split nothing of the other part is looked at.
  const held = new Set(
    devSets.includes(name) ? readToolretSet(data, name).part.queries.map(({ id }) => id) : [],
  )
  return { cards, queries: queries.filter(({ id }) => !held.has(id)) }
}

/** Searches in memory; every tool may be taken, and no model runs. */
function partsOver(cards: readonly Card[], model: EmbeddingModel): ComposingParts {
  const snapshot = memorySnapshot(cards, model)
  return {
    search: async (request, signal) => search({ snapshot: await snapshot, model }, request, signal),
    servers: async () => null,
    serverOf: ({ source }) => ({ name: source, entry: { command: 'true' }, variables: [] }),
    models: { configured: [], reached: () => null },
    modelScores: async (_, models) => models.map(() => 1),
    shortlister: null,
  }
}

type Measured = {
  readonly requests: number
  readonly needed: number
  readonly tools: number
  readonly first: number
  readonly three: number
  readonly precision: number
  readonly recall: number
}

async function measure(parts: ComposingParts, queries: readonly JudgedQuery[]): Promise<Measured> {
  const rows: { needed: number; tools: number; right: number; first: number; three: number }[] = []
  for (const query of queries) {
    const needed = neededBy(query)
    const { profiles } = await composeAgents(query.text, { k: 3 }, parts)
    const sets = profiles.map(({ tools }) => new Set(tools.map(({ id }) => id)))
    const [best = new Set<string>()] = sets
    const right = [...needed].filter((id) => best.has(id)).length
    const isWhole = (set: ReadonlySet<string>): boolean => [...needed].every((id) => set.has(id))
    rows.push({
      needed: needed.size,
      tools: best.size,
      right,
      first: isWhole(best) ? 1 : 0,
      three: sets.some(isWhole) ? 1 : 0,
    })
  }
  const meanOf = (of: (row: (typeof rows)[number]) => number): number => mean(rows.map(of))
  return {
    requests: rows.length,
    needed: meanOf(({ needed }) => needed),
    tools: meanOf(({ tools }) => tools),
    first: 100 * meanOf(({ first }) => first),
    three: 100 * meanOf(({ three }) => three),
    precision: 100 * meanOf(({ right, tools }) => (tools === 0 ? 0 : right / tools)),
    recall: 100 * meanOf(({ right, needed }) => right / needed),
  }
}

const columns = ['needed', 'tools', 'first', 'three', 'precision', 'recall'] as const

function tableOf(title: string, rows: readonly (Measured & { readonly name: string })[]): Table {
  const cells = (of: (column: (typeof columns)[number]) => number) =>
    columns.map((column) => of(column).toFixed(column === 'needed' || column === 'tools' ? 2 : 1))
  return {
    title,
    head: ['set', 'requests', 'tools needed', 'tools held', 'first', 'three', 'precision', 'recall'],
    rows: [
      ...rows.map((row) => [row.name, `${row.requests}`, ...cells((column) => row[column])]),
      ['mean of the sets', '', ...cells((column) => mean(rows.map((row) => row[column])))],
      [
        'all requests',
        `${rows.reduce((sum, { requests }) => sum + requests, 0)}`,
        ...cells((column) => pooled(rows, (row) => row[column]) ?? Number.NaN),
      ],
    ],
  }
}

/** The mean over all requests; undefined without any. */
function pooled(rows: readonly Measured[], of: (row: Measured) => number): number | undefined {
  const total = rows.reduce((sum, { requests }) => sum + requests, 0)
  return total === 0 ? undefined : rows.reduce((sum, row) => sum + row.requests * of(row), 0) / total
}

/** Milliseconds of processor time of each composition over as many tools as there are of all sets, once each after a warm-up. */
async function times(data: string, model: EmbeddingModel): Promise<readonly number[]> {
  const sets = [
    ...new Set([
      ...trainSets,
      ...devSets,
      'toucan-mcp-corpus',
      'apizoo',
      'apigen',
      'gorilla-tensor',
      'acebench',
      'bfcl-live',
    ]),
  ]
  const read = sets.map((name) => readToolretSet(data, name).part)
  const parts = partsOver(read.flatMap(({ cards }) => cards).slice(0, latencySize), model)
  const all = read.flatMap((part) => part.queries.filter((query) => neededBy(query).size >= 2))
  const queries = spread(all, latencyQueries)
  // Others than those that are timed: a model remembers what it read last.
  const warmUp = spread(
    all.filter((query) => !queries.includes(query)),
    10,
  )
  const taken: number[] = []
  for (const [place, { text }] of [...warmUp, ...queries].entries()) {
    const from = process.cpuUsage()
    await composeAgents(text, {}, parts)
    const { user, system } = process.cpuUsage(from)
    if (place >= 10) taken.push((user + system) / 1000)
  }
  return taken
}
