import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject } from '../../../domain/json.ts'
import { readable } from '../../../domain/paths.ts'
import { cannotBeWritten, isFolderThere, isRemote, type StoreLocation } from '../store-location.ts'

const pollMs = 200
/** A lock is written an instant after it is made: one that stays unreadable was left by a crash. */
const unfinishedMs = 2000
/** How often a holder touches its lock. */
const touchMs = 2000
/** The age at which another machine's lock counts as abandoned, if it is not touched while we watch it so long. */
const abandonedMs = 5 * 60_000
const watchedMs = 3 * touchMs
/** A lock that is not touched for so long while we watch it is abandoned, whatever clocks say. */
const untouchedMs = 60_000

/**
 * Who writes a store. The mark tells a process from an earlier one of the same number, as restarted containers have; `started`
 * tells it from a later one, and is null where the system does not tell.
 */
export type Holder = {
  readonly pid: number
  readonly host: string
  readonly mark: string
  readonly started: string | null
}

const own: Holder = {
  pid: process.pid,
  host: hostname(),
  mark: randomUUID(),
  started: startOf(process.pid),
}

/**
 * Lets one process at a time write a local store. Waits for the other; the lock of a process that is gone is taken
 * over. A remote store has no lock: run one indexer for it.
 *
 * @param onWait - called once when somebody else holds the lock
 * @returns the function that gives the lock back
 * @throws StoreError when the folder cannot be opened or written
 */
export async function lockStore(
  location: StoreLocation,
  signal: AbortSignal | undefined,
  onWait?: (holder: Holder) => void,
): Promise<() => void> {
  if (isRemote(location)) return () => undefined
  isFolderThere(location) // says in better words than the system why it cannot be opened
  const file = lockFile(location)
  const [lock, breaker] = [watch(file), watch(`${file}.breaker`)]
  for (let waited = false; ; ) {
    signal?.throwIfAborted()
    if (writing(location, () => take(file))) return keep(file)
    const holder = readHolder(file)
    if (isStale(lock(), holder)) {
      if (writing(location, () => removeStale(file, lock, breaker))) continue
    } else if (!waited && holder !== 'unreadable') {
      waited = true
      onWait?.(holder)
    }
    // Ends early when it is stopped; the next round gives the reason.
    await wait(pollMs, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

/** Whether a local store is held: by a process that lives, or by one that is gone. */
export function lockOn(location: StoreLocation): 'none' | 'held' | 'stale' {
  const file = lockFile(location)
  if (isRemote(location) || !existsSync(file)) return 'none'
  return isStale(watch(file)(), readHolder(file)) ? 'stale' : 'held'
}

const lockFile = (location: StoreLocation): string => join(location, 'index.lock')

/** Makes a file that must not be there yet. @returns whether it was not */
function take(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify(own), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Shows from time to time that the holder lives. */
function keep(file: string): () => void {
  const timer = setInterval(() => touch(file), touchMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    const holder = readHolder(file)
    if (holder !== 'unreadable' && holder.mark === own.mark) rmSync(file, { force: true })
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Only other machines read the time. If the folder is gone or no longer ours, the commit says so.
  }
}

/** How old a file is by the clock, and how long it has not changed while it was watched; in milliseconds. */
type Age = { readonly byClock: number; readonly watched: number }

/** Watches a file: clocks may be set, and differ between machines, so an age is only half of what tells a crash. */
function watch(file: string): () => Age {
  let [seen, since] = [Number.NaN, 0]
  return () => {
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    const now = performance.now()
    if (made === undefined) return { byClock: 0, watched: 0 }
    if (made !== seen) [seen, since] = [made, now]
    return { byClock: Date.now() - made, watched: now - since }
  }
}

function isStale(age: Age, holder: Holder | 'unreadable'): boolean {
  if (holder === 'unreadable') return isUnfinished(age)
  if (holder.host !== own.host)
    return age.watched > untouchedMs || (age.byClock > abandonedMs && age.watched > watchedMs)
  if (holder.pid === own.pid) return holder.mark !== own.mark
  return !isAlive(holder.pid) || (holder.started !== null && holder.started !== startOf(holder.pid))
}

/** Of a file that is there for an instant, or written in one. */
const isUnfinished = ({ byClock, watched }: Age): boolean => Math.max(byClock, watched) > unfinishedMs

/**
 * Removes a stale lock. Only one process may at a time, and it looks again: between its look and its removal another
 * one could have taken the lock over.
 *
 * @returns whether it is worth trying at once to take the lock
 */
function removeStale(file: string, lock: () => Age, breaker: () => Age): boolean {
  const guard = `${file}.breaker`
  if (!take(guard)) {
    // It exists for an instant: one that stays was left by a crash.
    if (isUnfinished(breaker())) rmSync(guard, { force: true })
    return false
  }
  try {
    if (isStale(lock(), readHolder(file))) rmSync(file, { force: true })
    return true
  } finally {
    rmSync(guard, { force: true })
  }
}

function readHolder(file: string): Holder | 'unreadable' {
  try {
    const holder: unknown = JSON.parse(readFileSync(readable(file), 'utf8'))
    if (!isJsonObject(holder)) return 'unreadable'
    const { pid, host, mark, started } = holder
    return typeof pid === 'number' && typeof host === 'string' && typeof mark === 'string'
      ? { pid, host, mark, started: typeof started === 'string' ? started : null }
      : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Makes the folder, and says in words of the store why it cannot be written. */
function writing<T>(location: string, write: () => T): T {
  try {
    mkdirSync(location, { recursive: true })
    return write()
  } catch (error) {
    throw cannotBeWritten(location, error)
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/**
 * What tells a process from another one that got its number after it ended, or after the machine was started anew: the start of the
 * machine and that of the process. Null where the system does not tell (it is Linux that does).
 */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in parentheses and may hold anything; the start is the 20th word after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return started === undefined ? null : `${boot}/${started}`
  } catch {
    return null
  }
}
