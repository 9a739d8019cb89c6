import { lanceReader } from '../src/adapters/lancedb/lance-reader.ts'
import { lanceTrackRecord } from '../src/adapters/lancedb/record/track-record.ts'
import { staticModel } from '../src/adapters/static-model/static-model.ts'
import type { Outcome } from '../src/domain/outcome.ts'
import { seededRandom } from '../src/evaluation/statistics/seeded-random.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../src/retrieval/ports.ts'
import { search } from '../src/retrieval/search/search.ts'
import type { RecordIndex } from '../src/retrieval/record/record-index.ts'
import { atMost, type Bench, fixed } from './bench.ts'
import { hasModel, modelFolder, noModel } from './static-model-folder.ts'
import { median, medianPercentiles, type Percentiles, percentiles } from './statistics.ts'
import { spread, type Workplace } from './workplace.ts'

const verdicts = 100_000
/** What a search weighs: as many candidates as the ranking has, of which a host sees the first. */
const candidates = 100

/** Where the verdicts lie: on cards anywhere in the catalog, or on the very candidates of the queries, and there on few tasks or each on its own. */
const layouts = ['all cards', 'the candidates', 'the candidates, each of its own task'] as const
type Layout = (typeof layouts)[number]
/** Distinct tasks, unless each is of its own. */
const sharedTasks = 2000

/** Search with a record and without, in turn, in one process. */
export const record: Bench = {
  name: 'record',
  question: `What does a track record of ${verdicts.toLocaleString('en')} verdicts cost a search?`,
  async run(workplace) {
    if (!hasModel) return { tables: [], notes: [noModel], floors: [] }
    const size = workplace.sizes.at(workplace.quick ? 0 : 1)!
    const home = await workplace.store('audition, learned', workplace.corpus(size))
    const [reader, model] = [lanceReader(home), await staticModel(modelFolder)]
    const snapshot = await reader.snapshot()
    const queries = spread(workplace.queries(2), workplace.quick ? 8 : 16)
    const measured: { readonly where: Layout; readonly timed: Timed; readonly kept: Kept }[] = []
    for (const where of layouts) {
      const cards = where === 'all cards' ? idsOf(snapshot) : await found(snapshot, model, queries)
      workplace.log(`record: ${verdicts} verdicts on ${cards.length} cards`)
      const kept = await keep(
        workplace,
        model,
        outcomesOn(cards, queries, where === layouts[2] ? verdicts : sharedTasks),
      )
      measured.push({
        where,
        kept,
        timed: await timed(workplace, { snapshot, model, queries, record: kept.index }),
      })
      await kept.close()
    }
    await Promise.all([reader.close(), model.close()])
    return {
      tables: [
        {
          title: `Search over ${size.toLocaleString('en')} tools, ${candidates} candidates asked for`,
          head: [
            'verdicts on',
            'without p50 ms',
            'with p50 ms',
            'added p50 ms',
            'p95 without',
            'p95 with',
            'per card',
          ],
          rows: measured.map(({ where, timed: { without, withRecord, addedMs }, kept }) => [
            where,
            fixed(without.p50),
            fixed(withRecord.p50),
            fixed(addedMs),
            fixed(without.p95),
            fixed(withRecord.p95),
            fixed(verdicts / kept.cards),
          ]),
        },
        {
          title: 'The record itself',
          head: ['verdicts on', 'read whole ms', 'look for news ms', 'read one new outcome ms'],
          rows: measured.map(({ where, kept }) => [
            where,
            fixed(kept.readMs),
            fixed(kept.lookMs),
            fixed(kept.newsMs),
          ]),
        },
      ],
      notes: [
        'With and without side by side, query by query, which comes first in turn, in one process: both see the same load. What is added is the median of the differences of such pairs; the rest are medians over the passes. A verdict is on one of 2,000 tasks, a tenth of them queries of the bench, unless each has its own.',
        'Reading whole happens once in a process; after that only what was added is read, at most once a second.',
      ],
      floors: measured.map(({ where, timed: { addedMs } }) =>
        atMost(`added p50, verdicts on ${where}`, 5, addedMs, ' ms'),
      ),
    }
  },
}

/** `addedMs`: the median difference of a search with and one without, run one right after the other. */
type Timed = {
  readonly without: Percentiles
  readonly withRecord: Percentiles
  readonly addedMs: number
}
type Kept = {
  readonly index: RecordIndex
  readonly cards: number
  readonly readMs: number
  readonly lookMs: number
  readonly newsMs: number
  close(): Promise<void>
}

const idsOf = ({ indexes }: CatalogSnapshot): readonly string[] =>
  Array.from({ length: indexes.tool.size }, (_, document) => indexes.tool.ids.at(document))

async function found(
  snapshot: CatalogSnapshot,
  model: EmbeddingModel,
  queries: readonly string[],
): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (const query of queries) {
    const answer = await search({ snapshot, model }, requestOf(query))
    for (const { card } of answer.candidates) ids.add(card.id)
  }
  return [...ids]
}

const requestOf = (query: string) => ({ kind: 'tool', query, k: candidates, pack: 'ranking' }) as const

/** The same verdicts at every run: every card as often, tasks and grades drawn. */
function outcomesOn(
  cards: readonly string[],
  queries: readonly string[],
  distinct: number,
): readonly Outcome[] {
  const random = seededRandom(7)
  const tasks = Array.from({ length: distinct }, (_, at) =>
    distinct === sharedTasks && at % 10 === 0
      ? queries[at % queries.length]!
      : `${queries[at % queries.length]!} case ${at}`,
  )
  return Array.from(
    { length: verdicts },
    (_, at): Outcome => ({
      id: `outcome-${at}`,
      card: cards[at % cards.length]!,
      cardHash: 'as it was',
      kind: 'tool',
      task: tasks[distinct === verdicts ? at : random.below(distinct)]!,
      time: new Date(1.75e12 + at * 1000).toISOString(),
      origin: 'probe',
      executor: 'mcp-tool',
      ending: 'answered',
      tokens: null,
      cost: null,
      verdict: { grade: ([1, 2, 3, 4, 5] as const)[random.below(5)]!, reason: 'drawn', judge: 'bench' },
      seconds: random.below(5000) / 1000,
    }),
  )
}

/** Writes the outcomes, and reads them as a fresh process would. */
async function keep(
  workplace: Workplace,
  model: EmbeddingModel,
  outcomes: readonly Outcome[],
): Promise<Kept> {
  const home = workplace.scratch()
  const options = { embed: async () => model, recheckMs: 0 }
  const writer = lanceTrackRecord(home, options)
  await writer.add(outcomes)
  await writer.close()
  const reader = lanceTrackRecord(home, options)
  const [index, readMs] = await clocked(() => reader.index())
  const looks: number[] = []
  for (let look = 0; look < 20; look += 1) looks.push((await clocked(() => reader.index()))[1])
  const other = lanceTrackRecord(home, options)
  await other.add([{ ...outcomes[0]!, id: 'one more', time: new Date(1.76e12).toISOString() }])
  const [, newsMs] = await clocked(() => reader.index())
  await other.close()
  const cards = new Set(outcomes.map(({ card }) => card)).size
  return { index, cards, readMs, lookMs: median(looks), newsMs, close: () => reader.close() }
}

async function clocked<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const started = performance.now()
  const made = await work()
  return [made, performance.now() - started]
}

type TimedSearch = {
  readonly snapshot: CatalogSnapshot
  readonly model: EmbeddingModel
  readonly queries: readonly string[]
  readonly record: RecordIndex
}

async function timed(
  workplace: Workplace,
  { snapshot, model, queries, record }: TimedSearch,
): Promise<Timed> {
  const passes = workplace.quick ? 2 : 5
  const kinds = [
    { context: { snapshot, model }, passes: [] as Percentiles[] },
    { context: { snapshot, model, record }, passes: [] as Percentiles[] },
  ]
  const differences: number[] = []
  for (let pass = 0; pass <= passes; pass += 1) {
    const times: [number[], number[]] = [[], []]
    for (const [place, query] of queries.entries()) {
      for (const at of (place + pass) % 2 === 0 ? [0, 1] : [1, 0]) {
        const { context } = kinds[at]!
        times[at]!.push((await clocked(() => search(context, requestOf(query))))[1])
      }
      if (pass > 0) differences.push(times[1].at(-1)! - times[0].at(-1)!)
    }
    // The first pass warms up.
    if (pass > 0) for (const [at, { passes: done }] of kinds.entries()) done.push(percentiles(times[at]!))
  }
  const [without, withRecord] = kinds.map(({ passes: done }) => medianPercentiles(done))
  return { without: without!, withRecord: withRecord!, addedMs: median(differences) }
}
