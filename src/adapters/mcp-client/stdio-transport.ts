import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  deserializeMessage,
  type JSONRPCMessage,
  ProtocolErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import { type ContainedChild, startContained } from '../processes/contained-child.ts'
import type { Containment } from '../processes/sandbox/sandbox.ts'
import type { Bounds } from '../../domain/bounds.ts'
import { isJsonObject } from '../../domain/json.ts'
import { FloodError } from './list-tools.ts'
import { type OutputTail, outputTail } from '../processes/output-tail.ts'
import type { Patience, StdioLaunch, Urgency } from '../processes/process-group.ts'

/** Bytes on stdout that are no messages before we stop believing that the program speaks MCP. */
const mostStrayBytes = 256 * 1024
/** After its exit, how long a process's pipes may stay open because something it started holds them. */
const drainMs = 500

/** What holds the process. */
type Held = {
  /** What it sends is counted. */
  readonly bounds: Bounds
  readonly containment: Containment
  readonly permit: string
  readonly patience?: Patience | undefined
}

/** How the process ended, if it did. */
type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/**
 * MCP over the stdin and stdout of a process of our own making. Unlike the SDK's transport it gives the process a
 * group of its own and ends the whole group, since `npx` and `uvx` start the server as their child; and it remembers
 * what the process said on stderr, and on stdout beside the protocol.
 */
export class GroupStdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly stderr: OutputTail = outputTail()
  readonly stray: OutputTail = outputTail()
  /** Set to `now` when close must not wait for a friendly exit. */
  urgency: Urgency = 'friendly'
  end: ProcessEnd | undefined
  readonly #launch: StdioLaunch
  readonly #held: Held
  #child: ContainedChild | undefined
  #partial: Buffer[] = []
  #strayBytes = 0
  #isClosed = false
  #stopped: Promise<void> | undefined

  constructor(launch: StdioLaunch, held: Held) {
    this.#launch = launch
    this.#held = held
  }

  /** @throws SandboxError when the sandbox cannot be used */
  async start(): Promise<void> {
    this.#child = await startContained(this.#launch, {
      ...this.#held,
      onExceeded: (why) => this.#exceeded(why),
    })
    const { process: child } = this.#child
    if (this.#isClosed) return this.#child.stop('kill')
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.stderr.push(chunk))
    for (const stream of child.stdio) stream?.on('error', (error) => this.onerror?.(error))
    child.on('exit', (code, signal) => {
      this.end = { code, signal }
      setTimeout(() => this.#closed(), drainMs).unref()
    })
    child.on('close', () => this.#closed())
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.on('error', reject)
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(serializeMessage(message))
    } catch (error) {
      await this.#drained()
      throw error
    }
  }

  #write(text: string): Promise<void> {
    const stdin = this.#child?.process.stdin
    if (stdin?.writable !== true)
      return Promise.reject(new Error('the process does not read its stdin any more'))
    return new Promise((resolve, reject) => {
      stdin.write(text, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** A process that reads no more has mostly ended: how, and what it said of it, tells more than the broken pipe. */
  async #drained(): Promise<void> {
    const child = this.#child?.process
    if (child === undefined || this.#isClosed) return
    const timer = new AbortController()
    await Promise.race([
      once(child, 'close', { signal: timer.signal }).catch(() => undefined),
      wait(drainMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ])
    timer.abort()
  }

  /** Resolves when the process and all of its group are gone. */
  close(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    await this.#child?.stop(this.urgency, this.#held.patience)
    this.#partial = []
    this.#closed()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return
    try {
      const { bounds } = this.#held
      bounds.countBytes(chunk.length)
      bounds.signal.throwIfAborted()
      let from = 0
      for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
        this.#partial.push(chunk.subarray(from, to))
        from = to + 1
        const line = Buffer.concat(this.#partial)
        this.#partial = []
        this.#readLine(line)
      }
      if (from < chunk.length) this.#partial.push(chunk.subarray(from))
    } catch (error) {
      this.#child?.process.stdout.destroy()
      this.onerror?.(error as Error)
      this.#closed()
    }
  }

  #exceeded(why: string): void {
    this.urgency = 'kill'
    const { bounds } = this.#held
    bounds.stopAtLimit(why)
    this.onerror?.(bounds.signal.reason as Error)
    void this.close()
  }

  /** Programs greet and log on stdout although they must not: such lines are kept for the report and passed over. */
  #readLine(line: Buffer): void {
    const message = messageOf(line) ?? brokenAnswer(line)
    if (message !== undefined) {
      this.onmessage?.(message)
      return
    }
    const text = line.toString('utf8')
    if (text.trim() === '') return
    this.stray.push(`${text}\n`)
    this.#strayBytes += line.length + 1
    if (this.#strayBytes <= mostStrayBytes) return
    this.#held.bounds.stop(new FloodError('it prints text on stdout instead of MCP messages'))
    this.#held.bounds.signal.throwIfAborted()
  }
}

/** An answer that the protocol does not allow ends the wait all the same: as an error, in its own words where it has some. */
function brokenAnswer(line: Buffer): JSONRPCMessage | undefined {
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
  if (!isJsonObject(value) || 'method' in value) return undefined
  const { id, error } = value
  if ((typeof id !== 'number' && typeof id !== 'string') || !('result' in value || 'error' in value))
    return undefined
  const said = isJsonObject(error) ? error.message : error
  const message = typeof said === 'string' ? said : 'its answer is not what the protocol asks for'
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message } }
}

const openingBrace = 0x7b

function messageOf(line: Buffer): JSONRPCMessage | undefined {
  const start = line.findIndex((byte) => byte > 0x20)
  if (line[start] !== openingBrace) return undefined
  try {
    return deserializeMessage(line.toString('utf8'))
  } catch {
    return undefined
  }
}
