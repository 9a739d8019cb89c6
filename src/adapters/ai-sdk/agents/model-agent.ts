import type { Card } from '../../../domain/card.ts'
import { type Answer, type BoundedRun, boundedExecution } from '../../../probing/run/bounded-execution.ts'
import { boundedFetch } from '../../../probing/run/bounded-fetch.ts'
import type { Execution, Executor, Launch, Task } from '../../../probing/ports.ts'
import type { CardRunner } from '../../../probing/runtime-kind.ts'
import { requireSameLaunch } from '../../../probing/settings/grants.ts'
import type { OfferedTool, SessionSettings } from './attached-tools.ts'
import type { CallPolicy } from './policy-settings.ts'
import { secretsOfServers, type WantedTools, withinOf } from './profile-servers.ts'
import type { OpenModel } from '../models/providers.ts'

/** A sentence, and the tools that it says are missing. */
export type AgentNote = { readonly text: string; readonly missing?: readonly string[] }

/** An agent that runs in a loop of ours on some language model. */
export type ModelAgent = {
  /** Told before anything else: the model, and what cannot be had. */
  readonly notes: readonly AgentNote[]
  /** Which model it is, `provider/name`; absent where that is not known. */
  readonly model?: string
  /** Opens its model; sends nothing. */
  open(fetch: typeof globalThis.fetch): Promise<OpenModel>
  /** The way to its model. */
  readonly send: typeof globalThis.fetch
  /** Sent with every request. */
  readonly headers: { readonly [name: string]: string }
  /** Values that must stand in no text. */
  readonly secrets: readonly string[]
  /** System prompt; empty for none. */
  readonly instructions: string
  readonly policy: CallPolicy
  readonly wanted: WantedTools
  /** What it may call beside the tools of its servers. @defaultValue nothing */
  readonly offered?: readonly OfferedTool[]
  /** What its servers are opened with. */
  readonly sessions: SessionSettings
  /** US dollars; undefined when the prices are unknown. */
  costOf(tokens: { readonly input: number; readonly output: number }): number | undefined
  /**
   * What an error means.
   *
   * @param hadAnswers - whether the model has answered before in this execution
   */
  failure(error: unknown, hadAnswers: boolean): Promise<unknown>
}

/** An agent as its profile stands now, and what running it starts. */
export type PlannedAgent = { readonly agent: ModelAgent; readonly launch: Launch }

/** Runs agents of profiles. @param agentOf - reads the profile again @throws RuntimeError when it cannot be run as things stand */
export const modelAgentRunner = (
  agentOf: (card: Card) => PlannedAgent,
  options: SessionSettings,
): CardRunner => ({
  async secretsOf(card) {
    const { secrets, wanted } = agentOf(card).agent
    return [...secrets, ...secretsOfServers(wanted.servers, options)]
  },
  async plan(card) {
    const { agent, launch } = agentOf(card)
    return { ...launch, ...(await withinOf(agent.wanted.servers, launch.permit, options)) }
  },
  async execute(card, task, run) {
    const { agent, launch } = agentOf(card)
    requireSameLaunch(run.launch, launch)
    return executeModelAgent(agent, task, run)
  },
})

/** Runs an agent with its servers' tools attached; servers are gone and connections closed when it settles. */
export async function executeModelAgent(
  agent: ModelAgent,
  task: Task,
  { limits, signal, onEvent }: Parameters<Executor['execute']>[2],
): Promise<Execution> {
  const execution = await boundedExecution({ limits, signal, onEvent, secrets: agent.secrets }, (run) =>
    answered(agent, task, run),
  )
  return agent.model === undefined ? execution : { ...execution, model: agent.model }
}

async function answered(agent: ModelAgent, task: Task, run: BoundedRun): Promise<Answer> {
  for (const note of agent.notes) run.tell({ kind: 'status', ...note })
  const [{ attachTools, callableTools }, { runAgent }] = await Promise.all([
    import('./attached-tools.ts'),
    import('./run-agent.ts'),
  ])
  const model = await agent.open(boundedFetch(agent.send, run.countBytes, agent.headers))
  const own = await callableTools(agent.offered ?? [], run)
  const { tools, close } = await attachTools(agent.wanted, agent.sessions, run)
  let hadAnswers = false
  let urgency: 'friendly' | 'now' = 'now'
  const costOf: ModelAgent['costOf'] = (tokens) => {
    hadAnswers = true
    return agent.costOf(tokens)
  }
  try {
    const answer = await runAgent({ ...agent, model, tools: { ...own, ...tools }, costOf }, task.text, run)
    urgency = 'friendly'
    return answer
  } catch (error) {
    throw await agent.failure(error, hadAnswers)
  } finally {
    await close(urgency)
  }
}
