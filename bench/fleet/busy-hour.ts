import type { SeededRandom } from '../../src/evaluation/statistics/seeded-random.ts'

/** Who asks, and who answers. */
export type Fleet = {
  readonly hosts: number
  /** Tasks that a host begins an hour while its people work. */
  readonly tasksAnHour: number
  /** Searches of one task, one after the other. */
  readonly searchesOfTask: number
  /** Seconds that a host's model thinks between two. */
  readonly thinkSeconds: number
  readonly replicas: number
  /** Searches that one replica makes at once. */
  readonly atOnce: number
  /** Commits an hour, each of which every replica opens: so long one of its threads is taken. */
  readonly commitsAnHour: number
  readonly openSeconds: number
}

/** What callers met. */
export type BusyHour = {
  readonly searches: number
  /** Seconds from request to answer, each. */
  readonly seconds: readonly number[]
  /** Share of the replicas' time in which they worked. */
  readonly busy: number
}

type Arrival = { readonly at: number; readonly replica: number | null; readonly seconds: number }

/**
 * One hour of searches by hosts that are all at work, event by event: tasks begin at random (Poisson), each asks several times; a proxy
 * gives a request to the replica with the fewest open ones, and there it waits for a thread.
 *
 * @param drawSeconds - the time of one search alone, drawn anew each time
 */
export function simulateHour(fleet: Fleet, random: SeededRandom, drawSeconds: () => number): BusyHour {
  const arrivals = [...searchesOf(fleet, random, drawSeconds), ...commitsOf(fleet)].sort(
    (a, b) => a.at - b.at,
  )
  const freeAt = Array.from({ length: fleet.replicas }, () => new Float64Array(fleet.atOnce))
  const ends: number[][] = Array.from({ length: fleet.replicas }, () => [])
  const seconds: number[] = []
  let worked = 0
  for (const { at, replica, seconds: needed } of arrivals) {
    for (const open of ends) while (open.length > 0 && open[0]! <= at) open.shift()
    const chosen = replica ?? leastOpen(ends)
    const threads = freeAt[chosen]!
    const thread = firstFree(threads)
    const end = Math.max(at, threads[thread]!) + needed
    threads[thread] = end
    worked += needed
    insert(ends[chosen]!, end)
    if (replica === null) seconds.push(end - at)
  }
  const last = Math.max(3_600, arrivals.at(-1)?.at ?? 0)
  return { searches: seconds.length, seconds, busy: worked / (last * fleet.replicas * fleet.atOnce) }
}

const uniform = (random: SeededRandom): number => (random.uint32() + 0.5) / 2 ** 32

/** Time to the next event of a Poisson process. */
export const untilNext = (random: SeededRandom, anHour: number): number =>
  (-Math.log(uniform(random)) * 3_600) / anHour

function* searchesOf(
  { hosts, tasksAnHour, searchesOfTask, thinkSeconds }: Fleet,
  random: SeededRandom,
  drawSeconds: () => number,
): Generator<Arrival> {
  const all = hosts * tasksAnHour
  for (let at = untilNext(random, all); at < 3_600; at += untilNext(random, all))
    for (let search = 0; search < searchesOfTask; search += 1)
      yield { at: at + search * thinkSeconds, replica: null, seconds: drawSeconds() }
}

function* commitsOf({ replicas, commitsAnHour, openSeconds }: Fleet): Generator<Arrival> {
  for (let commit = 0; commit < commitsAnHour; commit += 1)
    for (let replica = 0; replica < replicas; replica += 1)
      // They look for news each second, at moments of their own.
      yield { at: (commit * 3_600) / commitsAnHour + replica / replicas, replica, seconds: openSeconds }
}

function firstFree(freeAt: Float64Array): number {
  let first = 0
  for (let at = 1; at < freeAt.length; at += 1) if (freeAt[at]! < freeAt[first]!) first = at
  return first
}

function leastOpen(ends: readonly (readonly number[])[]): number {
  let least = 0
  for (let at = 1; at < ends.length; at += 1) if (ends[at]!.length < ends[least]!.length) least = at
  return least
}

function insert(sorted: number[], value: number): void {
  let at = sorted.length
  while (at > 0 && sorted[at - 1]! > value) at -= 1
  sorted.splice(at, 0, value)
}
