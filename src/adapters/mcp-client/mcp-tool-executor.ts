import type { HostUser } from '../../hosts/surroundings.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import type { Card, ToolCard } from '../../domain/card.ts'
import { type Bounds, boundsOf } from '../../domain/bounds.ts'
import type { JsonObject } from '../../domain/json.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { McpRuntime } from '../../domain/runtime.ts'
import { stoppedEnding } from '../../probing/run/bounded-execution.ts'
import { assertUsable } from '../../probing/run/assert-usable.ts'
import type { CardRunner } from '../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../probing/settings/grants.ts'
import { type OpenTranscript, openTranscript } from '../../probing/record/open-transcript.ts'
import { ArgumentsError, type Execution, type Launch, RuntimeError, type Task } from '../../probing/ports.ts'
import type { HttpGuard } from '../http/guarded-fetch.ts'
import { RefusedRequestError } from '../http/refused-request.ts'
import { type Containment, defaultContainment, describeContainment } from '../processes/containment.ts'
import type { Environment } from '../processes/expand-variables.ts'
import { SandboxError } from '../processes/sandbox/sandbox.ts'
import { argumentFaults } from './argument-faults.ts'
import { boundEntry } from './bound-entry.ts'
import type { CallResult } from './call-result.ts'
import { checkedEntry } from './checked-entry.ts'
import { configuredEntry } from './configured-entry.ts'
import { knownValuesOf, permitOf } from './connect-server.ts'
import { expandLaunch } from './expand-environment.ts'
import { FloodError } from './list-tools.ts'
import { openServerSession, type ServerSession } from './server-session.ts'

/** What tools are called with. */
export type McpToolSurroundings = {
  /** Absolute folder of the bundled catalog: the value of `${AUDITION_CATALOG}`. */
  readonly catalogFolder: string
  /** Where variables are looked up, and where a server's process gets its PATH and its like from. */
  readonly environment: Environment
  /** Our version, as told to servers. */
  readonly version: string
  /** The way to servers at an address. @defaultValue a guard without private hosts */
  readonly guard?: HttpGuard
  /** What holds servers that are processes. @defaultValue no sandbox, the usual limits */
  readonly containment?: Containment
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
      const transcript = openTranscript(onEvent)
      const bounds = boundsOf({ callers: [signal], seconds: limits.seconds, bytes: limits.outputBytes })
      return callOnce({ entry, tool: card.name, args, transcript, bounds, options })
    },
  }
}

const readyEntry = (card: Card, options: McpToolSurroundings): McpServerEntry =>
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

function permitsOf(
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
  readonly transcript: OpenTranscript
  readonly bounds: Bounds
  readonly options: McpToolSurroundings
}

/** How a call went, before it is an execution. */
type Result = Pick<Execution, 'ending' | 'failure'> & Partial<Pick<Execution, 'answer' | 'structured'>>

async function callOnce(call: ToolCall): Promise<Execution> {
  const { entry, transcript, bounds, options } = call
  let session: ServerSession | undefined
  let result: Result | undefined
  try {
    if (!bounds.signal.aborted)
      transcript.add({ kind: 'status', text: `connecting to ${displayOf(entry.launch)}` })
    session = await openServerSession(entry, { ...options, bounds })
    const { name, version } = session.server
    transcript.add({ kind: 'status', text: printableLine(`connected to ${name} ${version}`) })
    result = await calledTool(session, call)
  } catch (error) {
    result = failedResult(error, bounds)
  } finally {
    bounds.release()
    await session?.close(result?.ending === 'answered' ? 'friendly' : 'now')
  }
  const log = session?.log() ?? ''
  if (log !== '') transcript.add({ kind: 'log', text: log })
  transcript.close()
  const { answer = '', ...rest } = result
  const seconds = transcript.elapsed()
  const outputBytes = bounds.bytes()
  return { ...rest, answer, transcript: transcript.events, seconds, outputBytes, tokens: null, cost: null }
}

async function calledTool(
  session: ServerSession,
  { tool, args, transcript, bounds }: ToolCall,
): Promise<Result> {
  if (!session.tools.some(({ name }) => name === tool))
    return { ending: 'failed', failure: `its server has no tool "${tool}" any more` }
  transcript.add({ kind: 'tool-call', tool, arguments: args })
  const from = transcript.elapsed()
  const outcome = await session.call(tool, args, {
    signal: bounds.signal,
    onProgress: (text) => transcript.add({ kind: 'status', text: shortened(text) }),
  })
  const text = outcome.text.trim()
  const seconds = transcript.elapsed() - from
  transcript.add({ kind: 'tool-result', tool, text: shortened(text), failed: outcome.failed, seconds })
  return resultOf(outcome, text)
}

function resultOf({ failed, structured }: CallResult, text: string): Result {
  if (failed) return { ending: 'failed', failure: shortened(text) || 'it failed without saying why' }
  const answer = { ending: 'answered', failure: null, answer: text } as const
  return structured === undefined ? answer : { ...answer, structured }
}

function failedResult(error: unknown, bounds: Bounds): Result {
  if (bounds.signal.aborted && bounds.stoppedBy() !== 'fault') return stoppedEnding(bounds)
  const isOurs = error instanceof HarvestError && isRefusedByUs(error.cause)
  if (isOurs) throw new RuntimeError(error.message, error.remedy, { cause: error })
  if (error instanceof HarvestError || error instanceof FloodError)
    return { ending: 'failed', failure: error.message }
  throw error
}

/** We did not ask it, or did not start it: that says nothing of the tool. */
const isRefusedByUs = (cause: unknown): boolean =>
  cause instanceof RefusedRequestError || cause instanceof SandboxError

const shortened = (text: string): string =>
  text.length <= mostQuoted ? text : `${text.slice(0, mostQuoted)}…`
