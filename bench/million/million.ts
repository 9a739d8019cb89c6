import { join } from 'node:path'
import { atMost, type Bench, fixed, type Table } from '../bench.ts'
import { type IndexRun, indexInProcess, type SearchPass, startSearcher } from '../processes.ts'
import { median, type Percentiles, percentiles } from '../statistics.ts'
import { hasModel, noModel } from '../static-model-folder.ts'
import { sizeOf, type Workplace } from '../workplace.ts'
import { changeSome, writeRecombined } from './recombined.ts'

/** What was measured of a catalog of one size. */
export type Measured = {
  readonly first: IndexRun
  readonly storeBytes: number
  readonly firstAnswerMs: number
  /** Processor time until then. */
  readonly firstProcessorMs: number
  readonly search: Percentiles
  readonly pass: SearchPass
  readonly commit: IndexRun
}

const sizes = [50_000, 200_000, 1_000_000]
const changed = 1000

/** One size after another, so that no two large processes ever run at once. */
export const million: Bench = {
  name: 'million',
  question: 'What does a catalog of up to a million tools cost: to index, to change, to hold and to search?',
  async run(workplace) {
    const largest = workplace.cards ?? (workplace.quick ? 10_000 : sizes.at(-1)!)
    const wanted = [...sizes.filter((size) => size < largest), largest]
    const measured = new Map<number, Measured>()
    for (const size of wanted) measured.set(size, await measure(workplace, size))
    const most = measured.get(1_000_000)
    const least = measured.get(50_000)
    return {
      tables: tablesOf(measured),
      notes: [
        'Real tools first, then such as join two real ones: the recipe is in bench/million/recombined.ts. One process at a time, the default search.',
        `Commit: ${changed.toLocaleString('en')} cards have another description, in five sources of 2,000; the whole index run is counted.`,
        'Written: what the process had written to disk. Cold start: a new process to its first answer, files in the page cache.',
        ...(hasModel ? [] : [noModel]),
      ],
      floors: [
        atMost('first index of a million tools', 900, most?.first.seconds, ' s'),
        atMost('processor time of a commit of 1,000', 10, most?.commit.processorSeconds, ' s'),
        atMost('written by it', 50, most && most.commit.writtenBytes / 1e6, ' MB'),
        atMost(
          'resident memory of a search over a million',
          1.2,
          most && most.pass.residentBytes / 1e9,
          ' GB',
        ),
        atMost('cold start to the first answer', 3000, most?.firstAnswerMs, ' ms'),
        atMost('p50 over a million tools', 25, most?.search.p50, ' ms'),
        atMost('p99 over a million tools', 100, most?.search.p99, ' ms'),
        atMost('growth of p50 from 50,000', 4, most && least && most.search.p50 / least.search.p50, ' x'),
      ],
    }
  },
}

/** Indexes, starts, searches and changes a catalog of this size, one process at a time. */
export async function measure(workplace: Workplace, size: number): Promise<Measured> {
  const [index, search] = hasModel ? ['audition, hybrid', 'audition, learned'] : ['audition', 'audition']
  const store = workplace.scratch()
  const corpus = join(workplace.scratch(), 'corpus')
  const queries = workplace.queries(workplace.quick ? 4 : 8)
  writeRecombined(corpus, workplace.tools(), size)
  workplace.log(`million: indexing ${size} tools`)
  const first = await indexInProcess({ system: index, corpus, store })
  const storeBytes = sizeOf(store)
  const starts: number[] = []
  const worked: number[] = []
  let pass: SearchPass | undefined
  for (let start = 0; start < 3; start += 1) {
    workplace.log(`million: searching ${size} tools, start ${start + 1} of 3`)
    const searcher = await startSearcher({ system: search, store, query: queries[start]! })
    starts.push(searcher.firstAnswerMs)
    worked.push(searcher.firstProcessorMs)
    if (start === 2) {
      await searcher.search(queries.slice(0, 20), 10)
      pass = await searcher.search(queries, 10)
    }
    await searcher.close()
  }
  workplace.log(`million: changing ${changed} of ${size} tools`)
  changeSome(corpus, changed)
  const commit = await indexInProcess({ system: index, corpus, store })
  return {
    ...{
      first,
      storeBytes,
      firstAnswerMs: median(starts),
      firstProcessorMs: median(worked),
      commit,
      pass: pass!,
    },
    search: percentiles(pass!.milliseconds),
  }
}

function tablesOf(measured: ReadonlyMap<number, Measured>): readonly Table[] {
  const rows = [...measured].map(([size, found]) => ({ label: size.toLocaleString('en'), found }))
  return [
    {
      title: 'Indexing',
      head: [
        'tools',
        'first, s',
        'processor s',
        'peak MB',
        'store MB',
        'commit, s',
        'processor s',
        'written MB',
        'peak MB',
      ],
      rows: rows.map(({ label, found: { first, storeBytes, commit } }) => [
        label,
        ...[first.seconds, first.processorSeconds, first.peakBytes / 1e6, storeBytes / 1e6].map(fixed),
        ...[commit.seconds, commit.processorSeconds, commit.writtenBytes / 1e6, commit.peakBytes / 1e6].map(
          fixed,
        ),
      ]),
    },
    {
      title: 'Searching',
      head: ['tools', 'cold start ms', 'p50 ms', 'p95 ms', 'p99 ms', 'resident MB', 'peak MB', 'searches'],
      rows: rows.map(({ label, found: { firstAnswerMs, search, pass } }) => [
        label,
        ...[firstAnswerMs, search.p50, search.p95, search.p99].map(fixed),
        ...[pass.residentBytes / 1e6, pass.peakBytes / 1e6].map(fixed),
        String(pass.milliseconds.length),
      ]),
    },
  ]
}
