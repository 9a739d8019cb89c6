import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Containment } from './sandbox/sandbox.ts'
import { type Patience, spawnInGroup, type StdioLaunch, stopGroup, type Urgency } from './process-group.ts'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { byteText, type ChildLimits } from './child-limits.ts'
import { carries, memoryOf, type ProcessRow, processTable, queueLimitOf } from './process-table.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** A program of somebody else's, held in bounds. */
export type ContainedChild = {
  readonly process: ChildProcessWithoutNullStreams
  /** Ends it and all that it started, wherever that went; resolves when they are gone. */
  stop(urgency: Urgency, patience?: Patience): Promise<void>
}

/** How a program is started and what is told of it. */
type ContainedStart = {
  readonly containment: Containment
  /** What the user allowed, by which its opening is found. */
  readonly permit: string
  /** A folder that is its alone, whose size is watched. */
  readonly scratch?: string
  /** It used more than it may: whoever started it stops it, at once. */
  readonly onExceeded: (why: string) => void
}

/**
 * Starts a program in a group of its own, in the sandbox and under the limits of the containment, and watches what it uses.
 *
 * @throws SandboxError when the sandbox cannot be used: nothing is started then
 */
export async function startContained(
  launch: StdioLaunch,
  { containment, permit, scratch, onExceeded }: ContainedStart,
): Promise<ContainedChild> {
  const { sandbox, limits } = containment
  const fault = await sandbox.fault()
  if (fault !== null) throw fault
  const marker = newMarker()
  const env = { ...launch.env, [markerVariable]: marker }
  const enclosed = sandbox.enclose({
    launch: { ...launch, env },
    opening: containment.opening(permit),
    limits,
    mark: limitMark(marker),
  })
  const child = spawnInGroup(enclosed.start)
  const unwatch =
    child.pid === undefined
      ? () => {}
      : watchUsage(
          {
            group: child.pid,
            marker,
            limits,
            ...(scratch === undefined ? {} : { scratch }),
          },
          onExceeded,
        )
  return {
    process: child,
    async stop(urgency, patience) {
      unwatch()
      await Promise.all([stopGroup(child, urgency, patience), enclosed.end?.()])
      await killMarked(marker)
    },
  }
}

/** A child and all that it started. */
type WatchedGroup = {
  /** Id of the process group. */
  readonly group: number
  /** What all of them carry, also those that left the group. */
  readonly marker: string
  readonly limits: ChildLimits
  /** A folder that is theirs alone. */
  readonly scratch?: string
}

const periodMs = 200
/** Looks at the processes between two looks at a folder. */
const folderEvery = 5
/** Entries of a folder that are counted at one look. */
const mostEntries = 20_000

type Watcher = WatchedGroup & {
  readonly onExceeded: (why: string) => void
  /** Processes that were looked at, and whether they had the mark. */
  readonly known: Map<string, boolean>
}

const watchers = new Set<Watcher>()
let timer: NodeJS.Timeout | undefined
let looks = 0

/**
 * Looks five times a second at what a group uses together: processes, memory, processor time and the size of its folder. The system's
 * own limits hold for one process each; this holds for all. Linux alone has a table to look into; elsewhere nothing is watched.
 *
 * @param onExceeded - told once, with the reason as the end of a sentence: `it used more than 2 GiB of memory`
 * @returns what ends the watch
 */
function watchUsage(group: WatchedGroup, onExceeded: (why: string) => void): () => void {
  if (process.platform !== 'linux') return () => {}
  const watcher: Watcher = { ...group, onExceeded, known: new Map() }
  const end = (): void => {
    watchers.delete(watcher)
    if (watchers.size > 0 || timer === undefined) return
    clearInterval(timer)
    timer = undefined
  }
  watchers.add(watcher)
  timer ??= setInterval(look, periodMs).unref()
  return end
}

function look(): void {
  looks += 1
  const table = processTable()
  for (const watcher of watchers) {
    const why = excessOf(watcher, table)
    if (why === null) continue
    watchers.delete(watcher)
    watcher.onExceeded(why)
  }
}

function excessOf({ limits, scratch, ...watcher }: Watcher, table: readonly ProcessRow[]): string | null {
  const { processes, memoryBytes, cpuSeconds, fileBytes } = limits
  const members = table.filter((row) => isMember(row, watcher))
  if (processes !== null && members.length > processes) return `it started more than ${processes} processes`
  if (cpuSeconds !== null && members.reduce((sum, row) => sum + row.cpuSeconds, 0) > cpuSeconds)
    return `it used more than ${cpuSeconds} s of processor time`
  if (memoryBytes !== null && members.reduce((sum, { pid }) => sum + memoryOf(pid), 0) > memoryBytes)
    return `it used more than ${byteText(memoryBytes)} of memory`
  if (fileBytes === null || scratch === undefined || looks % folderEvery !== 0) return null
  return sizeOfFolder(scratch) > fileBytes
    ? `it wrote more than ${byteText(fileBytes)} into its folder`
    : null
}

function isMember(
  { pid, group, session, started }: ProcessRow,
  watcher: Pick<Watcher, 'group' | 'marker' | 'known'>,
): boolean {
  if (group === watcher.group || session === watcher.group) return true
  if (pid === process.pid) return false
  const name = `${pid} ${started}`
  const known = watcher.known.get(name) ?? isMarked(pid, watcher.marker)
  watcher.known.set(name, known)
  return known
}

/** Bytes on disk of the files in a folder, links not followed. */
function sizeOfFolder(folder: string): number {
  let bytes = 0
  let left = mostEntries
  const open = [folder]
  for (let at = open.pop(); at !== undefined && left > 0; at = open.pop()) {
    for (const entry of entriesOf(at)) {
      left -= 1
      const path = join(at, entry.name)
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) bytes += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512
    }
  }
  return bytes
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // it is gone, or closed to us
  }
}

/** The variable that marks a process and, since environments are inherited, all that it starts. */
const markerVariable = 'AUDITION_EXECUTION'

/** A value for {@link markerVariable} that no other execution has. */
const newMarker = (): string => randomUUID()

/**
 * A limit of the system that no program of ours has by itself, so that the value tells an execution by it: it is inherited, and
 * stays where a program clears its environment. Bytes of message queues, soft and hard; below the usual 819,200.
 */
const limitMark = (marker: string): number => 400_000 + (Number.parseInt(marker.slice(0, 8), 16) % 400_000)

/** Whether a process carries a marker, in its environment or in its limits. */
const isMarked = (pid: number, marker: string): boolean =>
  carries(pid, `${markerVariable}=${marker}`) || queueLimitOf(pid) === limitMark(marker)

/** How long processes may start others faster than they are found, in milliseconds, before we give up. */
const patienceMs = 2_000
/** Pause between scans: the dying need a moment. */
const pauseMs = 10

/**
 * Kills what is left of an execution after its group is gone: processes that left the group by `setsid` and still carry
 * its marker. Needs /proc: elsewhere than on Linux it finds nothing. A process that clears its environment and lowers its own limits is
 * out of reach; a sandbox reaches it.
 */
async function killMarked(marker: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const pids = markedProcesses(marker)
    if (pids.length === 0 || performance.now() > deadline) return
    for (const pid of pids) kill(pid)
    await wait(pauseMs)
  }
}

/** Ids of the living processes that carry a marker; zombies carry none. */
const markedProcesses = (marker: string): readonly number[] =>
  processTable()
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid && isMarked(pid, marker))

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it was faster
  }
}
