import { atMost, type Bench, fixed, type Floor } from '../bench.ts'
import { builtProgram } from '../built-program.ts'
import { changingCatalog } from './changing-catalog.ts'
import { runIndex } from './repeated-index.ts'
import { type Felt, type LoadReport, runLoad } from './run-load.ts'

/** Growth of the server's memory over the whole load that is still called the start value, as a ratio. */
const mostGrowth = 1.5

/** A real server, real callers and a real indexer, each in a process of its own. */
export const load: Bench = {
  name: 'load',
  question: 'What do many clients feel while the catalog changes, and next to slow clients?',
  async run(workplace) {
    const { quick } = workplace
    const size = quick ? 1000 : 50_000
    const home = workplace.scratch()
    const env = { AUDITION_HOME: home }
    const catalog = changingCatalog(workplace.corpus(size))
    workplace.log(`load: indexing ${size.toLocaleString('en')} tools`)
    await runIndex({ program: builtProgram, env, folder: catalog.folder })
    const report = await runLoad({
      program: builtProgram,
      env,
      catalog,
      queries: workplace.queries(20),
      clients: quick ? 16 : 64,
      slow: quick ? 6 : 24,
      searches: quick ? 500 : 50_000,
      rounds: quick ? 1 : 5,
      commits: 3,
      restMs: quick ? 2_000 : 20_000,
      log: workplace.log,
    })
    return {
      tables: tablesOf(report, size),
      notes: notesOf(report),
      floors: floorsOf(report, quick ? 3 : 1.5),
    }
  },
}

/** @param mostDelay - p99 beside slow clients against without: of few searches it is a matter of chance */
function floorsOf(report: LoadReport, mostDelay: number): Floor[] {
  const { memory, alone, besideSlow } = report
  return [
    atMost(`errors of ${report.searches} searches`, 0, sum([...report.errors.values()])),
    atMost(
      'answers that are not of one whole catalog, the newest seen',
      0,
      sum([...report.faults.values()].map(({ count }) => count)),
    ),
    atMost('memory after the load, against before', mostGrowth, memory.after / memory.before, ' x'),
    atMost('p99 beside slow clients, against without', mostDelay, besideSlow.p99 / alone.p99, ' x'),
    atMost('exit code after SIGTERM', 0, report.exitCode ?? Number.POSITIVE_INFINITY),
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function tablesOf(report: LoadReport, size: number): Awaited<ReturnType<Bench['run']>>['tables'] {
  const { alone, memory } = report
  const row = (what: string, felt: Felt): string[] => [
    what,
    `${felt.searches}`,
    fixed(felt.p50),
    fixed(felt.p99),
    `${fixed(felt.p99 / alone.p99)} x`,
    fixed(felt.longestHealthMs),
  ]
  const megabytes = (bytes: number): string => fixed(bytes / 1e6)
  return [
    {
      title: `search_tools over HTTP, ${size.toLocaleString('en')} tools`,
      head: ['while', 'searches', 'p50 ms', 'p99 ms', 'p99 ratio', 'longest /health ms'],
      rows: [
        row('nothing else', report.alone),
        row('slow clients hang on', report.besideSlow),
        row('another process commits', report.whileIndexing),
      ],
    },
    {
      title: 'Memory of the server, MB',
      head: ['before', 'most', 'after', 'after / before'],
      rows: [
        [
          megabytes(memory.before),
          megabytes(memory.peak),
          megabytes(memory.after),
          `${fixed(memory.after / memory.before)} x`,
        ],
      ],
    },
  ]
}

const notesOf = ({ swapsMs, slowConnections, errors, faults }: LoadReport): string[] => [
  `Slow clients read a byte at a time, never read, or send a byte at a time; they opened ${slowConnections} connections.`,
  `Commits seen: ${swapsMs.length}; the longest search within a second of each: ${swapsMs.map(fixed).join(', ')} ms.`,
  'Every answer is checked: its catalog has the size of a revision, witnesses in it are of that revision, no caller goes back to an older one, and the same query on the same revision has the same answer.',
  'Callers and server share the machine, and the indexer is a third process.',
  ...[...errors].map(([message, count]) => `${count} searches failed: ${message}`),
  ...[...faults].map(([kind, { count, example }]) => `${count} answers: ${kind}, such as ${example}`),
]
