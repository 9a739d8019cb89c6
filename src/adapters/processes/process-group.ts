import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { windowsCommand } from './find-program.ts'

const isWindows = process.platform === 'win32'

/** How long a group may take to follow a signal before the next, harsher step, in milliseconds. */
export type Patience = { readonly exit: number; readonly terminate: number; readonly kill: number }

/** `friendly` lets it leave by itself first; `now` starts with SIGTERM, after a time-out or an abort; `kill` gives no time at all. */
export type Urgency = 'friendly' | 'now' | 'kill'

const defaultPatience: Patience = { exit: 500, terminate: 1_000, kill: 250 }
const pollMs = 10

/** Groups that still run, so that none outlives us. */
const running = new Set<number>()

/** What to start. Everything is expanded already; the environment is complete. */
export type StdioLaunch = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/**
 * Starts a process as the head of a group of its own. From now until {@link stopGroup}, the group dies with our
 * process, however that ends (short of SIGKILL, where the group sees its stdin close). Windows has no groups: there
 * the tree below the process stands for one.
 */
export function spawnInGroup(launch: StdioLaunch): ChildProcessWithoutNullStreams {
  const { command, args, env, cwd } = launch
  const child = isWindows
    ? spawnOnWindows(launch)
    : spawn(command, args, { cwd, env, detached: true, stdio: 'pipe' })
  if (child.pid === undefined) return child
  if (running.size === 0) watchOurEnd()
  running.add(child.pid)
  return child
}

function spawnOnWindows(launch: StdioLaunch): ChildProcessWithoutNullStreams {
  const line = windowsCommand(launch)
  return spawn(line.command, line.args, {
    cwd: launch.cwd,
    env: launch.env,
    stdio: 'pipe',
    windowsHide: true,
    windowsVerbatimArguments: line.isVerbatim,
  })
}

/**
 * Ends a child and all it started: waits for it to leave by itself after its stdin closed, then SIGTERM to the group,
 * then SIGKILL. Resolves when the group is empty, or when all in it were killed and only wait for a parent to notice.
 * Processes that left the group by `setsid` are out of reach.
 */
export async function stopGroup(
  child: ChildProcess,
  urgency: Urgency,
  patience: Patience = defaultPatience,
): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  if (urgency === 'kill') signalGroup(pid, 'SIGKILL')
  child.stdin?.end()
  if (urgency === 'friendly') await leaves(child, patience.exit)
  if (signalGroup(pid, 'SIGTERM') && !(await isEmptied(pid, patience.terminate))) {
    signalGroup(pid, 'SIGKILL')
    await isEmptied(pid, patience.kill)
  }
  await leaves(child, patience.kill)
  running.delete(pid)
  if (running.size === 0) unwatchOurEnd()
  for (const stream of child.stdio) stream?.destroy()
}

async function leaves(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = new AbortController()
  await Promise.race([
    once(child, 'exit'),
    wait(timeoutMs, undefined, { signal: timer.signal }).catch(() => {}),
  ])
  timer.abort()
}

async function isEmptied(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (signalGroup(pid, 0)) {
    if (performance.now() > deadline) return false
    await wait(pollMs)
  }
  return true
}

/** Whether the group still had a process to receive the signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (!isWindows) return process.kill(-pid, signal)
    if (signal === 0) return process.kill(pid, signal)
    return spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).status === 0
  } catch {
    return false
  }
}

const fatalSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function killAll(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL')
}

/** A listener keeps a signal from ending us, so we end ourselves by it unless someone else listens and decides. */
function onFatalSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killAll()
  unwatchOurEnd()
  process.kill(process.pid, signal)
}

function watchOurEnd(): void {
  process.on('exit', killAll)
  for (const signal of fatalSignals) process.on(signal, onFatalSignal)
}

function unwatchOurEnd(): void {
  process.off('exit', killAll)
  for (const signal of fatalSignals) process.off(signal, onFatalSignal)
}
