import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { residentBytes } from '../../../bench/load/resident-memory.ts'
import {
  type Faults,
  type FaultyWay,
  faultyWay,
  noFaults,
  type RequestCounts,
} from '../../fixtures/faulty-way.ts'
import { objectStorage } from '../../fixtures/object-storage.ts'
import { runProgram } from '../faults/run-program.ts'
import {
  type Editions,
  editionsOf,
  fileOf,
  oneAfterAnother,
  type Source,
  sources,
  writeEdition,
  writeShelf,
} from './editions.ts'
import { type Heard, hear, type ServedReplica, startReplica } from './served-replica.ts'

/** How much is run. */
export type ReplicasScope = {
  readonly program: string
  /** An empty folder. */
  readonly folder: string
  readonly replicas: number
  /** Of all replicas together. */
  readonly searches: number
  /** Of both sources together. */
  readonly commits: number
  /** After so many milliseconds no commit begins any more. */
  readonly mostMs: number
  /** Cards that nobody changes. */
  readonly shelf: number
  /** From one search of a replica to the next while commits are made; when they are over there is none. */
  readonly pauseMs: number
  /** How long one replica is searched while nothing goes wrong. */
  readonly calmMs: number
  readonly faults: Omit<Faults, 'isStorm'>
  /** Storms of this length, from one to the next. */
  readonly storms: { readonly everyMs: number; readonly lastMs: number }
  readonly random: () => number
  readonly log: (message: string) => void
}

/** A commit that was acknowledged. */
type Committed = { readonly source: Source; readonly edition: number; readonly at: number }

export type ReplicasFound = {
  readonly heard: readonly Heard[]
  readonly committed: readonly Committed[]
  /** Index runs that ended with an error, and were made again. */
  readonly failedRuns: readonly string[]
  readonly mixed: readonly string[]
  readonly storms: readonly { readonly from: number; readonly to: number }[]
  /** Requests of a commit, and of a replica, while nothing goes wrong: averages. */
  readonly calm: {
    readonly commit: RequestCounts
    readonly coldStart: RequestCounts
    readonly warmStart: RequestCounts
    /** Of one replica, in a minute of searches without commits. */
    readonly minute: RequestCounts
    readonly minuteSearches: number
    /** Of one replica, for a commit. */
    readonly news: RequestCounts
  }
  /** What a replica answered that started while the storage did not, and once it did, and what `/ready` said meanwhile. */
  readonly outage: { readonly before: Editions; readonly after: Editions; readonly ready: string }
  /** Of replicas and of writers, in the whole run. */
  readonly readers: RequestCounts
  readonly writers: RequestCounts
  readonly residentBytes: readonly number[]
  readonly told: readonly string[]
  readonly raceMs: number
}

type Course = ReplicasScope & {
  readonly home: string
  readonly way: { readonly readers: FaultyWay; readonly writers: FaultyWay }
  environment(way: FaultyWay, name: string): { readonly [variable: string]: string }
}

/** Replicas that are searched while two indexers commit, over a way to the storage where much goes wrong. */
export async function runReplicas(scope: ReplicasScope): Promise<ReplicasFound> {
  mkdirSync(scope.folder, { recursive: true })
  const storage = await objectStorage('honoured')
  const ways = [
    await faultyWay(storage.environment.AWS_ENDPOINT!, scope.random),
    await faultyWay(storage.environment.AWS_ENDPOINT!, scope.random),
  ] as const
  const [readers, writers] = ways
  try {
    const course: Course = {
      ...scope,
      home: storage.store('replicas'),
      way: { readers, writers },
      environment: (way, name) => ({
        ...storage.environment,
        AWS_ENDPOINT: way.endpoint,
        AUDITION_HOME: storage.store('replicas'),
        AUDITION_MODEL: 'none',
        HOME: join(scope.folder, name),
        XDG_CACHE_HOME: join(scope.folder, name, 'cache'),
        AUDITION_SETTINGS: join(scope.folder, 'settings.yaml'),
      }),
    }
    return await runCourse(course)
  } finally {
    for (const way of ways) way.close()
    await storage.close()
  }
}

async function runCourse(course: Course): Promise<ReplicasFound> {
  const { folder, log, way, replicas: count } = course
  writeShelf(folder, course.shelf)
  for (const source of sources) writeEdition(folder, source, 1)
  for (const source of ['shelf', ...sources] as const) await indexed(course, source)
  way.writers.take()
  log('replicas: measuring while nothing goes wrong')
  for (const met of [way.readers, way.writers]) met.meet({ ...noFaults, latencyMs: course.faults.latencyMs })
  const calm = await measureCalm(course)
  log('replicas: starting one while the storage does not answer')
  const outage = await startInOutage(course)

  log(`replicas: starting ${count}`)
  const replicas: ServedReplica[] = []
  try {
    for (let at = 0; at < count; at += 1)
      replicas.push(await startReplica(course.program, course.environment(way.readers, `replica-${at}`)))
    for (const replica of replicas) await replica.search('open the store')
    return { calm, outage, ...(await race(course, replicas)) }
  } finally {
    await Promise.all(replicas.map((replica) => replica.close()))
  }
}

async function race(
  course: Course,
  replicas: readonly ServedReplica[],
): Promise<Omit<ReplicasFound, 'calm' | 'outage'>> {
  const { folder, log, way, searches } = course
  way.readers.take()
  way.writers.take()
  const began = performance.now()
  const [committed, failedRuns]: [Committed[], string[]] = [[], []]
  let isCommitting = true
  const weather = stormsOver(course)
  const listening = replicas.map((replica) =>
    hear(replica, {
      pauseMs: () => (isCommitting ? course.pauseMs : 0),
      isOver: (made) => made >= searches / replicas.length && !isCommitting,
    }),
  )
  await Promise.all(
    sources.map(async (source, at) => {
      const editions = Math.ceil((course.commits - at) / sources.length)
      for (
        let edition = 4;
        edition < editions + 4 && performance.now() - began < course.mostMs;
        edition += 1
      ) {
        writeEdition(folder, source, edition)
        failedRuns.push(...(await indexed(course, source)))
        committed.push({ source, edition, at: performance.now() })
        if (committed.length % 10 === 0) log(`replicas: ${committed.length} commits`)
      }
    }),
  )
  const raceMs = performance.now() - began
  const storms = await weather.end()
  for (const met of [way.readers, way.writers]) met.meet(noFaults)
  await wait(8000)
  isCommitting = false
  const heard = await Promise.all(listening)
  const seen = heard.flatMap(({ answers }) => answers.map(({ editions }) => editions))
  return {
    heard,
    committed,
    failedRuns,
    storms,
    raceMs,
    mixed: [...heard.flatMap(({ mixed }) => mixed), ...oneAfterAnother(seen)],
    readers: way.readers.take(),
    writers: way.writers.take(),
    residentBytes: replicas.map(({ pid }) => residentBytes(pid)),
    told: replicas.map((replica) => replica.told()),
  }
}

/** Faults all the time, and storms now and then. */
function stormsOver({ way, faults, storms: { everyMs, lastMs } }: Course) {
  const ended = new AbortController()
  const storms: { from: number; to: number }[] = []
  const meet = (isStorm: boolean): void => {
    for (const met of [way.readers, way.writers]) met.meet({ ...faults, isStorm })
  }
  const pause = (ms: number) => wait(ms, undefined, { signal: ended.signal }).catch(() => undefined)
  meet(false)
  const blowing = (async () => {
    for (;;) {
      await pause(everyMs - lastMs)
      if (ended.signal.aborted) return
      const from = performance.now()
      meet(true)
      await pause(lastMs)
      meet(false)
      storms.push({ from, to: performance.now() })
    }
  })()
  return {
    async end() {
      ended.abort()
      await blowing
      return storms
    },
  }
}

const mostRuns = 10

/** Indexes a source, as often as it takes. @returns what ended with an error */
async function indexed(course: Course, source: Source | 'shelf'): Promise<readonly string[]> {
  const failed: string[] = []
  while (failed.length < mostRuns) {
    const { code, stderr } = await runProgram({
      program: course.program,
      words: ['index', fileOf(course.folder, source), '--json'],
      home: course.home,
      mostMs: 240_000,
      environment: course.environment(course.way.writers, `writer-${source}`),
    })
    if (code === 0) return failed
    failed.push(stderr.trim().slice(0, 300))
  }
  throw new Error(`"${source}" cannot be indexed: ${failed.join('; ')}`)
}

/** What is asked of the storage when all goes well: that is what is paid for. */
async function measureCalm(course: Course): Promise<ReplicasFound['calm']> {
  const { way, folder, program, log } = course
  const start = async () => {
    way.readers.take()
    const replica = await startReplica(program, course.environment(way.readers, 'calm'))
    await replica.search('open the store')
    await wait(1000)
    return { replica, asked: way.readers.take() }
  }
  const cold = await start()
  await cold.replica.close()
  log('replicas: a replica started, and starts again')
  const warm = await start()
  try {
    const began = performance.now()
    let searches = 0
    for (; performance.now() - began < course.calmMs; searches += 1) {
      await warm.replica.search('weigh a parcel of the post')
      await wait(250)
    }
    const minutes = (performance.now() - began) / 60_000
    const minute = scaled(way.readers.take(), 1 / minutes)
    way.writers.take()
    log('replicas: it was searched; two commits')
    for (const source of sources) {
      writeEdition(folder, source, 2)
      await indexed(course, source)
    }
    const commit = scaled(way.writers.take(), 1 / sources.length)
    way.readers.take()
    // The first search after the commits waits for the last of them; without any no one looks for news.
    await warm.replica.search('weigh a parcel of the post')
    await wait(3000)
    const news = way.readers.take()
    return {
      commit,
      minute,
      news,
      minuteSearches: searches / minutes,
      coldStart: cold.asked,
      warmStart: warm.asked,
    }
  } finally {
    await warm.replica.close()
  }
}

/** Stops the replica that was measured, takes the storage away, and starts it again; then the storage is back, with a commit. */
async function startInOutage(course: Course): Promise<ReplicasFound['outage']> {
  const { way, folder, faults } = course
  way.readers.meet({ ...noFaults, isStorm: true })
  const replica = await startReplica(course.program, course.environment(way.readers, 'calm'))
  try {
    const search = async (): Promise<Editions> => {
      const found = editionsOf(await replica.search('weigh a parcel of the post, audit a ledger of the bank'))
      if (typeof found === 'string') throw new Error(found)
      return found
    }
    const before = await search()
    const ready = await (await fetch(new URL('/ready', replica.url))).text()
    way.readers.meet({ ...noFaults, latencyMs: faults.latencyMs })
    for (const source of sources) {
      writeEdition(folder, source, 3)
      await indexed(course, source)
    }
    const until = Date.now() + 30_000
    let after = await search()
    while (Date.now() < until && (after.post !== 3 || after.bank !== 3)) {
      await wait(250)
      after = await search()
    }
    return { before, after, ready }
  } finally {
    await replica.close()
  }
}

const scaled = (counts: RequestCounts, by: number): RequestCounts =>
  Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, count * by])) as RequestCounts
