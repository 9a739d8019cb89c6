import { readFileSync } from 'node:fs'
import { findProgram } from './find-program.ts'
import { tasksOfUser } from './process-table.ts'

/** What a child and all that it starts may use of the machine; null for no limit. */
export type ChildLimits = {
  /** Processor time of all together, and of each, seconds. Integer >= 1. @defaultValue 300 */
  readonly cpuSeconds: number | null
  /** Memory of all together, and data of each. Bytes, integer. @defaultValue 2 GiB */
  readonly memoryBytes: number | null
  /** Processes at the same time. Integer >= 1. @defaultValue 256 */
  readonly processes: number | null
  /** Open files of each process. Integer >= 16. @defaultValue 4096 */
  readonly openFiles: number | null
  /** Largest file, and all of a scratch folder together. Bytes, integer. @defaultValue 1 GiB */
  readonly fileBytes: number | null
}

/** Enough for what real servers of Node and Python were seen to need: about 110 MiB of data, 11 threads, 30 files. */
export const defaultChildLimits: ChildLimits = {
  cpuSeconds: 300,
  memoryBytes: 2 * 1024 ** 3,
  processes: 256,
  openFiles: 4096,
  fileBytes: 1024 ** 3,
}

/** Threads count as tasks of the user for the system; an honest process has a few. */
const tasksPerProcess = 8
/** Seconds between the signal that says that the time is over and the one that cannot be ignored. */
const graceSeconds = 2
/** Where the system's own programs lie: no PATH decides what sets the limits. */
const systemPath = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' }

/** A command and its arguments. */
export type CommandLine = { readonly command: string; readonly args: readonly string[] }

/**
 * The command line that starts a program under limits that the system itself enforces on each process: processor time, data
 * (not address space, of which Node reserves more than a gigabyte), open files, file size, no core dumps, and on Linux the number
 * of tasks; and leave a mark on the program and all that it starts, see {@link limitMark}. By `prlimit` where it is installed, else by `ulimit` of `sh`. Windows has neither: there the line is as it was.
 */
export function limitedLine(line: CommandLine, limits: ChildLimits, mark?: number): CommandLine {
  if (process.platform === 'win32') return line
  const prlimit = process.platform === 'linux' ? findProgram('prlimit', systemPath, '/') : undefined
  return prlimit === undefined ? byShell(line, limits) : byPrlimit(line, limits, { prlimit, mark })
}

/** Names of `prlimit`'s options, and the titles of their limits in /proc. */
const titles = {
  cpu: 'Max cpu time',
  data: 'Max data size',
  nofile: 'Max open files',
  fsize: 'Max file size',
  nproc: 'Max processes',
  msgqueue: 'Max msgqueue size',
}

function byPrlimit(
  { command, args }: CommandLine,
  limits: ChildLimits,
  { prlimit, mark }: { readonly prlimit: string; readonly mark: number | undefined },
): CommandLine {
  const ceilings = ownCeilings()
  const option = (name: keyof typeof titles, soft: number | null, hard = soft): readonly string[] => {
    if (soft === null || hard === null) return []
    const most = ceilings.get(titles[name]) ?? Number.POSITIVE_INFINITY
    return [`--${name}=${Math.min(soft, most)}:${Math.min(hard, most)}`]
  }
  const { cpuSeconds, memoryBytes, openFiles, fileBytes } = limits
  return {
    command: prlimit,
    args: [
      '--core=0',
      ...option('cpu', cpuSeconds, cpuSeconds === null ? null : cpuSeconds + graceSeconds),
      ...option('data', memoryBytes),
      ...option('nofile', openFiles),
      ...option('fsize', fileBytes),
      ...option('nproc', mostTasks(limits)),
      ...option('msgqueue', mark ?? null),
      '--',
      command,
      ...args,
    ],
  }
}

/** The system counts all tasks of the user, those that have nothing to do with the child too. */
function mostTasks({ processes }: ChildLimits): number | null {
  return processes === null ? null : tasksOfUser() + processes * tasksPerProcess
}

/** The hard limits that we are under ourselves, which nobody may raise, by their title in /proc. */
function ownCeilings(): ReadonlyMap<string, number> {
  const rows = readFileSync('/proc/self/limits', 'latin1').split('\n').slice(1)
  return new Map(
    rows.flatMap((row): [string, number][] => {
      const [title, , hard] = row.split(/\s{2,}/)
      return title === undefined || hard === undefined || hard === 'unlimited' ? [] : [[title, Number(hard)]]
    }),
  )
}

/** A limit that cannot be set is lower already, or unknown to this shell: tried in a shell of its own, since a failure ends some. */
export function byShell({ command, args }: CommandLine, limits: ChildLimits): CommandLine {
  const set = (flag: string, value: number | null): readonly string[] =>
    value === null ? [] : [`(ulimit ${flag} ${value}) 2>/dev/null && ulimit ${flag} ${value}`]
  const blocks = (bytes: number | null, size: number) => (bytes === null ? null : Math.ceil(bytes / size))
  const script = [
    ...set('-c', 0),
    ...set('-t', limits.cpuSeconds),
    ...set('-d', blocks(limits.memoryBytes, 1024)),
    ...set('-n', limits.openFiles),
    ...set('-f', blocks(limits.fileBytes, 512)),
    'exec "$@"',
  ]
  return { command: '/bin/sh', args: ['-c', script.join('\n'), 'sh', command, ...args] }
}

/** For people: `300 s of processor time, 2 GiB of memory, ...`. */
export function describeLimits(limits: ChildLimits): string {
  const { cpuSeconds, memoryBytes, processes, openFiles, fileBytes } = limits
  const parts = [
    ...(cpuSeconds === null ? [] : [`${cpuSeconds} s of processor time`]),
    ...(memoryBytes === null ? [] : [`${byteText(memoryBytes)} of memory`]),
    ...(processes === null ? [] : [`${processes} processes`]),
    ...(openFiles === null ? [] : [`${openFiles} open files`]),
    ...(fileBytes === null ? [] : [`files of ${byteText(fileBytes)}`]),
  ]
  if (parts.length === 0) return 'no limits'
  return process.platform === 'win32' ? 'no limits but time and output' : `at most ${parts.join(', ')}`
}

export function byteText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[power]}`
}
