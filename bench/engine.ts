import { join } from 'node:path'
import { readStoredHead } from '../src/adapters/lancedb/head.ts'
import { connectTo, openMeta } from '../src/adapters/lancedb/connection.ts'
import { nearest } from '../src/adapters/lancedb/engine/engine-indexes.ts'
import { searchedLength } from '../src/adapters/lancedb/engine/engine-rows.ts'
import { vectorDepth } from '../src/adapters/lancedb/engine/engine-snapshot.ts'
import { cardTables } from '../src/adapters/lancedb/schemas.ts'
import { openAudition } from '../src/compose/app.ts'
import { modelOf } from '../src/compose/open-models.ts'
import { openStore } from '../src/compose/open-store.ts'
import { configFrom } from '../src/config.ts'
import type { Card } from '../src/domain/card.ts'
import { rank } from '../src/domain/ranking.ts'
import { bundled } from '../src/evaluation/datasets/bundled.ts'
import type { DatasetPart } from '../src/evaluation/datasets/dataset.ts'
import { ndcgAt } from '../src/evaluation/measures/ndcg.ts'
import { type LancedbServer, lancedbServer } from '../test/fixtures/lancedb-server/lancedb-server.ts'
import { atLeast, atMost, type Bench, type Findings, fixed } from './bench.ts'
import { devSets, readSet } from './dev-sets.ts'
import { percentiles } from './statistics.ts'
import { root } from './built-program.ts'
import { spread, type Workplace } from './workplace.ts'

/** Besides, so many queries of each development set over the tools of all: enough tools for an index of vectors. */
const queriesPerSet = 8

/** One set of `../shared/data` beside our own catalog: the largest of those that nothing was chosen by. */
const beside = 'apizoo'
const depth = 10

/** What one part's queries gave. */
type Measured = {
  readonly part: string
  readonly cards: number
  readonly local: Side
  readonly engine: Side
  /** Share of the queries with the same first card, and of the first ten cards that are the same. */
  readonly first: number
  readonly shared: number
  /** Requests for candidates, the most of a search; and all on average, with looks for news. */
  readonly requests: { readonly most: number; readonly mean: number }
  /** Of the rows nearest to a request, the share that the index gives; null without an index. */
  readonly recall: number | null
}
type Side = { readonly ndcg: number; readonly milliseconds: number }

/** The same catalog in a folder and in an engine. */
export const engine: Bench = {
  name: 'engine',
  question: 'What does a store in LanceDB Enterprise cost in quality and requests, against one in a folder?',
  async run(workplace) {
    const server = await lancedbServer()
    try {
      const measured: Measured[] = []
      for (const part of await partsOf(workplace)) measured.push(await measure(workplace, server, part))
      return findingsOf(measured)
    } finally {
      await server.close()
    }
  },
}

async function partsOf({ data, quick }: Workplace): Promise<readonly DatasetPart[]> {
  const own = await bundled.read(join(root, 'evals', 'bundled'), [])
  const parts = data === null ? own.parts : [...own.parts, readSet(data, beside)]
  const asked = parts.map((part) => ({ ...part, queries: spread(part.queries, quick ? 20 : 200) }))
  return data === null || quick ? asked : [...asked, joinedPart(data)]
}

function joinedPart(data: string): DatasetPart {
  const sets = devSets.map((name) => readSet(data, name))
  return {
    name: 'joined',
    kind: 'tool',
    cards: sets.flatMap(({ cards }) => cards),
    queries: sets.flatMap(({ queries }) => spread(queries, queriesPerSet)),
  }
}

async function measure(workplace: Workplace, server: LancedbServer, part: DatasetPart): Promise<Measured> {
  workplace.log(`engine: ${part.name}, ${part.cards.length} cards, ${part.queries.length} queries`)
  const local = await asked(part, { AUDITION_HOME: workplace.scratch() }, null)
  Object.assign(process.env, server.environment)
  const remote = await asked(part, { AUDITION_HOME: `db://${part.name}` }, server)
  const pairs = local.found.map((ids, at) => ({ ids, others: remote.found[at]! }))
  return {
    part: part.name,
    cards: part.cards.length,
    local: local.side,
    engine: remote.side,
    first: mean(pairs.map(({ ids, others }) => (ids[0] === others[0] ? 1 : 0))),
    shared: mean(pairs.map(({ ids, others }) => ids.filter((id) => others.includes(id)).length / depth)),
    requests: {
      most: Math.max(...remote.requests.map((asked) => asked.filter(isForCandidates).length)),
      mean: mean(remote.requests.map(({ length }) => length)),
    },
    recall: await recallOf(part),
  }
}

/** Asks for the nearest rows as a search does, and so that the engine looks at every row. */
async function recallOf({ name, kind, queries }: DatasetPart): Promise<number | null> {
  const config = configFrom({ AUDITION_HOME: `db://${name}` })
  const model = await modelOf(config, fetch)
  const connection = await connectTo(config.home)
  try {
    const meta = (await openMeta({ location: config.home, connection }))!
    const { head } = await readStoredHead(meta)
    const table = await connection.openTable(head!.names[cardTables[kind]]!)
    const has = (await table.listIndices()).some(({ columns }) => columns.includes('vector'))
    if (!has || model === null) return null
    const length = searchedLength(head!.embedding!)
    const shares: number[] = []
    for (const { text } of queries) {
      const vectors = (await model.embed([text], 'query')).map((vector) => vector.subarray(0, length))
      const ids = async (query: ReturnType<typeof nearest>): Promise<string[]> =>
        (await query.where('born <= 1').select(['id']).limit(vectorDepth).toArray()).map(({ id }) => id)
      const found = new Set(await ids(nearest(table, vectors)))
      const exact = await ids(nearest(table, vectors).bypassVectorIndex())
      shares.push(exact.filter((id) => found.has(id)).length / exact.length)
    }
    return mean(shares)
  } finally {
    connection.close()
    await model?.close()
  }
}

const isForCandidates = (request: string): boolean => /^query (?:tools|agents)/.test(request)

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

async function asked(
  { cards, queries, kind }: DatasetPart,
  env: NodeJS.ProcessEnv,
  server: LancedbServer | null,
) {
  const config = configFrom(env)
  await put(config, cards)
  await server?.settle()
  const audition = openAudition(config)
  const found: (readonly string[])[] = []
  const scores: number[] = []
  const milliseconds: number[] = []
  const requests: (readonly string[])[] = []
  try {
    await audition.search({ kind, query: 'warm up' })
    for (const { text, grades } of queries) {
      const before = server?.requests.length ?? 0
      const started = performance.now()
      const { candidates } = await audition.search({ kind, query: text, k: depth, pack: 'ranking' })
      milliseconds.push(performance.now() - started)
      requests.push(server?.requests.slice(before) ?? [])
      found.push(candidates.map(({ card }) => card.id))
      const ranking = rank(candidates.map(({ card, score }) => ({ id: card.id, score })))
      if (grades.size > 0) scores.push(ndcgAt(ranking, grades, depth))
    }
  } finally {
    await audition.close()
  }
  return {
    found,
    requests,
    side: { ndcg: 100 * mean(scores), milliseconds: percentiles(milliseconds).p50 },
  }
}

/** Cards of a catalog as an index run commits them. */
async function put(config: ReturnType<typeof configFrom>, cards: readonly Card[]): Promise<void> {
  const store = openStore(config, fetch)
  const change = { put: cards, remove: [], sources: [], removeSources: [] }
  try {
    await store.write({}, (writer) => writer.commit(change))
  } finally {
    await store.close()
  }
}

function findingsOf(measured: readonly Measured[]): Findings {
  const losses = measured.map(({ local, engine: remote }) => local.ndcg - remote.ndcg)
  return {
    tables: [
      {
        title: `nDCG@${depth} and what else differs`,
        head: [
          'part',
          'cards',
          'folder',
          'engine',
          'same first',
          'same ten',
          'recall',
          'requests',
          'with looks',
          'ms folder',
          'ms engine',
        ],
        rows: measured.map(({ part, cards, local, engine: remote, first, shared, requests, recall }) => [
          part,
          `${cards}`,
          local.ndcg.toFixed(1),
          remote.ndcg.toFixed(1),
          ...[first, shared].map((share) => `${(100 * share).toFixed(0)}%`),
          recall?.toFixed(3) ?? 'no index',
          `${requests.most}`,
          requests.mean.toFixed(2),
          ...[local, remote].map((side) => fixed(side.milliseconds)),
        ]),
      },
    ],
    notes: [
      'The engine is a server of the tests on this machine: it speaks the REST protocol of LanceDB Cloud and Enterprise, over tables that LanceDB keeps in a folder. Its times say nothing of the real service.',
      'A search asks the engine once by words and once by vectors; one for agents once more, for their tools. Every five seconds at most it looks for a newer commit, and a record where there is one for newer outcomes.',
      ...(measured.some(({ part }) => part === beside) ? [] : [`skipped: data not present (${beside})`]),
    ],
    floors: [
      atMost('nDCG@10 lost, any part', 1, Math.max(...losses)),
      atMost(
        'requests for candidates, any search',
        3,
        Math.max(...measured.map(({ requests }) => requests.most)),
      ),
      ...measured.flatMap(({ part, recall }) =>
        recall === null
          ? []
          : [
              atLeast(
                `share of the ${vectorDepth} nearest tools that the index gives, ${part}`,
                0.98,
                recall,
              ),
            ],
      ),
      atLeast(
        'first cards that are the same, any part',
        0.85,
        Math.min(...measured.map(({ first }) => first)),
      ),
    ],
  }
}
