import { constants } from 'node:os'
import type { Execution, ExecutionLimits } from '../../probing/ports.ts'
import { type ContainedChild, startContained } from '../processes/contained-child.ts'
import type { Containment } from '../processes/containment.ts'
import { type OutputTail, outputTail } from '../processes/output-tail.ts'
import { SandboxError } from '../processes/sandbox/sandbox.ts'
import type { StdioLaunch } from '../processes/process-group.ts'

/** What holds a program. */
type Held = {
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
  | { readonly kind: 'time' | 'bytes' | 'cancelled' }
  /** It used more of the machine than it may; why is the end of a sentence. */
  | { readonly kind: 'usage'; readonly why: string }

/** How an execution ended whose program was stopped, or never started. */
export function stoppedEnd(
  end: Exclude<RunEnd, { readonly kind: 'exited' }>,
  limits: Pick<ExecutionLimits, 'seconds' | 'outputBytes'>,
): Pick<Execution, 'ending' | 'failure'> {
  switch (end.kind) {
    case 'time':
      return { ending: 'limit', failure: `it did not answer within ${limits.seconds} s` }
    case 'bytes':
      return {
        ending: 'limit',
        failure: `it printed more than ${limits.outputBytes.toLocaleString('en')} bytes`,
      }
    case 'usage':
      return { ending: 'limit', failure: end.why }
    case 'cancelled':
      return { ending: 'cancelled', failure: 'it was stopped before it answered' }
    case 'not-started':
      return { ending: 'failed', failure: `it cannot be started (${end.code})` }
  }
}

/** The limit of the system that ended a program, by its signal or by the exit code that a sandbox makes of it; undefined for any other end. */
export function limitOf({
  signal,
  code,
}: Pick<Extract<RunEnd, { kind: 'exited' }>, 'signal' | 'code'>): string | undefined {
  if (signal === 'SIGXCPU' || code === 128 + constants.signals.SIGXCPU)
    return 'it used more processor time than it may'
  if (signal === 'SIGXFSZ' || code === 128 + constants.signals.SIGXFSZ)
    return 'it wrote a larger file than it may'
  return undefined
}

/** What a run left behind; every process of it is gone. */
export type ProgramRun = {
  readonly end: RunEnd
  /** All of stdout, when the run ended by itself; else empty. */
  readonly stdout: Buffer
  readonly stderr: OutputTail
  /** Bytes of stdout and stderr that were read. */
  readonly bytes: number
}

/** After its exit, how long a program's pipes may stay open because something it started holds them. */
const drainMs = 500
/** How long a group has to follow SIGTERM, and SIGKILL after that: together well below the two seconds a run may overrun. */
const patience = { exit: 0, terminate: 300, kill: 250 }
const longestTimer = 2 ** 31 - 1

/**
 * Starts a program in a group of its own, gives it its input, and takes what it prints until it exits or something stops it.
 * Resolves when every process it started is gone; never rejects for what the program does.
 *
 * @param held - what holds it; a scratch folder is the caller's to remove
 * @throws SandboxError when the sandbox cannot be used
 */
export async function runProgram(
  launch: StdioLaunch,
  input: string,
  limits: { readonly seconds: number; readonly bytes: number },
  signal: AbortSignal,
  held: Held,
): Promise<ProgramRun> {
  const stderr = outputTail()
  const exceeded = new AbortController()
  const contained = await started(launch, { ...held, onExceeded: (why) => exceeded.abort(why) })
  if ('kind' in contained) return { end: contained, stdout: Buffer.alloc(0), stderr, bytes: 0 }
  const { process: child } = contained
  const chunks: Buffer[] = []
  let bytes = 0
  const end = await new Promise<RunEnd>((resolve) => {
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.bytes) finish({ kind: 'bytes' })
    }
    const timer = setTimeout(() => finish({ kind: 'time' }), Math.min(limits.seconds * 1_000, longestTimer))
    const onAbort = () => finish({ kind: 'cancelled' })
    const onExceeded = () => finish({ kind: 'usage', why: String(exceeded.signal.reason) })
    let drain: NodeJS.Timeout | undefined
    const finish = (reason: RunEnd) => {
      clearTimeout(timer)
      clearTimeout(drain)
      signal.removeEventListener('abort', onAbort)
      child.stdout.removeAllListeners('data').destroy()
      child.stderr.removeAllListeners('data').destroy()
      resolve(reason)
    }
    exceeded.signal.addEventListener('abort', onExceeded, { once: true })
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      count(chunk)
    })
    const decoder = new TextDecoder()
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(decoder.decode(chunk, { stream: true }))
      count(chunk)
    })
    for (const stream of child.stdio) stream?.on('error', () => {}) // it need not read its stdin
    child.on('error', (error) => finish({ kind: 'not-started', code: codeOf(error) }))
    child.on('exit', (code, by) => {
      drain = setTimeout(() => finish({ kind: 'exited', code, signal: by }), drainMs)
    })
    child.on('close', (code, by) => finish({ kind: 'exited', code, signal: by }))
    child.stdin.end(input)
  })
  await contained.stop(end.kind === 'usage' ? 'kill' : 'now', patience)
  return { end, stdout: end.kind === 'exited' ? Buffer.concat(chunks) : Buffer.alloc(0), stderr, bytes }
}

type NotStarted = Extract<RunEnd, { kind: 'not-started' }>

async function started(
  launch: StdioLaunch,
  start: Parameters<typeof startContained>[1],
): Promise<ContainedChild | NotStarted> {
  try {
    return await startContained(launch, start)
  } catch (error) {
    if (error instanceof SandboxError) throw error
    return { kind: 'not-started', code: codeOf(error) }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
