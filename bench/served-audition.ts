import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { builtProgram } from './built-program.ts'

/** A real `audition serve --http` on a free port of this machine. */
export type ServedAudition = {
  /** Of the MCP endpoint. */
  readonly url: string
  readonly process: ChildProcess
  /** What it wrote to stderr so far. */
  output(): string
  /** Its exit code, once it has ended: null when a signal itself ended it. */
  readonly ended: Promise<number | null>
  /** Sends a signal, unless it has ended, and gives {@link ended}. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** What to serve. */
type ServeOptions = {
  /** Added to the environment of this process. */
  readonly env: { readonly [name: string]: string }
  /** @defaultValue the program that the build left in `dist` */
  readonly program?: string
}

/** Starts it and waits until it listens. @throws Error with what it wrote, when it ends before */
export async function serveAudition({ env, program = builtProgram }: ServeOptions): Promise<ServedAudition> {
  const child = spawn(process.execPath, [program, 'serve', '--http', '0'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  const output = (): string => lines.join('\n')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      const found = /https?:\/\/\S+\/mcp/.exec(line)
      if (found) resolve(found[0])
    })
    void ended.then((code) => reject(new Error(`audition serve --http ended with ${code}: ${output()}`)))
  })
  return {
    url,
    process: child,
    output,
    ended,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}
