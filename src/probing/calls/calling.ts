import { createHash } from 'node:crypto'
import pLimit, { type LimitFunction } from 'p-limit'
import { HarvestError } from '../../catalog/ports.ts'
import type { Card, ToolCard } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { UseEnding } from '../../domain/outcome.ts'
import type { Execution, Executor, TranscriptEvent, WithheldTool } from '../ports.ts'
import { type HostPacing, hostPacing, sleep } from '../run/host-pacing.ts'
import { cannotRun, planLaunch } from '../run/plan-launch.ts'
import type { NotRun } from '../run/probe-report.ts'
import { allowList } from '../settings/grants.ts'
import { defaultSettings, type Settings } from '../settings/settings.ts'
import { readSettings } from '../settings/settings-file.ts'
import type { UseRecorder } from './use-recorder.ts'
import {
  type CallProgress,
  type LiveServer,
  type LiveServers,
  type LiveTool,
  NoAnswer,
  type ToolResult,
} from './ports.ts'

/** What a call came to. */
export type CallReport =
  | { readonly kind: 'result'; readonly result: ToolResult; readonly tool: LiveTool }
  /** The server did not answer as the protocol asks, in time, or at all; whether the tool did what it does is not known. */
  | {
      readonly kind: 'no-answer'
      readonly message: string
      readonly isLate: boolean
      /** Other calls of the same server were under way, any of which may be why. */
      readonly isDoubtful: boolean
    }
  | { readonly kind: 'arguments'; readonly faults: readonly string[] }
  /** The result is not what the tool promises. */
  | { readonly kind: 'misshapen'; readonly faults: readonly string[] }
  | { readonly kind: 'withheld'; readonly tool: WithheldTool }
  /** Its server has it no more. */
  | { readonly kind: 'gone' }
  /** It does not say of itself that it changes nothing. */
  | { readonly kind: 'may-change' }
  | { readonly kind: 'not-run'; readonly why: NotRun }

/** What a run of an agent came to. */
type AgentReport =
  | { readonly kind: 'ran'; readonly execution: Execution }
  | { readonly kind: 'not-run'; readonly why: NotRun }

/** Calls tools and runs agents for a host, as far as the user allows. */
export type Calling = {
  /** @throws the signal's reason; Error when the settings cannot be read */
  call(asked: {
    readonly card: ToolCard
    readonly args: JsonObject
    /** What the caller agreed to: tools that say of themselves that they change nothing, or any. */
    readonly mayChange: boolean
    readonly signal: AbortSignal
    readonly onProgress?: (progress: CallProgress) => void
  }): Promise<CallReport>
  run(asked: {
    readonly card: Card
    readonly task: string
    readonly signal: AbortSignal
    readonly onEvent?: (event: TranscriptEvent) => void
  }): Promise<AgentReport>
  close(): Promise<void>
}

type CallingSurroundings = {
  readonly settingsFile: string
  /** Absolute folder of the bundled catalog, for the word `bundled`. */
  readonly catalog: string
  readonly executors: (settings: Settings) => readonly Executor[]
  readonly servers: LiveServers
  /** What is wrong with a value, by a JSON Schema; cheap when asked again. */
  readonly faultsOf: (schema: JsonObject | undefined, value: unknown, whole: string) => readonly string[]
  readonly uses: UseRecorder
}

/** Calls of one server under way at once; those beyond wait. */
const mostAtOnce = 8
/** Least time between two calls that leave for one host, in seconds. */
const paceSeconds = 0.05

/** Calls over servers that stay open. Settings are read anew whenever their file, or a configuration, changed. */
export function openCalling(surroundings: CallingSurroundings): Calling {
  const { settingsFile, servers, uses } = surroundings
  const pacing = hostPacing(paceSeconds, () => performance.now(), sleep)
  const callAllowed = allowedCalls(surroundings, pacing)
  const isAskedAgain = askedBefore()
  const turns = new Map<string, LimitFunction>()
  const turnOf = ({ source }: ToolCard): LimitFunction => {
    const known = turns.get(source) ?? pLimit(mostAtOnce)
    turns.set(source, known)
    return known
  }
  return {
    async call(asked) {
      const began = performance.now()
      const { card, signal } = asked
      const report = await turnOf(card)(() => callAllowed(asked)).catch((error: unknown): CallReport => {
        signal.throwIfAborted()
        return error instanceof HarvestError
          ? { kind: 'no-answer', message: error.message, isLate: false, isDoubtful: false }
          : { kind: 'not-run', why: cannotRun(error) }
      })
      const seconds = (performance.now() - began) / 1_000
      const ending = endingOf(report)
      if (ending !== null && !(ending === 'empty' && isAskedAgain(asked)))
        uses.remember({ card, ending, seconds, tokens: null, cost: null, executor: 'mcp-tool' })
      return report
    },
    async run({ card, task, signal, onEvent }) {
      const settings = await readSettings(settingsFile)
      const planned = await plannedBy(card, settings, surroundings)
      if (planned.notRun !== null) return { kind: 'not-run', why: planned.notRun }
      const { executor, launch } = planned
      await pacing(launch.host, signal)
      try {
        const listener = onEvent === undefined ? {} : { onEvent }
        const options = { limits: settings.limits, signal, launch, ...listener }
        const execution = await executor.execute(card, { text: task }, options)
        const { seconds, tokens, cost } = execution
        const ending = agentEnding(execution)
        const used = { seconds, tokens: tokens && tokens.input + tokens.output, cost }
        if (ending !== null && !signal.aborted)
          uses.remember({ card, ending, executor: executor.name, ...used })
        return { kind: 'ran', execution }
      } catch (error) {
        signal.throwIfAborted()
        return { kind: 'not-run', why: cannotRun(error) }
      }
    },
    async close() {
      await Promise.all([uses.settled(), servers.close()])
    },
  }
}

/** Questions that are remembered, by their hash and as long as this runs. */
const mostAsked = 10_000

/** Whether a tool was asked the same before, or is never asked for anything: that it has nothing again tells nothing new of it. */
function askedBefore(): (asked: CallOf) => boolean {
  const known = new Set<string>()
  return ({ card, args }) => {
    if (Object.keys(args).length === 0) return true
    const question = createHash('sha256')
      .update(`${card.id}\n${JSON.stringify(args)}`)
      .digest('base64')
    if (known.has(question)) return true
    if (known.size >= mostAsked) known.clear()
    known.add(question)
    return false
  }
}

const plannedBy = (
  card: Card,
  settings: Settings,
  { executors, catalog }: Pick<CallingSurroundings, 'executors' | 'catalog'>,
) => planLaunch(card, executors(settings), allowList(settings.allow, catalog))

/** Calls on the server that is open, else on one that is opened when the user allows what that starts. */
function allowedCalls(
  surroundings: CallingSurroundings,
  pacing: HostPacing,
): (asked: CallOf) => Promise<CallReport> {
  const { settingsFile, servers, faultsOf } = surroundings
  /** As they were last read: a server is used again only while nobody changed them. */
  let known: Settings = defaultSettings
  const made = async (asked: CallOf): Promise<Attempt> => {
    const { card, signal } = asked
    const reused = await servers.reuse(card, settingsFile, (server) =>
      answerOf(server, asked, { seconds: known.limits.seconds, faultsOf }),
    )
    if (reused !== null) return reused
    const settings = await readSettings(settingsFile)
    known = settings
    const planned = await plannedBy(card, settings, surroundings)
    if (planned.notRun !== null) return { report: { kind: 'not-run', why: planned.notRun }, isLost: false }
    const { launch } = planned
    await pacing(launch.host, signal)
    return servers.open({ card, launch, settings, settingsFile, signal }, (server) =>
      answerOf(server, asked, { seconds: settings.limits.seconds, faultsOf }),
    )
  }
  return async (asked) => {
    const { report, isLost } = await made(asked)
    // When its server died meanwhile, a call that changes nothing is made once more.
    return isLost && !asked.mayChange ? (await made(asked)).report : report
  }
}

/** What a call came to, and whether it was lost with its server. */
type Attempt = { readonly report: CallReport; readonly isLost: boolean }

type Bound = Pick<CallingSurroundings, 'faultsOf'> & { readonly seconds: number }

async function answerOf(server: LiveServer, asked: CallOf, bound: Bound): Promise<Attempt> {
  try {
    return { report: await callOn(server, asked, bound), isLost: false }
  } catch (error) {
    asked.signal.throwIfAborted()
    if (!(error instanceof NoAnswer)) throw error
    const { message, isLate, isGone, isDoubtful } = error
    return { report: { kind: 'no-answer', message, isLate, isDoubtful }, isLost: isGone && !isLate }
  }
}

async function callOn(
  server: LiveServer,
  { card, args, signal, mayChange, onProgress }: CallOf,
  { seconds, faultsOf }: Bound,
): Promise<CallReport> {
  const tool = await server.tool(card, signal)
  if (tool === null) return { kind: 'gone' }
  if ('withheld' in tool) return { kind: 'withheld', tool: tool.withheld }
  if (!mayChange && tool.annotations.readOnly !== true) return { kind: 'may-change' }
  const faults = faultsOf(tool.inputSchema, args, 'arguments')
  if (faults.length > 0) return { kind: 'arguments', faults }
  const told = onProgress === undefined ? {} : { onProgress }
  const result = await server.call(tool.name, args, { seconds, signal, ...told })
  const wrong = misshapenBy(tool, result, faultsOf)
  return wrong.length > 0 ? { kind: 'misshapen', faults: wrong } : { kind: 'result', result, tool }
}

function misshapenBy(
  { outputSchema }: LiveTool,
  { failed, structured }: ToolResult,
  faultsOf: CallingSurroundings['faultsOf'],
): readonly string[] {
  if (failed || outputSchema === undefined) return []
  return structured === undefined
    ? ['it promises a structured result and gave none']
    : faultsOf(outputSchema, structured, 'result')
}

type CallOf = Parameters<Calling['call']>[0]

/** What a report says of the tool; null where it says nothing. */
function endingOf(report: CallReport): UseEnding | null {
  switch (report.kind) {
    case 'result':
      if (report.result.failed) return report.result.excuse ?? 'failed'
      // Who changes something may have nothing to say; who is asked to tell something has.
      return report.tool.annotations.readOnly === true && isEmpty(report.result) ? 'empty' : 'worked'
    case 'no-answer':
      if (report.isDoubtful) return 'unknown'
      return report.isLate ? 'timeout' : 'failed'
    case 'misshapen':
    case 'gone':
      return 'failed'
    case 'arguments':
      return 'arguments'
    case 'withheld':
      return 'refused'
    case 'not-run':
      return report.why.kind === 'permission' ? 'refused' : null
    case 'may-change':
      return null
  }
}

const isEmpty = ({ content, structured }: ToolResult): boolean =>
  structured === undefined &&
  content.every(({ type, text }) => type === 'text' && typeof text === 'string' && text.trim() === '')

const agentEnding = ({ ending, answer }: Execution): UseEnding | null => {
  if (ending === 'answered') return answer.trim() === '' ? 'empty' : 'worked'
  if (ending === 'cancelled') return null
  return ending === 'limit' ? 'timeout' : 'failed'
}
