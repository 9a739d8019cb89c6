import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject } from '../../domain/json.ts'
import { isRemote, type StoreLocation } from './connection.ts'
import { StoreError } from './store-error.ts'

const pollMs = 200
/** A lock is written an instant after it is made: one that stays unreadable was left by a crash. */
const unfinishedMs = 2000
/** How often a holder touches its lock, and the age at which another machine's counts as abandoned. */
const touchMs = 5000
const abandonedMs = 5 * 60_000

/** Who writes a store. The mark tells a process from an earlier one of the same number, as restarted containers have. */
export type Holder = { readonly pid: number; readonly host: string; readonly mark: string }

const own: Holder = { pid: process.pid, host: hostname(), mark: randomUUID() }

/**
 * Lets one process at a time write a local store. Waits for the other; the lock of a process that is gone is taken
 * over. A remote store has no lock: run one indexer for it.
 *
 * @param onWait - called once when somebody else holds the lock
 * @returns the function that gives the lock back
 * @throws StoreError when the folder cannot be written
 */
export async function lockStore(
  location: StoreLocation,
  signal: AbortSignal | undefined,
  onWait?: (holder: Holder) => void,
): Promise<() => void> {
  if (isRemote(location)) return () => undefined
  const file = join(location, 'index.lock')
  for (let waited = false; ; ) {
    signal?.throwIfAborted()
    if (writing(location, () => take(file))) return keep(file)
    const holder = readHolder(file)
    if (isStale(file, holder)) {
      if (writing(location, () => removeStale(file))) continue
    } else if (!waited && holder !== 'unreadable') {
      waited = true
      onWait?.(holder)
    }
    // Ends early when it is stopped; the next round gives the reason.
    await wait(pollMs, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

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

function isStale(file: string, holder: Holder | 'unreadable'): boolean {
  if (holder === 'unreadable') return ageMs(file) > unfinishedMs
  if (holder.host !== own.host) return ageMs(file) > abandonedMs
  return holder.pid === own.pid ? holder.mark !== own.mark : !isAlive(holder.pid)
}

/**
 * Removes a stale lock. Only one process may at a time, and it looks again: between its look and its removal another
 * one could have taken the lock over.
 *
 * @returns whether it is worth trying at once to take the lock
 */
function removeStale(file: string): boolean {
  const breaker = `${file}.breaker`
  if (!take(breaker)) {
    // It exists for an instant: one that stays was left by a crash.
    if (ageMs(breaker) > unfinishedMs) rmSync(breaker, { force: true })
    return false
  }
  try {
    if (isStale(file, readHolder(file))) rmSync(file, { force: true })
    return true
  } finally {
    rmSync(breaker, { force: true })
  }
}

function readHolder(file: string): Holder | 'unreadable' {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isJsonObject(holder)) return 'unreadable'
    const { pid, host, mark } = holder
    return typeof pid === 'number' && typeof host === 'string' && typeof mark === 'string'
      ? { pid, host, mark }
      : 'unreadable'
  } catch {
    return 'unreadable'
  }
}

/** Age of a file; 0 when it is gone. */
function ageMs(file: string): number {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return made === undefined ? 0 : Date.now() - made
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
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreError(
      `The store in ${location} cannot be written: ${reason}. Check the folder's permissions and the free space, or set AUDITION_HOME to another one.`,
      `it cannot be written: ${reason}`,
      { cause: error },
    )
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
