import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The variable that marks a process and, since environments are inherited, all that it starts. */
export const markerVariable = 'AUDITION_EXECUTION'

/** A value for {@link markerVariable} that no other execution has. */
export const newMarker = (): string => randomUUID()

/** How long processes may start others faster than they are found, in milliseconds, before we give up. */
const patienceMs = 1_000
/** Pause between scans: the dying need a moment. */
const pauseMs = 10

/**
 * Kills what is left of an execution after its group is gone: processes that left the group by `setsid` and still carry
 * its marker. Needs /proc: elsewhere than on Linux it finds nothing. A process that clears its own environment is out of reach.
 */
export async function killMarked(marker: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const pids = await markedProcesses(marker)
    if (pids.length === 0 || performance.now() > deadline) return
    for (const pid of pids) kill(pid)
    await wait(pauseMs)
  }
}

/** Ids of the living processes that carry a marker; zombies carry none. */
export async function markedProcesses(marker: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1 && pid !== process.pid)
  const isMarked = await Promise.all(pids.map((pid) => carries(pid, `${markerVariable}=${marker}`)))
  return pids.filter((_, index) => isMarked[index])
}

async function carries(pid: number, variable: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
    return environment.split('\0').includes(variable)
  } catch {
    return false // it is gone, or not ours to read
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it was faster
  }
}
