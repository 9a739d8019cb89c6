import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, runProgram } from '../faults/run-program.ts'
import { fileOf, type SourceName, sourceNames, writeSource } from './race-catalog.ts'
import { readStore, watchStore } from './watched-store.ts'

/** Where races are run. */
export type RaceCourse = {
  /** The built program. */
  readonly program: string
  /** An empty folder for the files that are indexed, and for folders of stores. */
  readonly folder: string
  /** Where a store of this number lies: an address, or a folder. */
  readonly home: (store: number) => string
  /** What tells a process the way there; this process has it too. */
  readonly environment: { readonly [variable: string]: string }
  /** Numbers from 0 up to 1. */
  readonly random: () => number
}

/** What came of races. */
export type RacesFound = {
  readonly races: number
  readonly writers: number
  /** Processes that were killed before they ended. */
  readonly killed: number
  readonly committed: number
  /** How often a store was read while it was written. */
  readonly reads: number
  /** What was found wrong, each with its race. */
  readonly lost: readonly string[]
  readonly unreadable: readonly string[]
  readonly failed: readonly string[]
}

/** Races in one store; then another begins, since the first commits are a race of their own. */
const racesPerStore = 8
/** Two of the writers change the same source, in one race of so many. */
const sharedEvery = 4
/** Of the processes that are killed: a third of the races have some. */
const killedEvery = 3
const mostMs = 240_000

/** Lets two to four processes index at the same time, kills some, and looks at what is left; many times. */
export async function runRaces(
  course: RaceCourse,
  count: number,
  log: (message: string) => void,
): Promise<RacesFound> {
  const found = { races: 0, writers: 0, killed: 0, committed: 0, reads: 0 }
  const [lost, unreadable, failed]: [string[], string[], string[]] = [[], [], []]
  const told = new Set<string>()
  const tell = (): void => {
    for (const wrong of [...lost, ...unreadable, ...failed]) {
      if (!told.has(wrong)) log(`store races: ${wrong}`)
      told.add(wrong)
    }
  }
  mkdirSync(course.folder, { recursive: true })
  let usualMs = 3000
  for (let race = 1; race <= count; race += 1) {
    const home = course.home(Math.floor((race - 1) / racesPerStore))
    const before = await readStore(home)
    if (typeof before === 'string') {
      unreadable.push(`race ${race}: before it, ${before}`)
      tell()
      break
    }
    const stop = watchStore(home)
    const writers = lineUp(race, course.random)
    for (const { source } of writers) writeSource(course.folder, source, race)
    const runs = await Promise.all(
      writers.map(async ({ source, isDoomed }) => {
        const killAfterMs = isDoomed ? { killAfterMs: course.random() * usualMs } : {}
        return { source, ended: await index(course, home, source, killAfterMs) }
      }),
    )
    const watched = await stop()
    unreadable.push(...watched.wrong.map((why) => `race ${race}: while it was written, ${why}`))
    const after = await readStore(home)
    for (const { source, ended } of runs) {
      if (ended.code === 0) usualMs = (usualMs + ended.milliseconds) / 2
      if (ended.code !== 0 && !ended.killed)
        failed.push(`race ${race}: "${source}" ended with ${ended.code}: ${ended.stderr.trim().slice(-300)}`)
      if (typeof after === 'string') continue
      const isCommitted = runs.some((one) => one.source === source && one.ended.code === 0)
      if (isCommitted && after[source] !== race)
        lost.push(`race ${race}: "${source}" was committed, and edition ${after[source]} is there`)
      if (!isCommitted && ![before[source], race].includes(after[source]))
        lost.push(
          `race ${race}: edition ${after[source]} of "${source}" is there, from before ${before[source]}`,
        )
    }
    if (typeof after === 'string') unreadable.push(`race ${race}: after it, ${after}`)
    else
      for (const source of sourceNames.filter((name) => !writers.some((one) => one.source === name)))
        if (after[source] !== before[source])
          lost.push(`race ${race}: "${source}", which nobody changed, is of edition ${after[source]}`)
    tell()
    found.races += 1
    found.writers += runs.length
    found.killed += runs.filter(({ ended }) => ended.killed).length
    found.committed += runs.filter(({ ended }) => ended.code === 0).length
    found.reads += watched.reads
    if (race % 10 === 0)
      log(
        `store races: ${race} run, ${found.killed} killed, ${lost.length + unreadable.length + failed.length} wrong`,
      )
  }
  return { ...found, lost, unreadable, failed }
}

type Writer = { readonly source: SourceName; readonly isDoomed: boolean }

function lineUp(race: number, random: () => number): readonly Writer[] {
  const count = 2 + Math.floor(random() * 3)
  const from = Math.floor(random() * sourceNames.length)
  const isShared = race % sharedEvery === 0
  const doomed = race % killedEvery === 0 ? 1 + Math.floor(random() * (count - 1)) : 0
  return Array.from({ length: count }, (_, at) => ({
    source: sourceNames[(from + (isShared && at === 1 ? 0 : at)) % sourceNames.length]!,
    isDoomed: at < doomed,
  }))
}

const index = (
  { program, folder, environment }: RaceCourse,
  home: string,
  source: SourceName,
  kill: { readonly killAfterMs?: number },
): Promise<Ended> =>
  runProgram({
    program,
    words: ['index', fileOf(folder, source), '--json'],
    home,
    mostMs,
    environment: {
      ...environment,
      HOME: join(folder, 'user'),
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
      AUDITION_MODEL: 'none',
    },
    ...kill,
  })
