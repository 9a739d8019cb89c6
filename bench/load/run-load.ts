import { setTimeout as wait } from 'node:timers/promises'
import { serveAudition } from '../served-audition.ts'
import { medianPercentiles, type Percentiles, percentiles } from '../statistics.ts'
import { type AnswerChecks, answerChecks } from './answer-checks.ts'
import { type ChangingCatalog, witnessQuery } from './changing-catalog.ts'
import { watchHealth } from './health-watch.ts'
import { indexRepeatedly } from './repeated-index.ts'
import { residentBytes, restingMemory, watchMemory } from './resident-memory.ts'
import { rawClient, type SearchClient, sdkClient } from './search-client.ts'
import { type Callers, callers, type Sample, type Searching } from './searching.ts'
import { slowClients } from './slow-clients.ts'

/** What to put a server under. */
type Load = {
  /** The program, as built. */
  readonly program: string
  /** A store in which the catalog's revision 0 is committed. */
  readonly env: { readonly [name: string]: string }
  readonly catalog: ChangingCatalog
  readonly queries: readonly string[]
  /** Callers at once; every eighth is the official SDK. */
  readonly clients: number
  /** Clients that hardly read or send, in the rounds that have some. */
  readonly slow: number
  /** Searches in all, at least. */
  readonly searches: number
  /** Pairs of rounds without and with slow clients. */
  readonly rounds: number
  /** Commits of another process while searches go on, at least. */
  readonly commits: number
  /** Time that the server rests before its memory is read, in milliseconds. */
  readonly restMs: number
  log(message: string): void
}

/** What callers felt in one part of the load. */
export type Felt = Percentiles & {
  readonly searches: number
  /** Longest wait for `/health`, in milliseconds. */
  readonly longestHealthMs: number
}

/** What came of it. */
export type LoadReport = {
  readonly alone: Felt
  readonly besideSlow: Felt
  readonly whileIndexing: Felt
  readonly slowConnections: number
  /** Per commit the longest that a search took which ended within a second of the first answer from it, in ms. */
  readonly swapsMs: readonly number[]
  readonly searches: number
  readonly errors: ReadonlyMap<string, number>
  readonly faults: ReturnType<AnswerChecks['faults']>
  /** Resident memory of the server, in bytes. */
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number }
  /** Of the server, after SIGTERM. */
  readonly exitCode: number | null
}

/** Searches of each caller before the memory that all is compared with is read: a heap grows with its first callers. */
const warmUpEach = 4
/** Share of the searches that go into the rounds without and with slow clients. */
const shareOfRounds = 0.4

/** Serves a store to many clients at once, among slow ones, and while its catalog changes. */
export async function runLoad(load: Load): Promise<LoadReport> {
  const { catalog, queries, clients, log } = load
  const server = await serveAudition(load)
  const pid = server.process.pid!
  server.process.once('exit', (code, signal) =>
    log(`load: the server has ended, ${signal ?? code}: ${server.output()}`),
  )
  const connected: SearchClient[] = []
  try {
    const first = rawClient(server.url)
    for (const query of queries.slice(0, 50)) await first.search(query)
    const atFirst = (await first.search(witnessQuery)).searched
    const checks = answerChecks((size) => {
      for (let revision = catalog.revision(); revision >= 0; revision -= 1)
        if (catalog.sizeAt(revision, atFirst) === size) return revision
      return null
    })
    for (let at = 0; at < clients; at += 1)
      connected.push(at % 8 === 7 ? await sdkClient(server.url) : rawClient(server.url))
    const all = callers(connected, queries, witnessQuery, checks)
    log(`load: ${clients} clients warm up`)
    const warmUp = await all.search((begun) => begun >= clients * warmUpEach)
    const before = await restingMemory(pid, load.restMs)
    const memory = watchMemory(pid)
    const rounds = await besideSlowClients(load, server.url, all)
    log(`load: ${load.commits} commits while ${clients} clients search`)
    const indexing = await whileIndexing(load, server.url, all)
    await Promise.all(connected.splice(0).map((client) => client.close()))
    const { peak } = memory.stop()
    log(`load: everyone has left; the server held ${Math.round(peak / 1e6)} MB at most`)
    const after = await restingMemory(pid, load.restMs)
    const last = catalog.sizeAt(catalog.revision(), atFirst)
    const now = (await first.search(witnessQuery)).searched
    await first.close()
    const faults = new Map(checks.faults())
    if (now !== last) faults.set('the last commit is not seen', { count: 1, example: `${now}, not ${last}` })
    const parts = [warmUp, ...rounds.parts, indexing.searching]
    return {
      alone: rounds.alone,
      besideSlow: rounds.besideSlow,
      whileIndexing: indexing.felt,
      slowConnections: rounds.slowConnections,
      swapsMs: swapsOf(indexing.searching.samples),
      searches: parts.reduce((sum, { samples }) => sum + samples.length, 0),
      errors: counted(parts),
      faults,
      memory: { before, peak: Math.max(peak, residentBytes(pid)), after },
      exitCode: await server.stop(),
    }
  } finally {
    await Promise.all(connected.map((client) => client.close()))
    await server.stop('SIGKILL')
  }
}

type Part = { readonly searching: Searching; readonly felt: Felt }

async function part(url: string, run: () => Promise<Searching>): Promise<Part> {
  const health = watchHealth(url)
  const searching = await run()
  const { longestMs, errors } = await health.stop()
  for (const [message, count] of errors) searching.errors.set(message, count)
  const { samples } = searching
  const felt = {
    ...percentiles(samples.map(({ milliseconds }) => milliseconds)),
    searches: samples.length,
    longestHealthMs: longestMs,
  }
  return { searching, felt }
}

/** Rounds without and with slow clients in turn. */
async function besideSlowClients({ searches, rounds, slow, log }: Load, url: string, all: Callers) {
  const perRound = Math.ceil((searches * shareOfRounds) / rounds / 2)
  const search = () => part(url, () => all.search((begun) => begun >= perRound))
  const alone: Part[] = []
  const beside: Part[] = []
  let slowConnections = 0
  for (let round = 1; round <= rounds; round += 1) {
    log(`load: round ${round} of ${rounds}, without and with ${slow} slow clients`)
    alone.push(await search())
    const crowd = slowClients(url, witnessQuery, slow)
    beside.push(await search())
    slowConnections += crowd.opened()
    await crowd.leave()
  }
  return {
    alone: feltIn(alone),
    besideSlow: feltIn(beside),
    slowConnections,
    parts: [...alone, ...beside].map(({ searching }) => searching),
  }
}

const feltIn = (parts: readonly Part[]): Felt => ({
  ...medianPercentiles(parts.map(({ felt }) => felt)),
  searches: parts.reduce((sum, { felt }) => sum + felt.searches, 0),
  longestHealthMs: Math.max(...parts.map(({ felt }) => felt.longestHealthMs)),
})

/** Milliseconds in which a search sees the last commit: the program that made it may end sooner. */
const seenMs = 1_000

/** The rest of the searches, and more until another process has committed often enough. */
async function whileIndexing(load: Load, url: string, all: Callers): Promise<Part> {
  const left = Math.ceil(load.searches * (1 - shareOfRounds))
  const indexing = indexRepeatedly(load.catalog, load.commits, load)
  let isOver = false
  const over = indexing.ended.finally(async () => {
    await wait(seenMs)
    isOver = true
  })
  const searched = await part(url, () => all.search((begun) => isOver && begun >= left))
  await over
  return searched
}

/** @see LoadReport.swapsMs */
function swapsOf(samples: readonly Sample[]): number[] {
  const firstSeen = new Map<number, number>()
  for (const { revision, endedAt } of samples)
    if (revision !== null && revision > 0)
      firstSeen.set(revision, Math.min(firstSeen.get(revision) ?? endedAt, endedAt))
  return [...firstSeen.values()].map((at) =>
    Math.max(
      ...samples
        .filter(({ endedAt }) => Math.abs(endedAt - at) < 1000)
        .map(({ milliseconds }) => milliseconds),
    ),
  )
}

function counted(parts: readonly Searching[]): Map<string, number> {
  const errors = new Map<string, number>()
  for (const part of parts)
    for (const [message, count] of part.errors) errors.set(message, (errors.get(message) ?? 0) + count)
  return errors
}
