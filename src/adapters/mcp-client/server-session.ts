import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import type { z } from 'zod'
import type { Harvest, HarvestError, McpServerEntry } from '../../catalog/ports.ts'
import { type Bounds, boundsOf } from '../../domain/bounds.ts'
import type { JsonObject } from '../../domain/json.ts'
import { maskedWhole } from '../../domain/text/masked-json.ts'
import { printable } from '../../domain/text/printable.ts'
import { maskSecrets, valueMasker } from '../../domain/text/secrets.ts'
import type { CallProgress, ToolResult } from '../../probing/calls/ports.ts'
import { currentWatcher } from '../../watching/watch.ts'
import { httpGuard } from '../http/guarded-fetch.ts'
import type { NamedBy } from '../http/reach.ts'
import type { Patience } from '../processes/process-group.ts'
import { defaultContainment } from '../processes/sandbox/sandbox.ts'
import { type CallResult, callAnswer, callResultOf, failedResult, resultOf } from './call-result.ts'
import {
  type Connection,
  connectServer,
  defaultServerLimits,
  harvestOf,
  noTimeout,
  type ServerSettings,
} from './connect-server.ts'
import { expandLaunch, fromTheNetwork } from './expand-environment.ts'
import { harvestFailure } from './harvest-failure.ts'
import { type ListLimits, listTools } from './list-tools.ts'
import { GroupStdioTransport } from './stdio-transport.ts'

/** A live connection to a server, whose tools can be called. */
export type ServerSession = {
  /** What the server says of itself; data, secrets masked. */
  readonly server: { readonly name: string; readonly version: string }
  /** Every page of `tools/list`, as the protocol gives them; data, secrets masked. */
  readonly tools: readonly JsonObject[]
  /** The same as an index run reads it, to be compared with cards: its tools are {@link tools}, in the same order. */
  readonly harvest: Harvest
  /**
   * Calls a tool. What the tool or its server says against it is a result that failed, secrets masked.
   *
   * @param options.onProgress - told what the server says while it works
   * @throws the reason of `signal` when that aborts; the server is told
   * @throws BoundReached when the server sent more than the session allows
   * @throws HarvestError when the server is gone
   */
  call(
    name: string,
    args: JsonObject,
    options: { readonly signal: AbortSignal; readonly onProgress?: (text: string) => void },
  ): Promise<CallResult>
  /** The same with all that it gave: images, links, what is structured. @throws as `call` */
  result(
    name: string,
    args: JsonObject,
    options: {
      readonly signal: AbortSignal
      readonly seconds: number
      readonly onProgress?: (progress: CallProgress) => void
    },
  ): Promise<ToolResult>
  /** Its tools as they are now. @throws HarvestError */
  relist(signal: AbortSignal): Promise<Pick<ServerSession, 'tools' | 'harvest'>>
  /** Whether it answers, within so many milliseconds where they are given, else before the connection ends. */
  answers(withinMs?: number): Promise<boolean>
  /** Whether it is a process, which reads what it is sent in order. */
  readonly isProcess: boolean
  /** Whether the connection has ended. */
  isGone(): boolean
  /** The server said since the last listing that its tools changed. */
  hasChanged(): boolean
  /** The end of what its process printed on stderr, masked; empty for a server at an address. */
  log(): string
  /**
   * Ends the session. Resolves when the connection is closed and every process that the server started is gone.
   *
   * @param urgency - `now` leaves the process no time to leave by itself
   */
  close(urgency?: 'friendly' | 'now'): Promise<void>
}

/** How a session is opened. */
export type SessionOptions = ServerSettings & {
  /** Whether the entry is of the user's own host configuration, or of a card. @defaultValue 'user' */
  readonly namedBy?: NamedBy
  /** Ends the opening, and every call; all that the server sends is counted. The caller's to release. */
  readonly bounds: Bounds
  /** @defaultValue 10,000 tools, 1,000 pages */
  readonly limits?: Partial<ListLimits>
}

/** How long a process may take to leave at the end of a session: less than the two seconds an execution may overrun. */
const patience: Patience = { exit: 500, terminate: 400, kill: 250 }

/**
 * Starts or connects to a server. Its processes carry a mark, so that none survives the session even if it leaves its group.
 *
 * @throws HarvestError with a message fit for people, secrets masked, and a remedy; nothing is left running
 * @throws the reason of a caller who stopped it
 */
export async function openServerSession(
  entry: McpServerEntry,
  options: SessionOptions,
): Promise<ServerSession> {
  const { environment, version, catalogFolder, bounds } = options
  const { guard = httpGuard(), namedBy = 'user', containment = defaultContainment } = options
  bounds.signal.throwIfAborted()
  if (/^[a-z][a-z\d+.-]+:/i.test(entry.config)) throw fromTheNetwork(entry)
  const expanded = expandLaunch(entry, environment, catalogFolder)
  const limits = { ...defaultServerLimits, ...options.limits }
  try {
    const connection = await connectServer({
      entry,
      expanded,
      environment,
      version,
      limits,
      bounds,
      containment,
      patience,
      send: guard.fetch(namedBy),
    })
    return sessionOver(entry, connection, bounds)
  } catch (error) {
    if (bounds.stoppedBy() === 'caller') bounds.signal.throwIfAborted()
    throw error
  }
}

function sessionOver(entry: McpServerEntry, connection: Connection, bounds: Bounds): ServerSession {
  const { client, transport, known, tools } = connection
  const mask = valueMasker(known.inAnswers)
  const process = transport instanceof GroupStdioTransport ? transport : undefined
  const talk = talkWith(entry, connection, bounds)
  const server = client.getServerVersion()
  const listed = (now: readonly JsonObject[]): Pick<ServerSession, 'tools' | 'harvest'> => ({
    tools: now.map((tool) => maskedWhole(tool, mask) as JsonObject),
    harvest: harvestOf(entry, { ...connection, tools: now }),
  })
  return {
    server: { name: mask(server?.name ?? entry.name), version: mask(server?.version ?? '') },
    ...listed(tools),
    async call(name, args, { signal, onProgress }) {
      const tell = (step: CallProgress): void => onProgress?.(mask(printable(progressText(step))))
      const reporting = onProgress === undefined ? {} : { onProgress: tell }
      const asked = await talk.ask({ name, arguments: args }, { signal, ...reporting })
      if ('refusal' in asked) return { text: asked.refusal.message, failed: true }
      const { text, structured, failed } = callResultOf(asked.answer)
      return {
        text: failed ? maskSecrets(printable(text), known.inErrors) : mask(printable(text)),
        ...(structured === undefined ? {} : { structured: maskedWhole(structured, mask) }),
        failed,
      }
    },
    async result(name, args, options) {
      const { onProgress, ...bound } = options
      const tell = ({ message, ...step }: CallProgress): void =>
        onProgress?.(message === undefined ? step : { ...step, message: mask(printable(message)) })
      const reporting = onProgress === undefined ? {} : { onProgress: tell }
      const asked = await talk.ask({ name, arguments: args }, { ...bound, ...reporting })
      if ('answer' in asked) return resultOf(asked.answer, mask, asked.notPassedOn)
      const text = maskSecrets(asked.refusal.message, known.inErrors)
      const excuse = asked.code === ProtocolErrorCode.InvalidParams ? 'arguments' : null
      return failedResult([{ type: 'text', text }], excuse, asked.notPassedOn)
    },
    relist: async (signal) => listed(await talk.list(signal)),
    answers: talk.answers,
    isProcess: process !== undefined,
    isGone: talk.isGone,
    hasChanged: talk.hasChanged,
    log: () => process?.stderr.masked(known.inErrors) ?? '',
    async close(urgency = 'friendly') {
      if (process !== undefined && process.urgency !== 'kill') process.urgency = urgency
      await transport.close()
    },
  }
}

/** What passes over a connection, and what is known of it. */
type Talk = Pick<ServerSession, 'answers' | 'isGone' | 'hasChanged'> & {
  ask(call: { readonly name: string; readonly arguments: JsonObject }, options: AskOptions): Promise<Answered>
  list(signal: AbortSignal): Promise<readonly JsonObject[]>
}

function talkWith(entry: McpServerEntry, { client, transport, known }: Connection, bounds: Bounds): Talk {
  const process = transport instanceof GroupStdioTransport ? { process: transport } : {}
  const failureOf = (error: unknown, step: 'call' | 'list'): HarvestError =>
    harvestFailure(error, { entry, step, seconds: null, knownValues: known.inErrors, ...process })
  const received = receivedFrom(client)
  const isEnded = (): boolean => received.isClosed || process.process?.end !== undefined
  return {
    async ask(call, { signal, seconds = null, onProgress }) {
      signal.throwIfAborted()
      const either = boundsOf({ callers: [signal], within: bounds, seconds })
      const before = received.refused.times
      const notPassedOn = (): string | null =>
        received.refused.times > before ? received.refused.method : null
      const reporting = onProgress === undefined ? {} : { onprogress: onProgress }
      const options = { signal: either.signal, timeout: noTimeout, ...reporting }
      const request = client.request({ method: 'tools/call', params: traced(call) }, callAnswer, options)
      try {
        const answer = await either.orStopped(request)
        return { answer, notPassedOn: notPassedOn() }
      } catch (error) {
        either.signal.throwIfAborted()
        const refusal = failureOf(error, 'call')
        if (isEnded()) throw refusal
        const code = error instanceof ProtocolError ? error.code : null
        return { refusal, code, notPassedOn: notPassedOn() ?? methodNotPassedOn(error) }
      } finally {
        either.release()
      }
    },
    async list(signal) {
      received.hasChanged = false
      const either = boundsOf({ callers: [signal], within: bounds, seconds: listSeconds })
      try {
        const options = { signal: either.signal, timeout: noTimeout }
        return await either.orStopped(listTools(client, defaultServerLimits, options))
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error, 'list')
      } finally {
        either.release()
      }
    },
    answers: (withinMs) =>
      client.ping({ timeout: withinMs ?? noTimeout }).then(
        () => true,
        (error: unknown) => !received.isClosed && error instanceof ProtocolError, // it knows no ping, and says so
      ),
    isGone: () => isEnded() || bounds.signal.aborted,
    hasChanged: () => received.hasChanged,
  }
}

/** What a server does by itself. */
function receivedFrom(client: Connection['client']) {
  const received = {
    isClosed: false,
    hasChanged: false,
    /** What it asked of us last and did not get, and how often: nothing tells for which call it was. */
    refused: { method: '', times: 0 },
  }
  client.onclose = () => {
    received.isClosed = true
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    received.hasChanged = true
  })
  client.fallbackRequestHandler = async ({ method }) => {
    received.refused.method = method
    received.refused.times += 1
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${method} is not passed on by Audition`)
  }
  return received
}

/** The call, as a part of the trace that it belongs to, where somebody watches. What our caller says beside it (`baggage`) is not passed on. */
function traced<Call extends object>(call: Call): Call & { readonly _meta?: { [header: string]: string } } {
  const { traceparent, tracestate } = currentWatcher()?.headers() ?? {}
  if (traceparent === undefined) return call
  return { ...call, _meta: { traceparent, ...(tracestate === undefined ? {} : { tracestate }) } }
}

/** An answer as it came, or what the server said against the call. */
type Answered = (
  | { readonly answer: z.output<typeof callAnswer> }
  | { readonly refusal: HarvestError; readonly code: number | null }
) & {
  /** What the server asked of us meanwhile. */
  readonly notPassedOn: string | null
}

/** Servers of 2026-07-28 ask in their answer to the call. */
function methodNotPassedOn(error: unknown): string | null {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.CapabilityNotSupported) return null
  const { method } = (error.data ?? {}) as { readonly method?: unknown }
  return typeof method === 'string' ? method : null
}

/** What a call may use, and whom it tells. */
type AskOptions = {
  readonly signal: AbortSignal
  /** @defaultValue null: as long as the session has */
  readonly seconds?: number | null
  readonly onProgress?: (progress: CallProgress) => void
}

/** Seconds that a server has to list its tools once more. */
const listSeconds = 30

const progressText = ({ progress, total, message }: CallProgress): string => {
  const share = `${progress}${total === undefined ? '' : ` of ${total}`}`
  return message === undefined ? share : `${share}: ${message}`
}
