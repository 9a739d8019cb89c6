import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Bytes of memory that a process holds: all of it, and its heap after a collection. */
export type Memory = { readonly rss: number; readonly heap: number }

/** A real `audition serve` in a process of its own, watched. */
export type ServerProcess = {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly isAlive: () => boolean
  /** Lines of stderr that tell of a crash or of a promise nobody caught. */
  readonly alarms: readonly string[]
  /** Collects garbage first. */
  memory(): Promise<Memory>
  /** Resolves with the first match in stderr. @throws Error when the process ends before */
  said(pattern: RegExp): Promise<string>
  /** Ends stdin or interrupts, and waits. @returns the exit code */
  end(): Promise<number | null>
}

const alarming = /unhandled|uncaught|fatal error|segmentation|triggerUncaughtException|Warning: Possible/i

/** Answers requests for the memory that the process holds; it must not keep the process alive. */
const watcher = `data:text/javascript,${encodeURIComponent(`
  process.on('message', () => {
    globalThis.gc()
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
    process.send({ rss, heap: heapUsed + external + arrayBuffers })
  })
  process.channel.unref()
`)}`

/** Starts the program with an environment of its own. */
export function startServer(
  main: string,
  args: readonly string[],
  env: { readonly [name: string]: string },
): ServerProcess {
  const child = spawn(process.execPath, ['--expose-gc', '--import', watcher, main, 'serve', ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
  const alarms: string[] = []
  const heard: string[] = []
  const listeners = new Set<(line: string) => void>()
  createInterface(child.stderr!).on('line', (line) => {
    if (alarming.test(line)) alarms.push(line)
    if (heard.length < 200) heard.push(line)
    for (const listener of listeners) listener(line)
  })
  child.stdin!.on('error', () => undefined) // a server that has gone is told by its exit
  return {
    stdin: child.stdin!,
    stdout: child.stdout!,
    alarms,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async memory() {
      const answer = once(child, 'message')
      child.send('memory')
      return (await Promise.race([answer, gone(child)]))[0] as Memory
    },
    said: (pattern) =>
      Promise.race([
        new Promise<string>((resolve) => {
          const listen = (line: string): void => {
            const found = pattern.exec(line)
            if (found === null) return
            listeners.delete(listen)
            resolve(found[0])
          }
          listeners.add(listen)
          for (const line of heard) listen(line)
        }),
        gone(child).catch(() =>
          Promise.reject(new Error(`The server ended: ${heard.slice(-5).join(' | ')}`)),
        ),
      ]),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exit = once(child, 'exit')
      child.stdin!.end()
      if (args.includes('--http')) child.kill('SIGINT')
      const deadline = setTimeout(() => child.kill('SIGKILL'), 30_000)
      const [code] = (await exit) as [number | null]
      clearTimeout(deadline)
      return code
    },
  }
}

async function gone(child: ChildProcess): Promise<never> {
  await once(child, 'exit')
  throw new Error('The server ended.')
}
