import process from 'node:process'
import {
  type JSONRPCMessage,
  type McpServer,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio as serveConnection, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Audition } from '../compose/audition.ts'
import type { Keeping } from './jobs/follow-sources.ts'
import { keepCurrent, warmUp } from './jobs/background.ts'
import { drained, drainMs, type Running, runningRequests } from './jobs/drain.ts'
import { once } from '../domain/once.ts'
import { endJobs } from './jobs/jobs.ts'
import { protocolLines } from './transport/protocol-lines.ts'
import type { Surrounded } from './asking/asker.ts'
import { createServer } from './server.ts'

/** Longest message, in bytes: as over HTTP. */
const longestLine = 1024 * 1024
/** Requests that run at once; the sender of more waits, and so does one who does not take the answers. */
const mostRunning = 1_000
/** Time that closing gets before the process is ended anyway, in milliseconds. */
const exitMs = 8_000

/** How a process serves its host. */
type StdioOptions = {
  /** Whether it takes in what changes in files that were indexed, and asks servers again. @defaultValue false */
  readonly watches?: boolean
  /** What is known of whoever asks. @defaultValue nothing */
  readonly surrounded?: Surrounded
  /** What is served in place of Audition itself; nothing is opened beforehand then. */
  readonly server?: () => McpServer | Server
}

/**
 * Serves MCP over stdin and stdout until stdin ends, SIGINT or SIGTERM comes, or stdout breaks; then closes the app
 * and lets the process end with code 0. What runs when stdin ends or the signal comes is still answered, within ten
 * seconds; a signal after the end of stdin hurries jobs. Logs go to stderr.
 */
export async function serveStdio(app: Audition, options: StdioOptions = {}): Promise<void> {
  const { watches = false, surrounded, server } = options
  keepStdoutForTheProtocol()
  const signal = signalled()
  let keeping: Keeping | undefined
  const onUsed = once(() => {
    if (server === undefined) warmUp(app)
    if (watches) keeping = keepCurrent(app)
  })
  const stdio = requestsOverStdio(onUsed)
  const connection = serveConnection(
    server ?? (() => createServer(app, surrounded === undefined ? {} : { surrounded })),
    {
      transport: stdio.transport,
      maxSubscriptions: 0, // nothing that we list ever changes
      onerror: (error) => console.error(`audition: ${error.message}`),
    },
  )
  const inputEnded = stdio.inputEnded.then(() => 'input' as const)
  const last = await Promise.race([inputEnded, signal.then(() => 'signal' as const), stdio.broken])
  stdio.takeNoMore()
  if (last !== undefined) {
    const impatience = new AbortController()
    const timer = setTimeout(() => impatience.abort(), drainMs)
    if (last === 'input') void signal.then(() => impatience.abort())
    await Promise.race([drained(stdio.running, app, impatience.signal), stdio.broken])
    clearTimeout(timer)
  }
  process.exitCode = 0
  setTimeout(() => process.exit(0), exitMs).unref()
  await Promise.all([endJobs(app, AbortSignal.abort()), keeping?.close()])
  await connection.close()
  process.stdin.destroy() // an open pipe would keep the process
  await app.close()
}

/** stdout is the protocol: what other code prints there would break the connection. */
function keepStdoutForTheProtocol(): void {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
}

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

/** The SDK's transport on our own stdin and stdout, and what is known of the requests that pass it. */
type StdioRequests = {
  readonly transport: Transport
  /** Stdin has ended, and all that came by it has been seen. */
  readonly inputEnded: Promise<void>
  /** The connection is gone: nobody reads answers any more. */
  readonly broken: Promise<undefined>
  readonly running: Running
  takeNoMore(): void
}

/**
 * The end of stdin does not reach the SDK's transport, which would drop the requests that run. `printf '…' | audition
 * serve` works by that.
 *
 * @param onUsed - called when the host lists or calls something: the handshake is over
 */
function requestsOverStdio(onUsed: () => void): StdioRequests {
  const running = runningRequests<string | number>()
  const input = protocolLines({
    longest: longestLine,
    room: () => running.below(mostRunning),
    onRejected({ id, message }) {
      const error = { code: ProtocolErrorCode.InvalidRequest, message }
      const answer = { jsonrpc: '2.0', id, error } as JSONRPCMessage // the id of nobody is null
      transport.send(answer).catch(() => undefined) // who has gone away misses nothing
    },
  })
  const transport: Transport = new StdioServerTransport(input, process.stdout)
  process.stdout.setMaxListeners(0) // every answer that waits for a slow reader listens; `mostRunning` bounds them
  process.stdin.pipe(input, { end: false })
  const inputEnded = new Promise<void>((resolve) => {
    process.stdin.once('error', () => resolve())
    process.stdin.once('end', () => {
      // A line break completes a last line that has none; once it is through, so is all that came before it.
      input.write('\n', () => setImmediate(resolve))
    })
  })

  const watched: Transport = {
    start: () => transport.start(),
    close: () => transport.close(),
    send: async (message, options) => {
      await transport.send(message, options)
      if (isResponse(message)) running.remove(message.id)
    },
  }
  const broken = new Promise<undefined>((resolve) => {
    transport.onclose = () => {
      watched.onclose?.()
      resolve(undefined)
    }
  })
  transport.onerror = (error) => watched.onerror?.(error)
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) running.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') forget(message, running)
    if ('method' in message && message.method.includes('/') && 'id' in message) onUsed()
    watched.onmessage?.(message)
  }
  return {
    transport: watched,
    inputEnded,
    broken,
    running,
    takeNoMore: () => void process.stdin.unpipe(input),
  }
}

/** A cancelled request gets no answer. */
function forget(message: JSONRPCMessage, running: { remove(id: string | number): void }): void {
  const id = 'params' in message ? message.params?.requestId : undefined
  if (typeof id === 'string' || typeof id === 'number') running.remove(id)
}

const isResponse = (message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: string | number } =>
  !('method' in message) && 'id' in message && message.id !== undefined
