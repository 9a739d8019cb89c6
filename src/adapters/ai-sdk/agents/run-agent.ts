import { generateText, stepCountIs, type ToolSet } from 'ai'
import { AgentFailure, type Answer, type BoundedRun } from '../../../probing/run/bounded-execution.ts'
import { followedModel, type ModelFollower } from '../models/followed-model.ts'
import type { CallPolicy } from './policy-settings.ts'
import type { OpenModel } from '../models/providers.ts'

/** An agent that is ready to run. */
type ReadyAgent = {
  /** Opened with a `fetch` that the run counts. */
  readonly model: OpenModel
  /** System prompt; empty for none. */
  readonly instructions: string
  readonly policy: CallPolicy
  readonly tools: ToolSet
  readonly costOf: ModelFollower['costOf']
}

/** A limit of tokens up to here also bounds each answer; larger ones some models refuse as too many. */
const smallTokenLimit = 8_192

/**
 * Gives an agent a task: the model may call tools and gets their results, turn by turn, until it answers or has taken as
 * many turns as the limits and its policy allow.
 *
 * @throws AgentFailure when it answers nothing or its provider filters the answer
 * @throws what the AI SDK throws when the model cannot be asked
 */
export async function runAgent(agent: ReadyAgent, task: string, run: BoundedRun): Promise<Answer> {
  const { policy, instructions, tools, costOf } = agent
  const { limits } = run
  const steps = Math.min(limits.steps, policy.steps ?? limits.steps)
  if (policy.ignored.length > 0) {
    run.tell({ kind: 'status', text: `settings of the policy not applied: ${policy.ignored.join(', ')}` })
  }
  const { text, finishReason } = await generateText({
    model: followedModel(agent.model, { run, costOf }),
    ...(instructions === '' ? {} : { system: instructions }),
    prompt: task,
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
    stopWhen: stepCountIs(steps),
    maxRetries: 2,
    abortSignal: run.signal,
    ...policy.settings,
    ...boundedOutput(limits.tokens, policy.settings.maxOutputTokens),
  })
  if (finishReason === 'tool-calls') {
    run.stopAtLimit(`it was not done after ${steps} ${steps === 1 ? 'turn' : 'turns'}`)
  }
  const said = text.trim()
  if (finishReason === 'content-filter') {
    throw new AgentFailure(`its model's provider filtered the answer${said === '' ? '' : `: ${said}`}`)
  }
  if (said === '') throw new AgentFailure('it answered nothing')
  if (finishReason === 'length') {
    run.tell({ kind: 'status', text: 'the answer was cut at the limit of its tokens' })
  }
  return { text: said }
}

const boundedOutput = (tokens: number | null, stated: number | undefined): { maxOutputTokens?: number } =>
  tokens === null || tokens > smallTokenLimit
    ? {}
    : { maxOutputTokens: Math.min(tokens, stated ?? Number.POSITIVE_INFINITY) }
