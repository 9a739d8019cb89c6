import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { carries, processTable, queueLimitOf } from './process-table.ts'

/** The variable that marks a process and, since environments are inherited, all that it starts. */
export const markerVariable = 'AUDITION_EXECUTION'

/** A value for {@link markerVariable} that no other execution has. */
export const newMarker = (): string => randomUUID()

/**
 * A limit of the system that no program of ours has by itself, so that the value tells an execution by it: it is inherited, and
 * stays where a program clears its environment. Bytes of message queues, soft and hard; below the usual 819,200.
 */
export const limitMark = (marker: string): number =>
  400_000 + (Number.parseInt(marker.slice(0, 8), 16) % 400_000)

/** Whether a process carries a marker, in its environment or in its limits. */
export const isMarked = (pid: number, marker: string): boolean =>
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
export async function killMarked(marker: string): Promise<void> {
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
