import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** One call of the command line in a process of its own. */
export type Call = {
  /** The built program. */
  readonly program: string
  readonly words: readonly string[]
  readonly home: string
  readonly environment?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Words before `node`, for example a shell that sets limits. */
  readonly before?: readonly string[]
  /** Kills the process after so many milliseconds. */
  readonly killAfterMs?: number
  /** What to do when that long has passed and it still runs; then it counts as hung. @defaultValue 60000 */
  readonly mostMs?: number
}

/** How a call ended. */
export type Ended = {
  readonly code: number | null
  /** Whether it was still running when it was killed. */
  readonly killed: boolean
  /** Whether it ran longer than it may. */
  readonly hung: boolean
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

/** Runs the program with surroundings of its own: no setting of the person who tests gets in. */
export async function runProgram(call: Call): Promise<Ended> {
  const { program, words, home, before = [], killAfterMs, mostMs = 60_000 } = call
  const [command, ...rest] = [...before, process.execPath, program, ...words]
  const started = performance.now()
  const child = spawn(command!, rest, {
    cwd: call.cwd ?? '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: `${home}-user`,
      AUDITION_READER: 'none',
      AUDITION_HOME: home,
      AUDITION_SETTINGS: `${home}-settings.yaml`,
      RUST_BACKTRACE: '0',
      ...call.environment,
    },
  })
  let [stdout, stderr, killed, hung] = ['', '', false, false]
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const killing =
    killAfterMs === undefined ? undefined : setTimeout(() => void child.kill('SIGKILL'), killAfterMs)
  const guard = setTimeout(() => {
    hung = true
    child.kill('SIGKILL')
  }, mostMs)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(killing)
  clearTimeout(guard)
  killed = signal === 'SIGKILL' && !hung
  return { code, killed, hung, stdout, stderr, milliseconds: performance.now() - started }
}
