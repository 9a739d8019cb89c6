import { homedir } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import pico from 'picocolors'
import type { Environment } from '../domain/environment.ts'

/** Colours of one output; functions that return their text unchanged when it takes none. */
type Paint = ReturnType<typeof pico.createColors>

/** Standard output or standard error. */
export type Output = {
  readonly stream: NodeJS.WritableStream
  readonly isTty: boolean
  /** Columns of the terminal, never fewer than {@link leastColumns}; null when the output is not one and COLUMNS says nothing. */
  readonly columns: number | null
  readonly paint: Paint
  write(text: string): void
  /** Waits for what was written to be out. Rejects with the system's error when it cannot be, on a full disk for example. */
  written(): Promise<void>
}

/** The surroundings of one call of the command line. */
export type Terminal = {
  /** Results, and nothing else. */
  readonly stdout: Output
  /** Progress, logs and errors. */
  readonly stderr: Output
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly env: Environment
  /** Path of the program as it was started: a link named `audition`, or our main file. */
  readonly program: string
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
}

/** The terminal of this process. A reader that goes away (`| head`) ends the output, not the command. */
export function processTerminal(argv: readonly string[]): Terminal {
  const { env } = process
  return {
    stdout: outputOver(process.stdout, env, argv),
    stderr: outputOver(process.stderr, env, argv),
    stdin: process.stdin,
    env,
    program: process.argv[1] ?? 'audition',
    cwd: process.cwd(),
    home: homedir(),
    platform: process.platform,
  }
}

/** A stream that can be a terminal. */
type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Wraps a stream: whether it takes colours and how wide it is. What fails to be written is told by `written`. */
export function outputOver(stream: OutputStream, env: Environment, argv: readonly string[]): Output {
  const isTty = stream.isTTY === true
  let open = true
  let failure: Error | undefined
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false
    if (!goneReader.has(error.code)) failure ??= error
  })
  return {
    stream,
    isTty,
    columns: usable(stream.columns) ?? usable(Number(env.COLUMNS)) ?? (isTty ? usualColumns : null),
    paint: pico.createColors(takesColours(isTty, env, argv)),
    write: (text) => {
      if (open) stream.write(text)
    },
    written: async () => {
      if (open && stream.writable) await new Promise<void>((out) => stream.write('', () => out()))
      await setImmediate() // 'error' is emitted after the callbacks of what was not written
      if (failure !== undefined) throw failure
    },
  }
}

/** What a stream says when nobody reads it any more. */
const goneReader: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED'])

/** @see https://no-color.org and https://force-color.org: set and not empty means yes */
function takesColours(isTty: boolean, env: Environment, argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  if ((end < 0 ? argv : argv.slice(0, end)).includes('--no-color')) return false
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  return isTty && env.TERM !== 'dumb'
}

/** Fewer hold no word. Terminals that do not know their width say 0 or 1, as those of containers and of CI do. */
const leastColumns = 10

/** What a terminal has when nobody says otherwise. */
const usualColumns = 80

const usable = (columns: number | undefined): number | null =>
  columns !== undefined && Number.isInteger(columns) && columns >= leastColumns ? columns : null
