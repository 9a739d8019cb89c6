import { readdirSync, readFileSync } from 'node:fs'

/** A process as /proc has it. Linux alone. */
export type ProcessRow = {
  readonly pid: number
  readonly group: number
  readonly session: number
  /** Seconds of its own and of children it has waited for. */
  readonly cpuSeconds: number
  /** Ticks since boot: with `pid` it names the process for good. */
  readonly started: string
}

/** Ticks in a second of /proc; the same on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Every process that lives; zombies have ended. Empty elsewhere than on Linux. */
export function processTable(): readonly ProcessRow[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const row = pid > 1 ? rowOf(pid) : undefined
    return row === undefined ? [] : [row]
  })
}

function rowOf(pid: number): ProcessRow | undefined {
  const text = textOf(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ') // the name before may hold anything
  if (fields.length < 20 || fields[0] === 'Z') return undefined
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
  return {
    pid,
    group: Number(fields[2]),
    session: Number(fields[3]),
    cpuSeconds: ticks / ticksPerSecond,
    started: fields[19]!,
  }
}

/** Bytes of memory that a process holds for itself: what is not a mapped file. */
export function memoryOf(pid: number): number {
  const status = textOf(`/proc/${pid}/status`)
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)]
  return kilobytes.reduce((sum, [, text]) => sum + Number(text), 0) * 1024
}

/** Whether the environment that a process was started with has a line. */
export const carries = (pid: number, variable: string): boolean =>
  textOf(`/proc/${pid}/environ`).split('\0').includes(variable)

/** Bytes that a process may put into message queues, soft and hard alike; undefined when they differ or nothing limits them. */
export function queueLimitOf(pid: number): number | undefined {
  const [, soft, hard] = /^Max msgqueue size\s+(\d+)\s+(\d+)/m.exec(textOf(`/proc/${pid}/limits`)) ?? []
  return soft === undefined || soft !== hard ? undefined : Number(soft)
}

/** Tasks (threads of all processes) of the user we run as. */
export function tasksOfUser(): number {
  if (process.platform !== 'linux') return 0
  const uid = process.getuid?.()
  return readdirSync('/proc').reduce((sum, name) => {
    if (!/^\d/.test(name)) return sum
    const status = textOf(`/proc/${name}/status`)
    const [, owner] = /^Uid:\s+(\d+)/m.exec(status) ?? []
    const [, threads] = /^Threads:\s+(\d+)/m.exec(status) ?? []
    return Number(owner) === uid && threads !== undefined ? sum + Number(threads) : sum
  }, 0)
}

/** Empty when the process is gone, or not ours to read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
