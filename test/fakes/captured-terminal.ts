import { tmpdir } from 'node:os'
import { Readable, Writable } from 'node:stream'
import type { Environment } from '../../src/domain/environment.ts'
import type { Audition } from '../../src/compose/app.ts'
import type { OpenAudition } from '../../src/cli/context.ts'
import { run } from '../../src/cli/run.ts'
import { outputOver } from '../../src/cli/terminal.ts'

/** What a test may set of the surroundings of a command; by default nothing is a terminal. */
export type Surroundings = {
  readonly env?: Environment
  readonly cwd?: string
  readonly home?: string
  /** Makes both outputs terminals of this width. */
  readonly columns?: number
  /** What stands on standard input. */
  readonly input?: string
  readonly signal?: AbortSignal
}

/** What a command did. */
export type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs one command line against a fake Audition, or one for each store, and captures everything it writes. */
export async function runCaptured(
  argv: readonly string[],
  audition: Audition | OpenAudition,
  { env = {}, cwd = tmpdir(), home = tmpdir(), columns, input = '', signal }: Surroundings = {},
): Promise<Outcome> {
  const stdout = capture(columns)
  const stderr = capture(columns)
  const terminal = {
    stdout: outputOver(stdout.stream, env, argv),
    stderr: outputOver(stderr.stream, env, argv),
    stdin: Readable.from([input]),
    env,
    program: '/usr/bin/audition',
    cwd,
    home,
    platform: 'linux' as const,
  }
  const code = await run(argv, {
    terminal,
    openAudition: typeof audition === 'function' ? audition : async () => audition,
    signal: signal ?? new AbortController().signal,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** A stream that keeps what is written to it; a terminal when it has columns. */
export function capture(columns?: number) {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8')
      done()
    },
  })
  return {
    stream: columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns }),
    text: () => text,
  }
}
