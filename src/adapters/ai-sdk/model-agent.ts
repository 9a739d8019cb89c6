import { type Answer, type BoundedRun, boundedExecution } from '../../probing/bounded-execution.ts'
import { boundedFetch } from '../../probing/bounded-fetch.ts'
import type { Execution, ExecutionLimits, Executor, Task } from '../../probing/ports.ts'
import type { SessionSettings } from './attached-tools.ts'
import type { ChosenModel } from './backbone-model.ts'
import { languageModel, type LanguageModelSettings } from './language-model.ts'
import { costOf, type ModelPrices } from './model-prices.ts'
import { callPolicy } from './policy-settings.ts'
import type { WantedTools } from './profile-servers.ts'
import type { JsonObject } from '../../domain/json.ts'

/** What agents on a language model are run with. */
export type ModelAgentOptions = SessionSettings & {
  /** AUDITION_LLM and its key; null when none is configured. */
  readonly languageModel: LanguageModelSettings | null
  /** As the user's settings state them; without them costs are unknown. */
  readonly prices?: ModelPrices
}

/** An agent as its file describes it. */
export type ModelAgent = {
  readonly chosen: ChosenModel
  readonly instructions: string
  readonly policy: JsonObject
  readonly wanted: WantedTools
  /** Told before anything else. */
  readonly notes: readonly string[]
}

/** Calls of tools that a model may make per turn that it has, on average. */
const callsPerStep = 16

/** Runs an agent on its model with its servers' tools attached; servers are gone and connections closed when it settles. */
export function executeModelAgent(
  agent: ModelAgent,
  task: Task,
  options: Parameters<Executor['execute']>[2],
  settings: ModelAgentOptions,
): Promise<Execution> {
  const { limits, signal, onEvent } = options
  const { key } = agent.chosen.settings
  const secrets = key === undefined ? [] : [key]
  return boundedExecution({ limits, signal, onEvent, secrets }, (run) =>
    attended(agent, task, { limits, run, settings }),
  )
}

async function attended(
  { chosen, instructions, policy, wanted, notes }: ModelAgent,
  task: Task,
  {
    limits,
    run,
    settings,
  }: { readonly limits: ExecutionLimits; readonly run: BoundedRun; readonly settings: ModelAgentOptions },
): Promise<Answer> {
  const { spec, key } = chosen.settings
  for (const text of [chosen.statement, ...notes]) run.tell({ kind: 'status', text })
  const [{ attachTools }, { runAgent }, { modelFailure }] = await Promise.all([
    import('./attached-tools.ts'),
    import('./run-agent.ts'),
    import('./model-failure.ts'),
  ])
  const model = await languageModel(chosen.settings, boundedFetch(run.countBytes))
  const bounds = { calls: limits.steps * callsPerStep, bytes: limits.outputBytes }
  const { tools, close } = await attachTools(wanted, settings, bounds, run)
  let hadAnswers = false
  let urgency: 'friendly' | 'now' = 'now'
  try {
    const ready = {
      ...{ model, instructions, tools },
      policy: callPolicy(policy, spec),
      costOf(tokens: { readonly input: number; readonly output: number }) {
        hadAnswers = true
        return costOf(tokens, { spec, named: chosen.model, prices: settings.prices ?? {} })
      },
    }
    const answer = await runAgent(ready, task.text, limits, run)
    urgency = 'friendly'
    return answer
  } catch (error) {
    throw modelFailure(error, { spec, hadAnswers, ...(key === undefined ? {} : { key }) })
  } finally {
    await close(urgency)
  }
}
