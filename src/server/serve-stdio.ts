import process from 'node:process'
import { PassThrough } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio'
import type { Audition } from '../audition.ts'
import { once } from './once.ts'
import { createServer } from './server.ts'
import { warmUp } from './warm-up.ts'

/** Time that running requests get to finish once stdin has ended, in milliseconds. */
const drainMs = 10_000
/** Time that closing gets before the process is ended anyway, in milliseconds. */
const exitMs = 5_000

/**
 * Serves MCP over stdin and stdout until stdin ends, SIGINT or SIGTERM comes, or stdout breaks; then closes the app
 * and lets the process end with code 0. Requests that run when stdin ends are still answered. Logs go to stderr.
 */
export async function serveStdio(app: Audition): Promise<void> {
  keepStdoutForTheProtocol()
  const { transport, ended } = drainingStdio(once(() => warmUp(app)))
  const connection = serveConnection(() => createServer(app), {
    transport,
    onerror: (error) => console.error(`audition: ${error.message}`),
  })
  await Promise.race([ended, signalled()])
  process.exitCode = 0
  setTimeout(() => process.exit(0), exitMs).unref()
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

/**
 * The SDK's transport, but for the end of stdin: it reaches the transport only when every request is answered,
 * because the SDK drops those that are not. `printf '…' | audition serve` works by that.
 *
 * @param onListed - called when the host asks for the tools: the handshake is over
 */
function drainingStdio(onListed: () => void): {
  readonly transport: Transport
  readonly ended: Promise<void>
} {
  const input = new PassThrough()
  const running = new Set<string | number>()
  const transport: Transport = new StdioServerTransport(input, process.stdout)
  let inputEnded = false
  const endWhenDrained = () => {
    if (inputEnded && running.size === 0) input.end()
  }
  process.stdin.pipe(input, { end: false })
  process.stdin.once('end', () => {
    setTimeout(() => input.end(), drainMs).unref()
    // A line break completes a last line that has none; once it is through, so is all that came before it.
    input.write('\n', () =>
      setImmediate(() => {
        inputEnded = true
        endWhenDrained()
      }),
    )
  })
  process.stdin.once('error', () => input.end())

  const draining: Transport = {
    start: () => transport.start(),
    close: () => transport.close(),
    send: async (message, options) => {
      await transport.send(message, options)
      if (isResponse(message)) running.delete(message.id)
      endWhenDrained()
    },
  }
  const ended = new Promise<void>((resolve) => {
    transport.onclose = () => {
      draining.onclose?.()
      resolve()
    }
  })
  transport.onerror = (error) => draining.onerror?.(error)
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) running.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') forget(message, running)
    if ('method' in message && message.method === 'tools/list') onListed()
    draining.onmessage?.(message)
  }
  return { transport: draining, ended }
}

/** A cancelled request gets no answer. */
function forget(message: JSONRPCMessage, running: Set<string | number>): void {
  const id = 'params' in message ? message.params?.requestId : undefined
  if (typeof id === 'string' || typeof id === 'number') running.delete(id)
}

const isResponse = (message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: string | number } =>
  !('method' in message) && 'id' in message && message.id !== undefined
