import { atLeast, atMost, type Bench, type Floor } from '../../../bench/bench.ts'
import { builtProgram, root } from '../../../bench/built-program.ts'
import { runSurface } from './run-surface.ts'
import { type FaultKind, faultKinds, faultsOf, type Tally } from './tally.ts'

/** Any whole number will do; the same gives the same messages. */
export const surfaceSeed = 20_261_122

/** Growth of memory between the end of the warm-up and the end that is no leak: caches fill, the heap keeps room. */
const mostGrowth = 1.5

/** Messages that only draw errors would test nothing behind the door. */
const leastMet = 0.15

/** Every tool, resource and completion, over stdio and HTTP, with messages that nobody means well by. */
export const surface: Bench = {
  name: 'surface',
  question:
    'Does anything that a caller can send over stdio or HTTP break the server, or make it tell too much?',
  async run(workplace) {
    const messages = workplace.quick ? 1_000 : 12_000
    const { log } = workplace
    const tallies = await runSurface({
      main: builtProgram,
      folder: workplace.scratch(),
      root,
      seed: surfaceSeed,
      messages,
      log,
    })
    return {
      tables: [byTransport(tallies), bySort(tallies)],
      notes: [
        `Seed ${surfaceSeed}. A well-formed request must be answered exactly once; anything else at most draws an error. Memory is that of the process after a collection, at 30% of the messages and at the end.`,
        ...examples(tallies),
      ],
      floors: surfaceFloors(tallies, 2 * messages),
    }
  },
}

const limits: { readonly [kind in FaultKind]: string } = {
  crash: 'crashes',
  'unhandled rejection': 'unhandled rejections and other alarms on stderr',
  leak: 'answers with traces, paths of the machine or secrets',
  'not answered': 'well-formed requests without an answer',
  'answered twice': 'requests answered twice',
  'answer to nobody': 'answers that nobody waits for',
  'server error': 'internal errors (5xx, -32603)',
  'bait taken': 'addresses of callers that were fetched',
}

/** What the suite promises of a run. @param expected - messages that were to be sent */
export const surfaceFloors = (tallies: readonly Tally[], expected: number): readonly Floor[] => [
  atLeast(
    'messages sent',
    expected,
    tallies.reduce((sum, { sent }) => sum + sent, 0),
  ),
  atLeast('share of well-formed requests that got what they asked for', leastMet, share(tallies)),
  ...faultKinds.map((kind) => atMost(limits[kind], 0, faultsOf(tallies, kind))),
  ...tallies.flatMap((tally) => [
    atMost(
      `memory at the end against after the warm-up, ${tally.transport}`,
      mostGrowth,
      growth(tally.memory),
      ' x',
    ),
    atLeast(`searches answered afterwards, ${tally.transport}`, 1, tally.searchesAfterwards ? 1 : 0),
  ]),
]

const share = (tallies: readonly Tally[]): number => {
  const sum = (of: (tally: Tally) => number): number => tallies.reduce((all, tally) => all + of(tally), 0)
  return sum(({ met }) => met) / sum(({ requests }) => requests)
}

const growth = (memory: Tally['memory']): number | undefined =>
  memory === null ? undefined : memory.last / memory.first

const mib = (bytes: number | undefined): string => (bytes === undefined ? '-' : (bytes / 2 ** 20).toFixed(0))

const byTransport = (tallies: readonly Tally[]) => ({
  title: 'Messages and memory by transport',
  head: [
    'transport',
    'messages',
    'requests',
    'answered once',
    'met',
    'RSS MiB',
    'at the end',
    'heap MiB',
    'at the end',
    'faults',
  ],
  rows: tallies.map(({ transport, sent, requests, answeredOnce, met, memory, heap, faults }) => [
    transport,
    String(sent),
    String(requests),
    String(answeredOnce),
    String(met),
    mib(memory?.first),
    mib(memory?.last),
    mib(heap?.first),
    mib(heap?.last),
    String([...faults.values()].reduce((sum, { count }) => sum + count, 0)),
  ]),
})

function bySort(tallies: readonly Tally[]) {
  const sorts = [...new Set(tallies.flatMap((tally) => [...tally.sorts.keys()]))].sort()
  const count = (sort: string, of: (tally: Tally) => boolean): string =>
    String(tallies.filter(of).reduce((sum, tally) => sum + (tally.sorts.get(sort) ?? 0), 0))
  return {
    title: 'Messages by sort',
    head: ['sort', 'stdio', 'HTTP'],
    rows: sorts.map((sort) => [
      sort,
      count(sort, ({ transport }) => transport !== 'HTTP'),
      count(sort, ({ transport }) => transport === 'HTTP'),
    ]),
  }
}

const examples = (tallies: readonly Tally[]): readonly string[] =>
  tallies.flatMap(({ transport, faults }) =>
    [...faults].flatMap(([kind, { examples: shown }]) =>
      shown.slice(0, 3).map((one) => `${transport}, ${kind}: ${one}`),
    ),
  )
