import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, atMost, type Bench, fixed, type Table } from '../bench.ts'
import {
  type IndexRun,
  type IndexTask,
  indexInProcess,
  type SearchPass,
  startSearcher,
} from '../processes.ts'
import { median, type Percentiles, percentiles } from '../statistics.ts'
import { hasModel, noModel } from '../static-model-folder.ts'
import { sizeOf, type Workplace } from '../workplace.ts'
import { type BesideExact, besideExact } from './beside-exact.ts'
import { changeSome, writeRecombined } from './recombined.ts'

/** What was measured of a catalog of one size. */
export type Measured = {
  /** Of its corpus and store. */
  readonly folder: string
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
    workplace.log(`million: comparing ${largest} tools with the exact search`)
    const store = join(measured.get(largest)!.folder, 'store')
    const exactness = await besideExact(workplace, store, largest)
    const most = measured.get(1_000_000)
    const least = measured.get(50_000)
    return {
      tables: [...tablesOf(measured), ...(exactness ? [exactTable(exactness, largest)] : [])],
      notes: [
        'Real tools first, then such as join two real ones: the recipe is in bench/million/recombined.ts. One process at a time, the default search.',
        ...(workplace.state === null
          ? []
          : [`What indexing and the commit gave is that of the run that made ${workplace.state}.`]),
        `Commit: ${changed.toLocaleString('en')} cards have another description, in five sources of 2,000; the whole index run is counted.`,
        'Written: what the process had written to disk. Cold start: a new process to its first answer, files in the page cache.',
        'Beside exact: real queries of which all that serves is among the tools; other tools that would serve count as wrong. Exact counts the tail of every vector in full.',
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
        atLeast('recall of the nearest hundred over a million', 0.98, most && exactness?.recall),
        atMost(
          'nDCG@10 of the exact search above the ordinary, over a million',
          0.5,
          most && exactness && exactness.exact - exactness.ordinary,
        ),
        atMost('growth of p50 from 50,000', 4, most && least && most.search.p50 / least.search.p50, ' x'),
      ],
    }
  },
}

/** Indexes, starts, searches and changes a catalog of this size, one process at a time. */
export async function measure(workplace: Workplace, size: number): Promise<Measured> {
  const [index, search] = hasModel ? ['audition, hybrid', 'audition, learned'] : ['audition', 'audition']
  const { folder, before } = placeOf(workplace, size)
  const [corpus, store] = [join(folder, 'corpus'), join(folder, 'store')]
  const made = before ?? (await indexed(workplace, { system: index, corpus, store }, size))
  const { storeBytes, first } = made
  const keep = (more: Indexed): void => {
    if (workplace.state !== null) writeFileSync(join(folder, madeFile), JSON.stringify(more))
  }
  keep(made)
  const queries = workplace.queries(workplace.quick ? 4 : 8)
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
  const commit = made.commit ?? (await changedSome(workplace, { system: index, corpus, store }, size))
  keep({ ...made, commit })
  return {
    folder,
    first,
    storeBytes,
    commit,
    pass: pass!,
    firstAnswerMs: median(starts),
    firstProcessorMs: median(worked),
    search: percentiles(pass!.milliseconds),
  }
}

/** What indexing gave, and a commit where one was made: a catalog that stays is not made again. */
type Indexed = Pick<Measured, 'first' | 'storeBytes'> & { readonly commit?: IndexRun }

const madeFile = 'made.json'

/** Where a catalog of this size lies: with `--state` it stays there, and what making it gave. */
function placeOf(
  { state, scratch, log }: Workplace,
  size: number,
): { readonly folder: string; readonly before: Indexed | undefined } {
  if (state === null) return { folder: scratch(), before: undefined }
  const folder = join(state, `million-${size}`)
  const file = join(folder, madeFile)
  if (!existsSync(file)) {
    rmSync(folder, { recursive: true, force: true })
    return { folder, before: undefined }
  }
  log(`million: ${folder} holds ${size} tools`)
  return { folder, before: JSON.parse(readFileSync(file, 'utf8')) as Indexed }
}

async function indexed(workplace: Workplace, task: IndexTask, size: number): Promise<Indexed> {
  writeRecombined(task.corpus, workplace.tools(), size)
  workplace.log(`million: indexing ${size} tools`)
  const first = await indexInProcess(task)
  return { first, storeBytes: sizeOf(task.store) }
}

async function changedSome(workplace: Workplace, task: IndexTask, size: number): Promise<IndexRun> {
  workplace.log(`million: changing ${changed} of ${size} tools`)
  changeSome(task.corpus, changed)
  return indexInProcess(task)
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

const exactTable = ({ queries, ordinary, exact, recall }: BesideExact, size: number): Table => ({
  title: 'Beside exact',
  head: ['tools', 'queries', 'nDCG@10', 'nDCG@10 exact', 'recall of the nearest 100'],
  rows: [
    [
      size.toLocaleString('en'),
      String(queries),
      ...[ordinary, exact].map((score) => score.toFixed(2)),
      recall.toFixed(4),
    ],
  ],
})
