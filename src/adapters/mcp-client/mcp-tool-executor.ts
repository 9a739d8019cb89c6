import { cut } from '../../domain/text/cut.ts'
import type { HostUser } from '../../hosts/surroundings.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import type { Card, ToolCard } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { McpRuntime } from '../../domain/runtime.ts'
import {
  AgentFailure,
  type Answer,
  boundedExecution,
  type BoundedRun,
} from '../../probing/run/bounded-execution.ts'
import { assertUsable } from '../../probing/run/plan-launch.ts'
import type { CardRunner } from '../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import { ArgumentsError, type Launch, RuntimeError, type Task } from '../../probing/ports.ts'
import { RefusedRequestError } from '../http/reach.ts'
import { SandboxError, defaultContainment, describeContainment } from '../processes/sandbox/sandbox.ts'
import { argumentFaults } from './argument-faults.ts'
import { boundEntry, checkedEntry } from './checked-entry.ts'
import { knownValuesOf, permitOf, type ServerSettings } from './connect-server.ts'
import { expandLaunch } from './expand-environment.ts'
import { openServerSession, type ServerSession } from './server-session.ts'
import { isAbsolute } from 'node:path'
import { readHostServers } from '../../catalog/readers/host-config.ts'
import { isOwnEntry } from '../../hosts/own-entry.ts'
import { documentOfCard } from '../../probing/run/profile-file.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

/** What tools are called with. */
export type McpToolSurroundings = ServerSettings & {
  /** Whose choices in hosts count: servers may be switched off there. @defaultValue those of projects alone */
  readonly user?: HostUser
}

/** Characters of a result that the transcript and a failure repeat; the answer has all of it. */
const mostQuoted = 2_000

/**
 * Calls tools of MCP servers: starts or contacts the server that the configuration names now, calls the tool once with the task's
 * `arguments`, and ends the server.
 */
export function mcpToolExecutor(options: McpToolSurroundings): CardRunner {
  return {
    secretsOf: async (card) =>
      knownValuesOf(expandLaunch(readyEntry(card, options), options.environment, options.catalogFolder))
        .inAnswers,
    plan: async (card) => launchOf(readyEntry(card, options), options),
    async execute(card, task, { limits, signal, onEvent, launch }) {
      const entry = readyEntry(card, options)
      requireSameLaunch(launch, permitsOf(entry, options))
      const args = argumentsOf(card as ToolCard, task)
      return boundedExecution({ limits, signal, onEvent }, (run) =>
        calledOnce({ entry, tool: card.name, args, options }, run),
      )
    },
  }
}

export const readyEntry = (card: Card, options: McpToolSurroundings): McpServerEntry =>
  checkedEntry(configuredEntry(card.runtime as McpRuntime, options.user), options)

async function launchOf(
  entry: McpServerEntry,
  { environment, catalogFolder, containment = defaultContainment }: McpToolSurroundings,
): Promise<Launch> {
  const { launch } = expandLaunch(entry, environment, catalogFolder)
  const permits = permitsOf(entry, { environment, catalogFolder })
  const { permit } = permits
  if (launch.transport === 'stdio') await assertUsable(containment)
  return {
    ...permits,
    display: displayOf(entry.launch),
    ...(launch.transport === 'stdio' ? { within: describeContainment(containment, permit) } : {}),
    host: launch.transport === 'stdio' ? null : new URL(launch.url).host,
  }
}

export function permitsOf(
  entry: McpServerEntry,
  settings: Pick<McpToolSurroundings, 'environment' | 'catalogFolder'>,
): Pick<Launch, 'permit' | 'needs' | 'binds'> {
  const permit = permitOf(entry)
  return { permit, needs: [], binds: { [permit]: boundEntry(entry, settings) } }
}

/** @throws ArgumentsError when they do not fit: that is no fault of the tool */
function argumentsOf({ id, inputSchema }: ToolCard, { arguments: given }: Task): JsonObject {
  const faults = argumentFaults(inputSchema, given ?? {})
  if (faults.length === 0) return given ?? {}
  const required = Array.isArray(inputSchema?.required) ? inputSchema.required.join(', ') : ''
  throw new ArgumentsError(
    given === undefined
      ? `${id} is a tool and needs arguments${required === '' ? '' : `: ${required}`}`
      : `The arguments do not fit ${id}: ${faults.join('; ')}`,
    'Give the task "arguments" that fit the input schema; `describe` shows it.',
  )
}

type ToolCall = {
  readonly entry: McpServerEntry
  readonly tool: string
  readonly args: JsonObject
  readonly options: McpToolSurroundings
}

async function calledOnce(call: ToolCall, run: BoundedRun): Promise<Answer> {
  const { entry, options } = call
  let session: ServerSession | undefined
  let urgency: 'friendly' | 'now' = 'now'
  try {
    run.tell({ kind: 'status', text: `connecting to ${displayOf(entry.launch)}` })
    session = await openServerSession(entry, { ...options, bounds: run })
    const { name, version } = session.server
    run.tell({ kind: 'status', text: printableLine(`connected to ${name} ${version}`) })
    const answer = await answerOf(session, call, run)
    urgency = 'friendly'
    return answer
  } catch (error) {
    if (!(error instanceof HarvestError) || !isRefusedByUs(error.cause)) throw error
    throw new RuntimeError(error.message, error.remedy, { cause: error })
  } finally {
    run.release()
    await session?.close(urgency)
    const log = session?.log() ?? ''
    if (log !== '') run.tell({ kind: 'log', text: log })
  }
}

async function answerOf(session: ServerSession, { tool, args }: ToolCall, run: BoundedRun): Promise<Answer> {
  if (!session.tools.some(({ name }) => name === tool))
    throw new AgentFailure(`its server has no tool "${tool}" any more`)
  run.tell({ kind: 'tool-call', tool, arguments: args })
  const from = performance.now()
  const { failed, structured, ...result } = await session.call(tool, args, {
    signal: run.signal,
    onProgress: (text) => run.tell({ kind: 'status', text: shortened(text) }),
  })
  const text = result.text.trim()
  const seconds = (performance.now() - from) / 1_000
  run.tell({ kind: 'tool-result', tool, text: shortened(text), failed, seconds })
  if (failed) throw new AgentFailure(shortened(text) || 'it failed without saying why')
  return { text, ...(structured === undefined ? {} : { structured }) }
}

/** We did not ask it, or did not start it: that says nothing of the tool. */
const isRefusedByUs = (cause: unknown): boolean =>
  cause instanceof RefusedRequestError || cause instanceof SandboxError

const shortened = (text: string): string => cut(text, mostQuoted)

/**
 * The entry that a card was harvested from, read from its configuration as that stands now: secrets are nowhere else.
 *
 * @param user - whose choices in hosts count
 * @throws RuntimeError when the configuration or the entry is gone, switched off, Audition itself, or came from the network
 */
export function configuredEntry({ config, server }: McpRuntime, user: HostUser | undefined): McpServerEntry {
  if (/^[a-z][a-z\d+.-]+:/i.test(config)) {
    throw new RuntimeError(
      `MCP server "${server}": its configuration comes from ${maskSecrets(config)}, and nothing from the network is started or contacted`,
      'Download the configuration, check it, and index the file.',
    )
  }
  const read = isAbsolute(config) ? readHostServers(documentOfCard(config), user) : undefined
  const entry = read?.servers.find(({ name }) => name === server)
  if (entry === undefined || /[\r\n]/.test(`${config}${server}`)) {
    throw new RuntimeError(
      `${config} has no MCP server "${server}" that can be used`,
      'Restore the entry, or run `audition index` on the configuration again.',
    )
  }
  if (entry.disabled)
    throw new RuntimeError(
      `MCP server "${server}" is switched off`,
      `Enable it in ${entry.disabledIn ?? config}.`,
    )
  if (isOwnEntry(entry)) {
    throw new RuntimeError(
      `MCP server "${server}" in ${config} is Audition itself`,
      'Choose a tool of another server.',
    )
  }
  return entry
}
