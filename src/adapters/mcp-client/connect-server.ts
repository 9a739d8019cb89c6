import { Client, ProtocolError, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/client'
import type { Environment } from '../../domain/environment.ts'
import { HarvestError, type McpServerEntry, type Harvest } from '../../catalog/ports.ts'
import type { Bounds } from '../../domain/bounds.ts'
import type { JsonObject } from '../../domain/json.ts'
import { simulatedMark } from '../../simulating/ports.ts'
import type { HttpGuard } from '../http/guarded-fetch.ts'
import type { Containment, StartSettings } from '../processes/sandbox/sandbox.ts'
import { childEnvironment } from '../processes/expand-variables.ts'
import { commandValues, type KnownValues, knownValues } from '../processes/launch-secrets.ts'
import type { Patience } from '../processes/process-group.ts'
import { type ExpandedLaunch, checkedHttpLaunch, checkedStdioLaunch, decoded } from './expand-environment.ts'
import { type FailedAttempt, harvestFailure, statusOf } from './harvest-failure.ts'
import { type Send, serverSentEvents, streamableHttp } from './http-transport.ts'
import { type ListLimits, listTools } from './list-tools.ts'
import { GroupStdioTransport } from './stdio-transport.ts'
import { maskedWhole } from '../../domain/text/masked-json.ts'
import { valueMasker } from '../../domain/text/secrets.ts'

/** What one server may send before it counts as broken or hostile. Integers >= 1. */
export type ServerLimits = ListLimits & { readonly bytes: number }

export const defaultServerLimits: ServerLimits = { tools: 10_000, pages: 1_000, bytes: 64 * 1024 * 1024 }

/** What servers are started or reached with. */
export type ServerSettings = StartSettings & {
  /** Our version, as told to servers. */
  readonly version: string
  /** The way to servers at an address. @defaultValue a guard without private hosts */
  readonly guard?: HttpGuard
}

/** What it takes to connect to a server. */
type ConnectRequest = {
  readonly entry: McpServerEntry
  readonly expanded: ExpandedLaunch
  /** Where a server's process gets its PATH and its like from. */
  readonly environment: Environment
  /** Our version, as told to servers. */
  readonly version: string
  readonly limits: ListLimits
  /** Ends the attempt, and later the connection; all that the server sends is counted. */
  readonly bounds: Bounds
  /** Makes the requests to a server at an address, and refuses those that must not be made. */
  readonly send: Send
  /** What holds a server that is a process. */
  readonly containment: Containment
  readonly patience?: Patience
}

/** A server that answered, and its tools. Whoever gets it closes the transport. */
export type Connection = {
  readonly client: Client
  readonly transport: Transport
  readonly known: KnownValues
  /** Every page of `tools/list`, as the protocol gives them. */
  readonly tools: readonly JsonObject[]
}

/** How long a server that refused the first handshake may think about the second, in milliseconds. */
const probeMs = 5_000

/**
 * Connects over stdio, streamable HTTP or SSE, and lists the tools. The 2025 handshake is tried first, since all servers of
 * today know it and it costs no second process; a server that refuses it is asked once more in the way of the 2026-07-28
 * revision, and over HTTP as an SSE server. What did not answer is closed again.
 *
 * @throws HarvestError
 */
export async function connectServer(request: ConnectRequest): Promise<Connection> {
  let firstFailure: HarvestError | undefined
  for (const attempt of attemptsFor(request)) {
    const outcome = await tryOnce(request, attempt)
    if ('connection' in outcome) return real(outcome.connection, request.entry)
    firstFailure ??= outcome.failure
    if (!outcome.mayTryOtherwise) break
  }
  throw firstFailure!
}

/** What is simulated is neither indexed nor run as if it were real: it would be in the track record as executed. */
async function real(connection: Connection, { name }: McpServerEntry): Promise<Connection> {
  const { experimental = {} } = connection.client.getServerCapabilities() ?? {}
  if (!Object.hasOwn(experimental, simulatedMark)) return connection
  await connection.transport.close()
  throw new HarvestError(
    `MCP server "${name}" is a simulated one: it stands for another server, which is in the index already`,
    'Name the other server. To try agents on simulated tools: `audition probe --simulate`.',
    { wasAsked: true },
  )
}

/** What the user allows when a server may run: the entry, by its file and name. */
export const permitOf = ({ config, name }: McpServerEntry): string => `mcp:${config}#${name}`

/** A way to talk to a server: how to connect, and in which revision's manner to greet. */
type Attempt = { readonly open: () => Transport; readonly greeting: 'legacy' | 'auto' }

function attemptsFor(request: ConnectRequest): Attempt[] {
  const { entry, expanded, environment, send, bounds, containment, patience } = request
  const { launch } = expanded
  if (launch.transport === 'stdio') {
    const env = childEnvironment(launch.env, environment, process.platform)
    const held = { bounds, containment, permit: permitOf(entry), patience }
    const start = checkedStdioLaunch(entry, { ...launch, env, cwd: launch.cwd! })
    const open = () => new GroupStdioTransport(start, held)
    return [
      { open, greeting: 'legacy' },
      { open, greeting: 'auto' },
    ]
  }
  const address = checkedHttpLaunch(entry, launch)
  const http = () => streamableHttp(address, bounds, send)
  const sse: Attempt = { open: () => serverSentEvents(address, bounds, send), greeting: 'legacy' }
  if (launch.transport === 'sse') return [sse]
  return [{ open: http, greeting: 'legacy' }, { open: http, greeting: 'auto' }, sse]
}

/** The longest that the SDK can wait: the one clock is that of the bounds. */
export const noTimeout = 2 ** 31 - 1

type Outcome =
  | { readonly connection: Connection }
  | { readonly failure: HarvestError; readonly mayTryOtherwise: boolean }

async function tryOnce(request: ConnectRequest, attempt: Attempt): Promise<Outcome> {
  const { entry, expanded, limits, bounds } = request
  const known = knownValuesOf(expanded)
  const transport = attempt.open()
  const process = transport instanceof GroupStdioTransport ? { process: transport } : {}
  const client = new Client(
    { name: 'audition', version: request.version },
    { versionNegotiation: { mode: attempt.greeting, probe: { timeoutMs: probeMs } } },
  )
  const requestOptions = { signal: bounds.signal, timeout: noTimeout }
  let step: FailedAttempt['step'] = 'connect'
  try {
    await bounds.orStopped(client.connect(transport, requestOptions))
    step = 'list'
    const tools = await bounds.orStopped(listTools(client, limits, requestOptions))
    return { connection: { client, transport, known, tools } }
  } catch (error) {
    if (transport instanceof GroupStdioTransport && transport.urgency === 'friendly')
      transport.urgency = 'now'
    const reason: unknown = bounds.signal.aborted ? bounds.signal.reason : error
    const attempted = { entry, step, seconds: bounds.seconds, knownValues: known.inErrors, ...process }
    const failure = harvestFailure(reason, attempted)
    await transport.close()
    return { failure, mayTryOtherwise: step === 'connect' && isRefusal(reason) }
  }
}

/** Codes by which servers say that they do not know this handshake, rather than that they do not want us. */
const unknownHandshake: readonly number[] = [
  ProtocolErrorCode.UnsupportedProtocolVersion,
  ProtocolErrorCode.MethodNotFound,
  ProtocolErrorCode.InvalidRequest,
  ProtocolErrorCode.InvalidParams,
]

/** The server understood us and said no to this way of talking; not to us. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== undefined)
    return status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status)
  return error instanceof ProtocolError && unknownHandshake.includes(error.code)
}

/** What an expanded launch holds literally: environment, headers, values of variables, secrets in its address. */
export const knownValuesOf = ({ launch, substituted }: ExpandedLaunch): KnownValues =>
  knownValues(
    launch.transport === 'stdio'
      ? commandValues(launch)
      : [...Object.entries(launch.headers), ...addressValues(launch.url)],
    substituted,
  )

function addressValues(url: string): [string, string][] {
  if (!URL.canParse(url)) return []
  const { username, password, searchParams } = new URL(url)
  return [...searchParams, ['token', decoded(username)], ['password', decoded(password)]]
}

/** What a server says of itself and its tools, as cards quote it: it may repeat the secrets it was given, which are masked. */
export function harvestOf(entry: McpServerEntry, { client, known, tools }: Connection): Harvest {
  const server = client.getServerVersion()
  const instructions = client.getInstructions()
  const secrets = known.inCards
  const mask = valueMasker(secrets)
  return {
    server: {
      name: mask(server?.name ?? entry.name),
      ...(server?.title === undefined ? {} : { title: mask(server.title) }),
      version: mask(server?.version ?? ''),
      ...(instructions === undefined ? {} : { instructions: mask(instructions) }),
    },
    tools: secrets.length === 0 ? tools : tools.map((tool) => maskedWhole(tool, mask) as JsonObject),
  }
}
