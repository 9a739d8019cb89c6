import {
  extractReasoningMiddleware,
  generateText,
  type LanguageModelMiddleware,
  stepCountIs,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import { AgentFailure, type Answer, type BoundedRun } from '../../../probing/run/bounded-execution.ts'
import { type CallPolicy, directionText } from './policy-settings.ts'
import { tokensOfFailure } from '../models/model-failure.ts'
import type { OpenModel } from '../models/providers.ts'

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
  const system = [instructions, ...policy.directions.map(directionText)].filter((part) => part !== '')
  const { toolCalls = Number.POSITIVE_INFINITY } = policy
  const { text, finishReason } = await generateText({
    model: followedModel(agent.model, { run, costOf }),
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    prompt: task,
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
    prepareStep: ({ steps: taken }) =>
      taken.reduce((sum, step) => sum + step.toolCalls.length, 0) < toolCalls ? {} : { toolChoice: 'none' },
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

/** What is done with each turn of a model. */
type ModelFollower = {
  readonly run: BoundedRun
  /** What a turn's tokens cost; undefined when nobody knows. */
  readonly costOf: (tokens: { readonly input: number; readonly output: number }) => number | undefined
}

/**
 * The same model, whose turns are told and counted as they come: words as messages, warnings once each, tokens and their
 * cost. It stops the run when they are too many. Thinking between `<think>` marks is no part of an answer.
 */
function followedModel(model: OpenModel, { run, costOf }: ModelFollower): OpenModel {
  const { tokens, cost } = run.limits
  const reported = new Set<string>()
  const used = { tokens: 0, cost: 0 }
  const count = (turn: Parameters<typeof costOf>[0]): void => {
    const dollars = costOf(turn)
    if (turn.input + turn.output > 0) run.countTokens(turn.input, turn.output)
    if (dollars !== undefined) run.countCost(dollars)
    used.tokens += turn.input + turn.output
    used.cost += dollars ?? 0
  }
  const follow: LanguageModelMiddleware = {
    specificationVersion: 'v3',
    async wrapGenerate({ doGenerate }) {
      const result = await Promise.resolve(doGenerate()).catch((error: unknown) => {
        const turn = tokensOfFailure(error)
        if (turn !== undefined) count(turn)
        throw error
      })
      const { inputTokens, outputTokens } = result.usage
      count({ input: inputTokens.total ?? 0, output: outputTokens.total ?? 0 })
      for (const warning of result.warnings.map(textOfWarning)) {
        if (reported.has(warning)) continue
        reported.add(warning)
        run.tell({ kind: 'status', text: warning })
      }
      const said = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      if (said.trim() !== '') run.tell({ kind: 'message', text: said })
      if (tokens !== null && used.tokens > tokens) {
        run.stopAtLimit(`it used more than ${tokens.toLocaleString('en')} tokens`)
      }
      if (cost !== null && used.cost > cost) run.stopAtLimit(`it cost more than $${cost}`)
      return result
    },
  }
  const middleware = [follow, extractReasoningMiddleware({ tagName: 'think' })]
  return wrapLanguageModel({ model: model as Parameters<typeof wrapLanguageModel>[0]['model'], middleware })
}

type Turn = Awaited<
  ReturnType<Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['doGenerate']>
>

function textOfWarning(warning: Turn['warnings'][number]): string {
  if (warning.type === 'other') return `of the model's provider: ${warning.message}`
  const how = warning.type === 'unsupported' ? 'does not support' : 'supports in part only'
  return `the model ${how} ${warning.feature}${warning.details === undefined ? '' : `: ${warning.details}`}`
}
