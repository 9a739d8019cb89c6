import { atMost, type Bench, fixed, type Floor } from './bench.ts'
import { timeModel } from './processes.ts'
import { hasModel, modelFolder, noModel } from './static-model-folder.ts'
import { median, medianPercentiles, type Percentiles, percentiles } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const words = 30

/** The model by itself, in fresh processes: what opening it, a query, a card and a ranking of candidates cost. */
export const embedding: Bench = {
  name: 'embedding',
  question: 'What do opening the model, embedding and ranking candidates take?',
  async run(workplace) {
    if (!hasModel) return { tables: [], notes: [noModel], floors: floorsOf() }
    const [size, many] = [workplace.sizes[0]!, workplace.sizes.at(-1)!]
    const task = {
      model: modelFolder,
      corpus: workplace.corpus(size),
      store: await workplace.store('audition, hybrid', workplace.corpus(many)),
      queries: longQueries(workplace),
      passes: workplace.quick ? 3 : 5,
    }
    const starts = workplace.quick ? 2 : 5
    const times = []
    for (let start = 1; start <= starts; start += 1) {
      workplace.log(`embedding: process ${start} of ${starts}`)
      times.push(await timeModel(task))
    }
    const overall = (lists: readonly (readonly (readonly number[])[] | null)[]): Percentiles | undefined =>
      lists.some((list) => list === null)
        ? undefined
        : medianPercentiles(lists.flatMap((list) => list!.map(percentiles)))
    const opening = percentiles(times.map(({ openMs }) => openMs))
    const query = overall(times.map(({ embedMs }) => embedMs))!
    const features = overall(times.map(({ featuresMs }) => featuresMs))
    const trees = overall(times.map(({ treesMs }) => treesMs))
    const perSecond = median(times.flatMap(({ cardsPerSecond }) => cardsPerSecond))
    const row = (what: string, { p50, p99 }: Percentiles): string[] => [what, p50.toFixed(3), p99.toFixed(3)]
    return {
      tables: [
        {
          title: modelFolder,
          head: ['step', 'p50 ms', 'p99 ms'],
          rows: [
            row('open the folder', opening),
            row(`embed a query of ${words} words`, query),
            ...(features ? [row('features of 100 candidates', features)] : []),
            ...(trees ? [row('scores of 100 candidates by the trees', trees)] : []),
          ],
        },
        {
          title: `Cards of ${size.toLocaleString('en')} tools`,
          head: ['step', 'cards a second'],
          rows: [['embed cards', fixed(perSecond)]],
        },
      ],
      notes: [
        `Opening: once in each of ${starts} fresh processes, its code loaded and its files in the page cache. All else: ${task.queries.length} queries, median over the passes of that pass's percentile, after one pass to warm up.`,
        `Candidates: the first 100 that both retrievers found among ${many.toLocaleString('en')} tools, for the same queries.`,
      ],
      floors: floorsOf(opening.p50, query.p50, features && trees && features.p50 + trees.p50),
    }
  },
}

const floorsOf = (openMs?: number, queryMs?: number, candidatesMs?: number): Floor[] => [
  atMost('opening the model', 30, openMs, ' ms'),
  atMost(`embedding a query of ${words} words, p50`, 0.1, queryMs, ' ms'),
  atMost('ranking 100 candidates, features and trees, p50', 1, candidatesMs, ' ms'),
]

/** Queries of exactly so many words: real ones put together. */
function longQueries(workplace: Workplace): readonly string[] {
  const all = workplace
    .queries(20)
    .flatMap((query) => query.split(/\s+/))
    .filter((word) => word !== '')
  const count = Math.min(100, Math.floor(all.length / words))
  return Array.from({ length: count }, (_, at) => all.slice(at * words, (at + 1) * words).join(' '))
}
