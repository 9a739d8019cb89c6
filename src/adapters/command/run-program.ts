import { constants } from 'node:os'
import type { Bounds } from '../../domain/bounds.ts'
import { type Execution, RuntimeError } from '../../probing/ports.ts'
import { stoppedEnding } from '../../probing/run/bounded-execution.ts'
import { type ContainedChild, startContained } from '../processes/contained-child.ts'
import { type OutputTail, outputTail } from '../processes/output-tail.ts'
import { SandboxError, type Containment } from '../processes/sandbox/sandbox.ts'
import type { StdioLaunch } from '../processes/process-group.ts'

/** What holds a program. */
type Holding = {
  /** How far it may go; what it prints is counted. */
  readonly bounds: Bounds
  readonly containment: Containment
  /** What the user allowed. */
  readonly permit: string
  /** A folder that is its alone. */
  readonly scratch?: string
}

/** Why a program's run was over. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'not-started'; readonly code: string }
  /** By its bounds, which say why. */
  | { readonly kind: 'stopped' }

/** How an execution ended whose program gave no answer. Limits of the system show by a signal, or the exit code that a sandbox makes of it. */
export function unansweredEnd(end: RunEnd, bounds: Bounds): Pick<Execution, 'ending' | 'failure'> {
  if (end.kind === 'stopped') return stoppedEnding(bounds)
  if (end.kind === 'not-started') return { ending: 'failed', failure: `it cannot be started (${end.code})` }
  const { signal, code } = end
  if (signal === 'SIGXCPU' || code === 128 + constants.signals.SIGXCPU)
    return { ending: 'limit', failure: 'it used more processor time than it may' }
  if (signal === 'SIGXFSZ' || code === 128 + constants.signals.SIGXFSZ)
    return { ending: 'limit', failure: 'it wrote a larger file than it may' }
  const failure = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`
  return { ending: 'failed', failure }
}

/** What a run left behind; every process of it is gone. */
export type ProgramRun = {
  readonly end: RunEnd
  /** All of stdout, when the run ended by itself; else empty. */
  readonly stdout: Buffer
  readonly stderr: OutputTail
}

/** After its exit, how long a program's pipes may stay open because something it started holds them. */
const drainMs = 500
/** How long a group has to follow SIGTERM, and SIGKILL after that: together well below the two seconds a run may overrun. */
const patience = { exit: 0, terminate: 300, kill: 250 }

/**
 * Starts a program in a group of its own, gives it its input, and takes what it prints until it exits or something stops it.
 * Resolves when every process it started is gone; never rejects for what the program does.
 *
 * @param holding - what holds it; bounds and scratch folder are the caller's to let go
 * @throws RuntimeError when the sandbox cannot be used
 */
export async function runProgram(launch: StdioLaunch, input: string, holding: Holding): Promise<ProgramRun> {
  const { bounds } = holding
  const stderr = outputTail()
  const contained = await started(launch, { ...holding, onExceeded: bounds.stopAtLimit })
  if ('kind' in contained) return { end: contained, stdout: Buffer.alloc(0), stderr }
  const { process: child } = contained
  const chunks: Buffer[] = []
  const end = await new Promise<RunEnd>((resolve) => {
    let drain: NodeJS.Timeout | undefined
    const finish = (reason: RunEnd) => {
      clearTimeout(drain)
      child.stdout.removeAllListeners('data').destroy()
      child.stderr.removeAllListeners('data').destroy()
      resolve(reason)
    }
    bounds.onStop(() => finish({ kind: 'stopped' }))
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bounds.countBytes(chunk.length)
    })
    const decoder = new TextDecoder()
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(decoder.decode(chunk, { stream: true }))
      bounds.countBytes(chunk.length)
    })
    for (const stream of child.stdio) stream?.on('error', () => {}) // it need not read its stdin
    child.on('error', (error) => finish({ kind: 'not-started', code: codeOf(error) }))
    child.on('exit', (code, by) => {
      drain = setTimeout(() => finish({ kind: 'exited', code, signal: by }), drainMs)
    })
    child.on('close', (code, by) => finish({ kind: 'exited', code, signal: by }))
    child.stdin.end(input)
  })
  const isExcess = end.kind === 'stopped' && bounds.stoppedBy() === 'budget'
  await contained.stop(isExcess ? 'kill' : 'now', patience)
  return { end, stdout: end.kind === 'exited' ? Buffer.concat(chunks) : Buffer.alloc(0), stderr }
}

type NotStarted = Extract<RunEnd, { kind: 'not-started' }>

async function started(
  launch: StdioLaunch,
  start: Parameters<typeof startContained>[1],
): Promise<ContainedChild | NotStarted> {
  try {
    return await startContained(launch, start)
  } catch (error) {
    if (error instanceof SandboxError) throw new RuntimeError(error.message, error.remedy, { cause: error })
    return { kind: 'not-started', code: codeOf(error) }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
