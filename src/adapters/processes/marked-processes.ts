import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** The variable that marks a process and, since environments are inherited, all that it starts. */
export const markerVariable = 'AUDITION_EXECUTION'

/** A value for {@link markerVariable} that no other execution has. */
export const newMarker = (): string => randomUUID()

/** Scans before we give up on processes that start others faster than they are found. */
const mostScans = 8

/**
 * Kills what is left of an execution after its group is gone: processes that left the group by `setsid` and still carry
 * its marker. Needs /proc: elsewhere than on Linux it finds nothing. A process that clears its own environment is out of reach.
 *
 * @returns how many were killed
 */
export async function killMarked(marker: string): Promise<number> {
  let killed = 0
  for (let scan = 0; scan < mostScans; scan += 1) {
    const pids = await markedProcesses(marker)
    if (pids.length === 0) break
    for (const pid of pids) killed += kill(pid) ? 1 : 0
  }
  return killed
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

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false // it was faster
  }
}
