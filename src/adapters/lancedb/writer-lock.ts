import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRemote, type StoreLocation } from './connection.ts'

const pollMs = 200

type Holder = { readonly pid: number; readonly host: string }

/**
 * Lets one process at a time write a local store. Waits for the other; a lock whose process is gone is taken over.
 * A remote store has no lock: run one indexer for it.
 *
 * @param onWait - called once when somebody else holds the lock
 * @returns the function that gives the lock back
 */
export async function lockStore(
  location: StoreLocation,
  signal: AbortSignal | undefined,
  onWait?: (pid: number) => void,
): Promise<() => void> {
  if (isRemote(location)) return () => undefined
  mkdirSync(location, { recursive: true })
  const file = join(location, 'index.lock')
  const own: Holder = { pid: process.pid, host: hostname() }
  for (let waited = false; ; ) {
    signal?.throwIfAborted()
    try {
      writeFileSync(file, JSON.stringify(own), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const holder = readHolder(file)
    if (holder !== 'unreadable' && holder.host === own.host && !isAlive(holder.pid)) {
      rmSync(file, { force: true })
      continue
    }
    if (holder === 'unreadable' && ageMs(file) > abandonedMs) {
      rmSync(file, { force: true })
      continue
    }
    if (!waited && holder !== 'unreadable') onWait?.(holder.pid)
    waited ||= holder !== 'unreadable'
    await wait(pollMs, undefined, signal ? { signal } : {})
  }
}

/** A lock is written an instant after it is made: one that stays unreadable was left by a crash. */
const abandonedMs = 2000

function readHolder(file: string): Holder | 'unreadable' {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
