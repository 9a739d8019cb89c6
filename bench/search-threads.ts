import { spawnSync } from 'node:child_process'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { atLeast, atMost, type Bench, fixed } from './bench.ts'
import { residentBytes } from './load/resident-memory.ts'
import { rawClient } from './load/search-client.ts'
import { serveAudition } from './served-audition.ts'
import { hasReader } from './static-model-folder.ts'
import { percentiles } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const callers = 64

/** What one number of threads gave. */
type Measured = {
  readonly threads: number
  /** The server is held to one core, whatever helpers its one thread has. */
  readonly isPinned: boolean
  /** Searches a second of a program that asks for several at once, and of callers over HTTP; one per round. */
  readonly direct: number[]
  readonly overHttp: number[]
  /** Resident memory of the server after its searches, in bytes. */
  bytes: number
}

/** One thread, on one core and on all, against two: as a search is by default, with the reader, and by words alone among many more cards. */
export const searchThreadsBench: Bench = {
  name: 'threads',
  question: 'What do more threads give to many searches at once, and what do they cost?',
  async run(workplace) {
    const [few, many] = [workplace.sizes.at(-2)!, workplace.sizes.at(-1)!]
    const found = [await overCards(workplace, 'audition', many)]
    if (hasReader) found.unshift(await overCards(workplace, 'audition, reader ranking', few))
    return {
      tables: found.map(({ table }) => table),
      notes: [
        'One thread on one core is one worker; on two cores its garbage is collected, and its code compiled, on the second one: a tenth to a fifth of its work.',
        `Median of interleaved rounds: eight searches at once in one program, and ${callers} callers over HTTP, who share the processors with the server.`,
      ],
      floors: found.flatMap(({ floors }) => floors),
    }
  },
}

/** @param system - whose store is searched, by what `audition` takes by default for it */
async function overCards(workplace: Workplace, system: string, size: number) {
  const { quick } = workplace
  const home = await workplace.store(system, workplace.corpus(size))
  const queries = workplace.queries(50)
  // By words a search takes a fifth of the time: both are to run long enough for everything to be compiled.
  const [rounds, searches] = quick ? [1, 200] : [5, system === 'audition' ? 4000 : 1000]
  const measured = [
    ...(canPin() ? [{ threads: 1, isPinned: true }] : []),
    ...[1, 2].map((threads) => ({ threads, isPinned: false })),
  ].map((one): Measured => ({ ...one, direct: [], overHttp: [], bytes: 0 }))
  for (let round = 1; round <= rounds; round += 1) {
    for (const one of measured) {
      workplace.log(`threads: ${system}, round ${round} of ${rounds}, ${one.threads} threads`)
      const env = { AUDITION_HOME: home, AUDITION_THREADS: `${one.threads}` }
      if (!one.isPinned) one.direct.push(await inProgram(env, queries, searches))
      const { perSecond, bytes } = await overHttp({ env, isPinned: one.isPinned }, queries, searches)
      one.overHttp.push(perSecond)
      one.bytes = Math.max(one.bytes, bytes)
    }
  }
  const median = (values: readonly number[]): number => percentiles(values).p50
  const [worker, single, several] = [measured[0]!, measured.at(-2)!, measured.at(-1)!]
  const what = `${system === 'audition' ? 'words' : 'reader'}, ${size.toLocaleString('en')} tools`
  return {
    table: {
      title: `search_tools, ${what}`,
      head: ['threads', 'searches a second', 'over HTTP', 'two threads / this', 'resident MB'],
      rows: measured.map(({ threads, isPinned, direct, overHttp: http, bytes }) => [
        isPinned ? `${threads}, on one core` : `${threads}`,
        isPinned ? '–' : fixed(median(direct)),
        fixed(median(http)),
        fixed(median(several.overHttp) / median(http)),
        fixed(bytes / 1e6),
      ]),
    },
    floors: [
      atLeast(
        `searches a second over HTTP of two threads, against ${worker.isPinned ? 'one on one core' : 'one'}: ${what}`,
        1.8,
        median(several.overHttp) / median(worker.overHttp),
        ' x',
      ),
      atMost(`memory of the server, against one thread: ${what}`, 1.2, several.bytes / single.bytes, ' x'),
    ],
  }
}

async function inProgram(
  env: NodeJS.ProcessEnv,
  queries: readonly string[],
  searches: number,
): Promise<number> {
  const audition = openAudition(configFrom(env))
  try {
    return await inTurns(8, searches, async (turn) => {
      await audition.search({ kind: 'tool', query: queries[turn % queries.length]! })
    })
  } finally {
    await audition.close()
  }
}

/** Linux alone holds a process to a core from outside. */
const canPin = (): boolean => spawnSync('taskset', ['--version']).status === 0

async function overHttp(
  { env, isPinned }: { readonly env: { readonly [name: string]: string }; readonly isPinned: boolean },
  queries: readonly string[],
  searches: number,
): Promise<{ readonly perSecond: number; readonly bytes: number }> {
  const server = await serveAudition({ env })
  if (isPinned) spawnSync('taskset', ['-a', '-c', '-p', '0', `${server.process.pid!}`])
  const clients = Array.from({ length: callers }, () => rawClient(server.url))
  try {
    const perSecond = await inTurns(callers, searches, async (turn, caller) => {
      await clients[caller]!.search(queries[turn % queries.length]!)
    })
    return { perSecond, bytes: residentBytes(server.process.pid!) }
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await server.stop()
  }
}

/** So many callers, each of whom asks again as soon as it is answered; after as many searches the clock starts: what runs is compiled by then. */
async function inTurns(
  atOnce: number,
  searches: number,
  search: (turn: number, caller: number) => Promise<void>,
): Promise<number> {
  let turn = 0
  const until = (end: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: atOnce }, async (_, caller) => {
        while (turn < end) {
          turn += 1
          await search(turn, caller)
        }
      }),
    )
  await until(searches)
  const started = performance.now()
  await until(2 * searches)
  return searches / ((performance.now() - started) / 1000)
}
