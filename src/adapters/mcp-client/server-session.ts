import type { Harvest, HarvestError, McpServerEntry } from '../../catalog/ports.ts'
import { type Bounds, boundsOf } from '../../domain/bounds.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { maskedJson } from '../../domain/text/masked-json.ts'
import { printable } from '../../domain/text/printable.ts'
import { maskSecrets, maskValues } from '../../domain/text/secrets.ts'
import { type HttpGuard, httpGuard } from '../http/guarded-fetch.ts'
import type { NamedBy } from '../http/reach.ts'
import type { Environment } from '../processes/expand-variables.ts'
import { type Containment, defaultContainment } from '../processes/containment.ts'
import type { Patience } from '../processes/process-group.ts'
import type { ListLimits } from './list-tools.ts'
import { type Connection, connectServer, defaultServerLimits, noTimeout } from './connect-server.ts'
import { expandLaunch } from './expand-environment.ts'
import { harvestOf } from './harvest-of.ts'
import { harvestFailure } from './harvest-failure.ts'
import { GroupStdioTransport } from './stdio-transport.ts'
import { fromTheNetwork } from './checked-launch.ts'
import { z } from 'zod'

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
export type SessionOptions = {
  /** Absolute folder of the bundled catalog: the value of `${AUDITION_CATALOG}`. */
  readonly catalogFolder: string
  /** Where variables are looked up, and where a server's process gets its PATH and its like from. */
  readonly environment: Environment
  /** Our version, as told to the server. */
  readonly version: string
  /** The way to a server at an address. @defaultValue a guard without private hosts */
  readonly guard?: HttpGuard
  /** What holds a server that is a process. @defaultValue no sandbox, the usual limits */
  readonly containment?: Containment
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
      ...{ entry, expanded, environment, version, limits, bounds, containment, patience },
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
  const mask = (text: string) => maskValues(text, known.inAnswers)
  const process = transport instanceof GroupStdioTransport ? transport : undefined
  const failureOf = (error: unknown): HarvestError =>
    harvestFailure(error, {
      ...{ entry, step: 'call', seconds: null, knownValues: known.inErrors },
      ...(process === undefined ? {} : { process }),
    })
  const server = client.getServerVersion()
  let isClosed = false
  client.onclose = () => {
    isClosed = true
  }
  return {
    server: { name: mask(server?.name ?? entry.name), version: mask(server?.version ?? '') },
    tools: tools.map((tool) => maskedJson(tool, mask) as JsonObject),
    harvest: harvestOf(entry, connection),
    async call(name, args, { signal, onProgress }) {
      signal.throwIfAborted()
      const either = boundsOf({ callers: [signal], within: bounds })
      const request = client.request(
        { method: 'tools/call', params: { name, arguments: args } },
        callAnswer,
        {
          signal: either.signal,
          timeout: noTimeout,
          ...(onProgress === undefined
            ? {}
            : { onprogress: (progress) => onProgress(mask(printable(progressText(progress)))) }),
        },
      )
      try {
        const result = callResultOf(await either.orStopped(request))
        const { text, structured, failed } = result
        return {
          text: failed ? maskSecrets(printable(text), known.inErrors) : mask(printable(text)),
          ...(structured === undefined ? {} : { structured: maskedJson(structured, mask) }),
          failed,
        }
      } catch (error) {
        either.signal.throwIfAborted()
        const failure = failureOf(error)
        if (isClosed || process?.end !== undefined) throw failure
        return { text: failure.message, failed: true }
      } finally {
        either.release()
      }
    },
    log: () => process?.stderr.masked(known.inErrors) ?? '',
    async close(urgency = 'friendly') {
      if (process !== undefined && process.urgency !== 'kill') process.urgency = urgency
      await transport.close()
    },
  }
}

const progressText = (progress: {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}): string => {
  const share = `${progress.progress}${progress.total === undefined ? '' : ` of ${progress.total}`}`
  return progress.message === undefined ? share : `${share}: ${progress.message}`
}

/** What a tool's call gave. */
type CallResult = {
  /** The content as text that people may see; what is no text (images, audio) stands as a note in brackets. */
  readonly text: string
  /** `structuredContent`, where the tool gives it. */
  readonly structured?: JsonValue
  /** The tool says that it failed (`isError`), or its server answered with an error. */
  readonly failed: boolean
}

/** The answer to tools/call, as leniently as can be. */
const callAnswer = z.looseObject({
  content: z.array(z.unknown()).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
})

/** Reads an answer; a tool that gives structured content alone has it as its text too. */
function callResultOf({ content, structuredContent, isError }: z.output<typeof callAnswer>): CallResult {
  const text = (content ?? []).map(textOfBlock).join('\n')
  const structured = structuredContent as JsonValue | undefined
  return {
    text: text === '' && structured !== undefined ? JSON.stringify(structured) : text,
    ...(structured === undefined ? {} : { structured }),
    failed: isError ?? false,
  }
}

function textOfBlock(block: unknown): string {
  if (!isJsonObject(block)) return '[content that is no block]'
  if (typeof block.text === 'string') return block.text
  const { resource } = block
  if (isJsonObject(resource)) {
    return typeof resource.text === 'string' ? resource.text : `[resource ${String(resource.uri)}]`
  }
  if (typeof block.uri === 'string') return `[link to ${block.uri}]`
  const size = typeof block.data === 'string' ? `, ${Math.floor((block.data.length * 3) / 4)} bytes` : ''
  return `[${String(block.type)} ${String(block.mimeType ?? '')}${size}]`
    .replace(' ]', ']')
    .replace(' ,', ',')
}
