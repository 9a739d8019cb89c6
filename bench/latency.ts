import { atMost, type Bench, fixed, type Floor, type Table } from './bench.ts'
import { type SearcherProcess, startSearcher } from './processes.ts'
import { median, medianPercentiles, type Percentiles, percentiles } from './statistics.ts'
import { hasModel, noModel } from './static-model-folder.ts'
import { timedSystems } from './systems.ts'
import type { Workplace } from './workplace.ts'

/** What one system took at one size. */
type Timed = Percentiles & {
  readonly firstAnswerMs: number
  readonly peakBytes: number
  readonly queries: number
  readonly passes: number
}

/** A system that takes longer than this per search is timed once, over the first queries only. */
const slowMs = 40
const slowPerSet = 4
const candidates = 10

/** Every system waits in a process of its own and has its turn pass by pass, so that a busy spell meets all alike. */
export const latency: Bench = {
  name: 'latency',
  question: 'How long does a search take, and a fresh process to its first answer?',
  async run(workplace) {
    const tables: Table[] = []
    const bySize = new Map<number, ReadonlyMap<string, Timed>>()
    for (const size of workplace.sizes) {
      const timed = await timeAll(workplace, size)
      bySize.set(size, timed)
      tables.push(tableOf(size, timed))
    }
    tables.push(growthOf(workplace.sizes, bySize))
    return {
      tables,
      notes: [
        `Top ${candidates} with their full cards, queries of all development sets in turn. Each figure is the median over the passes of that pass's percentile.`,
        'Ratios: p50 against the raw LanceDB full-text query over the same cards, terms and fields, and against lexical search.',
        ...(hasModel ? [] : [noModel]),
        'Cold start: from the start of a Node process to the first answer, files in the page cache; median of the starts. Memory: the most the process ever held.',
        `MiniSearch and Orama keep everything in JavaScript objects; a system slower than ${slowMs} ms is timed in one pass over ${slowPerSet} queries a set.`,
      ],
      floors: floorsOf(bySize),
    }
  },
}

async function timeAll(workplace: Workplace, size: number): Promise<ReadonlyMap<string, Timed>> {
  const corpus = workplace.corpus(size)
  const queries = workplace.queries(workplace.quick ? 8 : 20)
  const few = workplace.queries(slowPerSet)
  const starts = workplace.quick ? 2 : 5
  const passes = workplace.quick ? 3 : 7
  const firstAnswers = new Map<string, number[]>(timedSystems.map((system) => [system, []]))
  const searchers = new Map<string, SearcherProcess>()
  for (const system of timedSystems) await workplace.store(system, corpus)
  for (let start = 1; start <= starts; start += 1) {
    for (const system of timedSystems) {
      workplace.log(`latency ${size}: cold start of ${system}, ${start} of ${starts}`)
      const store = await workplace.store(system, corpus)
      const searcher = await startSearcher({ system, store, query: queries[start]! })
      firstAnswers.get(system)!.push(searcher.firstAnswerMs)
      if (start === starts) searchers.set(system, searcher)
      else await searcher.close()
    }
  }
  const asked = new Map<string, readonly string[]>()
  const repeats = new Map<string, Percentiles[]>()
  const peaks = new Map<string, number>()
  for (let pass = 0; pass <= passes; pass += 1) {
    for (const [system, searcher] of searchers) {
      const isSlow = (repeats.get(system)?.[0]?.p50 ?? 0) > slowMs
      if (isSlow && pass > 1) continue
      workplace.log(`latency ${size}: ${system}, pass ${pass} of ${passes}`)
      const own = pass === 0 || isSlow ? few : queries
      const { milliseconds, peakBytes } = await searcher.search(own, candidates)
      peaks.set(system, peakBytes)
      asked.set(system, own)
      // The first pass warms up and tells the slow ones; it counts for nothing else.
      if (pass <= 1) repeats.set(system, [percentiles(milliseconds)])
      else repeats.get(system)!.push(percentiles(milliseconds))
    }
  }
  await Promise.all([...searchers.values()].map((searcher) => searcher.close()))
  return new Map(
    timedSystems.map((system) => [
      system,
      {
        ...medianPercentiles(repeats.get(system)!),
        firstAnswerMs: median(firstAnswers.get(system)!),
        peakBytes: peaks.get(system)!,
        queries: asked.get(system)!.length,
        passes: repeats.get(system)!.length,
      },
    ]),
  )
}

const rawOf = (timed: ReadonlyMap<string, Timed>): Timed => timed.get('lancedb full-text')!

const tableOf = (size: number, timed: ReadonlyMap<string, Timed>): Table => ({
  title: `${size.toLocaleString('en')} tools`,
  head: [
    'system',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'p50 ratio to raw',
    'ratio to lexical',
    'cold start ms',
    'peak MB',
    'searches',
  ],
  rows: [...timed].map(([system, own]) => [
    system,
    fixed(own.p50),
    fixed(own.p95),
    fixed(own.p99),
    `${fixed(own.p50 / rawOf(timed).p50)} x`,
    `${fixed(own.p50 / timed.get('audition')!.p50)} x`,
    fixed(own.firstAnswerMs),
    fixed(own.peakBytes / 1e6),
    `${own.passes} x ${own.queries}`,
  ]),
})

function growthOf(sizes: readonly number[], bySize: ReadonlyMap<number, ReadonlyMap<string, Timed>>): Table {
  const steps = sizes.slice(1).map((size, index) => [sizes[index]!, size] as const)
  return {
    title: 'Growth of p50',
    head: ['system', ...steps.map(([from, to]) => `${from / 1000}k to ${to / 1000}k`)],
    rows: timedSystems.map((system) => [
      system,
      ...steps.map(([from, to]) => `${fixed(growth(bySize, system, from, to) ?? Number.NaN)} x`),
    ]),
  }
}

function growth(
  bySize: ReadonlyMap<number, ReadonlyMap<string, Timed>>,
  system: string,
  from: number,
  to: number,
): number | undefined {
  const [before, after] = [bySize.get(from)?.get(system), bySize.get(to)?.get(system)]
  return before && after && after.p50 / before.p50
}

function floorsOf(bySize: ReadonlyMap<number, ReadonlyMap<string, Timed>>): Floor[] {
  const largest = bySize.get(50_000)
  const own = largest?.get('audition')
  const learned = largest?.get('audition, learned')
  return [
    atMost(
      'p50 of a search over 50,000 tools, against the raw LanceDB full-text query',
      2,
      own && largest && own.p50 / rawOf(largest).p50,
      ' x',
    ),
    atMost('p99 of a search over 50,000 tools', 25, own?.p99, ' ms'),
    atMost('p50 of a learned search over 50,000 tools', 12, learned?.p50, ' ms'),
    atMost('the same, against lexical search', 2.5, own && learned && learned.p50 / own.p50, ' x'),
    atMost('growth of p50 from 10,000 to 50,000 tools', 3, growth(bySize, 'audition', 10_000, 50_000), ' x'),
  ]
}
