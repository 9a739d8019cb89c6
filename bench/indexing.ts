import { atMost, type Bench, fixed, type Floor, type Table } from './bench.ts'
import { type IndexRun, indexInProcess } from './processes.ts'
import { median } from './statistics.ts'
import { indexedSystems } from './systems.ts'
import { sizeOf, type Workplace } from './workplace.ts'

/** First runs and one unchanged re-run of Audition, per system. */
type Indexed = {
  readonly first: readonly IndexRun[]
  readonly again: readonly IndexRun[]
  readonly bytes: number
}

/** From files to a searchable store, each time in a fresh process; repeats of the systems interleaved. */
export const indexing: Bench = {
  name: 'indexing',
  question:
    'How long does indexing take, what does it leave on disk, and what does an unchanged re-index cost?',
  async run(workplace) {
    const tables: Table[] = []
    let floor: Floor = atMost('unchanged re-index of 50,000 tools, share of the first', 10, undefined, '%')
    for (const size of workplace.sizes) {
      const measured = await indexAll(workplace, size)
      tables.push({
        title: `${size.toLocaleString('en')} tools`,
        head: [
          'system',
          's per 1,000 cards',
          'ratio to audition',
          'peak MB',
          'store MB',
          're-index, % of first',
        ],
        rows: indexedSystems.map((system) => rowOf(system, size, measured)),
      })
      if (size === 50_000) floor = { ...floor, ...reindexFloor(measured.get('audition')!) }
    }
    return {
      tables,
      notes: [
        'Reads the same files, builds and writes to disk, in a fresh process whose start is not counted. MiniSearch and Orama are written as one JSON file; they have no way to bring an index up to date from changed files.',
        'Re-index: the same files once more, unchanged.',
      ],
      floors: [floor],
    }
  },
}

async function indexAll(workplace: Workplace, size: number): Promise<ReadonlyMap<string, Indexed>> {
  const corpus = workplace.corpus(size)
  const repeats = workplace.quick ? 1 : 3
  const first = new Map<string, IndexRun[]>(indexedSystems.map((system) => [system, []]))
  const again = new Map<string, IndexRun[]>(indexedSystems.map((system) => [system, []]))
  const stores = new Map<string, string>()
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    for (const system of indexedSystems) {
      workplace.log(`indexing ${size}: ${system}, ${repeat} of ${repeats}`)
      const store = workplace.scratch()
      const task = { system, corpus, store }
      first.get(system)!.push(await indexInProcess(task))
      if (system === 'audition') again.get(system)!.push(await indexInProcess(task))
      stores.set(system, store)
    }
  }
  for (const [system, store] of stores) workplace.keep(system, corpus, store)
  return new Map(
    indexedSystems.map((system) => [
      system,
      { first: first.get(system)!, again: again.get(system)!, bytes: sizeOf(stores.get(system)!) },
    ]),
  )
}

const secondsOf = (runs: readonly IndexRun[]): number => median(runs.map(({ seconds }) => seconds))

const reindexShare = ({ first, again }: Indexed): number => (100 * secondsOf(again)) / secondsOf(first)

function rowOf(system: string, size: number, measured: ReadonlyMap<string, Indexed>): string[] {
  const own = measured.get(system)!
  const seconds = secondsOf(own.first)
  return [
    system,
    fixed(seconds / (size / 1000)),
    `${fixed(seconds / secondsOf(measured.get('audition')!.first))} x`,
    fixed(median(own.first.map(({ peakBytes }) => peakBytes)) / 1e6),
    fixed(own.bytes / 1e6),
    own.again.length === 0 ? '-' : fixed(reindexShare(own)),
  ]
}

const reindexFloor = (indexed: Indexed): Floor =>
  atMost('unchanged re-index of 50,000 tools, share of the first', 10, reindexShare(indexed), '%')
