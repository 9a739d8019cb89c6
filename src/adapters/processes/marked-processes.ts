import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { carries, processTable } from './process-table.ts'

/** The variable that marks a process and, since environments are inherited, all that it starts. */
export const markerVariable = 'AUDITION_EXECUTION'

/** A value for {@link markerVariable} that no other execution has. */
export const newMarker = (): string => randomUUID()

/** How long processes may start others faster than they are found, in milliseconds, before we give up. */
const patienceMs = 2_000
/** Pause between scans: the dying need a moment. */
const pauseMs = 10

/**
 * Kills what is left of an execution after its group is gone: processes that left the group by `setsid` and still carry
 * its marker. Needs /proc: elsewhere than on Linux it finds nothing. A process that clears its own environment is out of reach.
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
export const markedProcesses = (marker: string): readonly number[] =>
  processTable()
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid && carries(pid, `${markerVariable}=${marker}`))

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it was faster
  }
}
