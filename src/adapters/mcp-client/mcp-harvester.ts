import { Client, ProtocolError, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/client'
import { type Harvest, HarvestError, type McpHarvester, type McpServerEntry } from '../../catalog/ports.ts'
import type { JsonObject } from '../../domain/json.ts'
import { maskedJson } from '../../domain/masked-json.ts'
import { maskSecrets, maskValues } from '../../domain/secrets.ts'
import { checkedHttpLaunch, checkedStdioLaunch } from './checked-launch.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import type { Environment } from '../processes/expand-variables.ts'
import { type ExpandedLaunch, expandLaunch } from './expand-environment.ts'
import { type FailedAttempt, harvestFailure, statusOf } from './harvest-failure.ts'
import { serverSentEvents, streamableHttp } from './http-transport.ts'
import { knownValuesOf } from './known-values.ts'
import { type ListLimits, listTools } from './list-tools.ts'
import { byteMeter, type Meter } from './meter.ts'
import { GroupStdioTransport } from './stdio-transport.ts'
import { type StopSignal, stopSignal } from './stop-signal.ts'

/** How MCP servers are asked. */
export type McpHarvesterOptions = {
  /** Absolute folder of the bundled catalog: the value of `${AUDITION_CATALOG}`. */
  readonly catalogFolder: string
  /** Where variables are looked up, and where a server's process gets its PATH and its like from. */
  readonly environment: Environment
  /** Our version, as told to servers. */
  readonly version: string
  /**
   * Milliseconds one server has for start, handshake and all pages together. Integer 1..2^31-1.
   * @defaultValue 30000
   */
  readonly timeoutMs?: number
  /** What one server may send. @defaultValue 10,000 tools, 1,000 pages, 64 MiB */
  readonly limits?: Partial<HarvestLimits>
}

/** What one server may send before it counts as broken or hostile. Integers >= 1. */
export type HarvestLimits = ListLimits & { readonly bytes: number }

/** How long a server that refused the first handshake may think about the second, in milliseconds. */
const probeMs = 5_000

const defaultLimits: HarvestLimits = { tools: 10_000, pages: 1_000, bytes: 64 * 1024 * 1024 }

/**
 * Asks MCP servers for their tools, over stdio, streamable HTTP or SSE. The 2025 handshake is tried first, since all
 * servers of today know it and it costs no second process; a server that refuses it is asked once more in the way of
 * the 2026-07-28 revision, and over HTTP as an SSE server.
 *
 * When the caller's signal aborts, the harvest rejects with the signal's reason. In every case the server's process
 * and all that it started are gone when the promise settles.
 */
export function mcpHarvester(options: McpHarvesterOptions): McpHarvester {
  return {
    async harvest(entry, signal) {
      signal.throwIfAborted()
      if (entry.disabled) {
        throw new HarvestError(`MCP server "${entry.name}" is switched off`, `Enable it in ${entry.config}.`)
      }
      if (/^https?:/i.test(entry.config)) throw fromTheNetwork(entry)
      const expanded = expandLaunch(entry, options.environment, options.catalogFolder)
      const timeoutMs = Math.min(options.timeoutMs ?? 30_000, 2 ** 31 - 1)
      const stop = stopSignal(signal, timeoutMs)
      try {
        return await firstThatAnswers({ entry, expanded, options, timeoutMs, stop })
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        stop.release()
      }
    },
  }
}

/** A page may name any command, and any variable of ours in an address: what it says is never acted upon. */
const fromTheNetwork = ({ name, config }: McpServerEntry): HarvestError =>
  new HarvestError(
    `MCP server "${name}": its configuration comes from the network, and may not start or contact anything`,
    `Download ${maskSecrets(config)}, check it, and index the file.`,
  )

type Errand = {
  readonly entry: McpServerEntry
  readonly expanded: ExpandedLaunch
  readonly options: McpHarvesterOptions
  readonly timeoutMs: number
  readonly stop: StopSignal
}

/** A way to talk to a server: how to connect, and in which revision's manner to greet. */
type Attempt = { readonly open: (meter: Meter) => Transport; readonly greeting: 'legacy' | 'auto' }

async function firstThatAnswers(errand: Errand): Promise<Harvest> {
  let firstFailure: HarvestError | undefined
  for (const attempt of attemptsFor(errand)) {
    const outcome = await tryOnce(errand, attempt)
    if ('harvest' in outcome) return outcome.harvest
    firstFailure ??= outcome.failure
    if (!outcome.mayTryOtherwise) break
  }
  throw firstFailure!
}

function attemptsFor({ entry, expanded: { launch }, options }: Errand): Attempt[] {
  if (launch.transport === 'stdio') {
    const env = childEnvironment(launch.env, options.environment, process.platform)
    const start = checkedStdioLaunch(entry, { ...launch, env, cwd: launch.cwd! })
    const open = (meter: Meter) => new GroupStdioTransport(start, meter)
    return [
      { open, greeting: 'legacy' },
      { open, greeting: 'auto' },
    ]
  }
  const address = checkedHttpLaunch(entry, launch)
  const http = (meter: Meter) => streamableHttp(address, meter)
  const sse: Attempt = { open: (meter) => serverSentEvents(address, meter), greeting: 'legacy' }
  if (launch.transport === 'sse') return [sse]
  return [{ open: http, greeting: 'legacy' }, { open: http, greeting: 'auto' }, sse]
}

type Outcome =
  | { readonly harvest: Harvest }
  | { readonly failure: HarvestError; readonly mayTryOtherwise: boolean }

async function tryOnce(
  { entry, expanded, options, timeoutMs, stop }: Errand,
  attempt: Attempt,
): Promise<Outcome> {
  const limits = { ...defaultLimits, ...options.limits }
  const known = knownValuesOf(expanded)
  const transport = attempt.open(byteMeter(limits.bytes, stop.stop))
  const process = transport instanceof GroupStdioTransport ? { process: transport } : {}
  const client = new Client(
    { name: 'audition', version: options.version },
    { versionNegotiation: { mode: attempt.greeting, probe: { timeoutMs: probeMs } } },
  )
  // Longer than the whole harvest may take, so that the one clock is ours.
  const requestOptions = { signal: stop.signal, timeout: timeoutMs * 2 }
  let step: FailedAttempt['step'] = 'connect'
  try {
    await stop.orStopped(client.connect(transport, requestOptions))
    step = 'list'
    const tools = await stop.orStopped(listTools(client, limits, requestOptions))
    return { harvest: harvestOf(client, entry, tools, known.inCards) }
  } catch (error) {
    if (transport instanceof GroupStdioTransport) transport.urgency = 'now'
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error
    const failure = harvestFailure(reason, {
      entry,
      step,
      timeoutMs,
      knownValues: known.inErrors,
      ...process,
    })
    return { failure, mayTryOtherwise: step === 'connect' && isRefusal(reason) }
  } finally {
    await transport.close()
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

/** A server may quote the secrets it was given, in a description as in a default value. */
function harvestOf(
  client: Client,
  entry: McpServerEntry,
  tools: readonly JsonObject[],
  secrets: readonly string[],
): Harvest {
  const server = client.getServerVersion()
  const instructions = client.getInstructions()
  const mask = (text: string) => maskValues(text, secrets)
  return {
    server: {
      name: mask(server?.name ?? entry.name),
      ...(server?.title === undefined ? {} : { title: mask(server.title) }),
      version: mask(server?.version ?? ''),
      ...(instructions === undefined ? {} : { instructions: mask(instructions) }),
    },
    tools: secrets.length === 0 ? tools : tools.map((tool) => maskedJson(tool, mask) as JsonObject),
  }
}
