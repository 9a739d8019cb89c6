import pLimit, { type LimitFunction } from 'p-limit'
import { HarvestError } from '../../catalog/ports.ts'
import type { Card, ToolCard } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Execution, Executor, TranscriptEvent } from '../ports.ts'
import { type HostPacing, hostPacing, sleep } from '../run/execute-once.ts'
import { cannotRun, planLaunch } from '../run/plan-launch.ts'
import type { NotRun } from '../run/probe-report.ts'
import { allowList } from '../settings/grants.ts'
import { defaultSettings, type Settings } from '../settings/settings.ts'
import { readSettings } from '../settings/settings-file.ts'
import { agentEnding, askedBefore, endingOf } from './use-endings.ts'
import type { UseRecorder } from './use-recorder.ts'
import {
  type CallProgress,
  type CallReport,
  type LiveServer,
  type LiveServers,
  type LiveTool,
  NoAnswer,
  type ToolResult,
} from './ports.ts'

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
  const inTurn = turnsOf(mostAtOnce)
  return {
    async call(asked) {
      // What a call waits for others of its server says nothing of its tool.
      let began = performance.now()
      const onTurn = (): void => {
        began = performance.now()
      }
      const { card, signal } = asked
      const inOwnTurn = () => {
        onTurn()
        return callAllowed({ ...asked, onTurn })
      }
      const report = await inTurn(card, inOwnTurn).catch((error: unknown): CallReport => {
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

/** Lets so many calls of a source go on at once. */
function turnsOf(most: number): <T>(card: ToolCard, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<string, LimitFunction>()
  return ({ source }, work) => {
    const turn = turns.get(source) ?? pLimit(most)
    turns.set(source, turn)
    return turn(work)
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
  const again = turnsOf(1)
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
    // When its server died meanwhile, a call that changes nothing is made once more; one after the other, since one of them may be why.
    return isLost && !asked.mayChange ? (await again(asked.card, () => made(asked))).report : report
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
    const { message, isLate, isLost, isDoubtful } = error
    return { report: { kind: 'no-answer', message, isLate, isDoubtful }, isLost }
  }
}

async function callOn(
  server: LiveServer,
  { card, args, signal, mayChange, onProgress, onTurn }: CallOf,
  { seconds, faultsOf }: Bound,
): Promise<CallReport> {
  const tool = await server.tool(card, signal)
  if (tool === null) return { kind: 'gone' }
  if ('withheld' in tool) return { kind: 'withheld', tool: tool.withheld }
  if (!mayChange && tool.annotations.readOnly !== true) return { kind: 'may-change' }
  const faults = faultsOf(tool.inputSchema, args, 'arguments')
  if (faults.length > 0) return { kind: 'arguments', faults }
  const reporting = onProgress === undefined ? {} : { onProgress }
  const result = await server.call(tool.name, args, { seconds, signal, onTurn, ...reporting })
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

type CallOf = Parameters<Calling['call']>[0] & { readonly onTurn: () => void }
