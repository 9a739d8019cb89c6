import {
  type ActingField,
  actingValue,
  idleFields,
  isActing,
  isOffField,
} from '../../../catalog/formats/policy-fields.ts'
import type { JsonObject } from '../../../domain/json.ts'

/** What a policy says of the model's calls, in the AI SDK's words. */
export type CallPolicy = {
  readonly settings: {
    readonly temperature?: number
    readonly topP?: number
    readonly topK?: number
    readonly maxOutputTokens?: number
    readonly presencePenalty?: number
    readonly frequencyPenalty?: number
    readonly seed?: number
    readonly stopSequences?: string[]
    /** Of a request that failed and may be sent again. Integer >= 0. */
    readonly maxRetries?: number
  }
  /** Turns of the model; undefined when the policy says nothing. Integer >= 1. */
  readonly steps?: number
  /** Calls of tools, after which it has to answer; undefined when the policy says nothing. Integer >= 1. */
  readonly toolCalls?: number
  /** What is told after the instructions. */
  readonly directions: readonly Direction[]
  /** Settings that cannot be applied, in the order of the policy, with the reason where it is not that we do not know them. */
  readonly ignored: readonly string[]
}

type Direction = 'markdown' | 'now'

/** The words of a direction. */
export const directionText = (direction: Direction): string =>
  direction === 'markdown'
    ? 'Use Markdown to format your answer.'
    : `The current time is ${new Date().toISOString()}.`

const acting: {
  readonly [name in ActingField]: keyof CallPolicy['settings'] | 'steps' | 'toolCalls' | Direction
} = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  max_output_tokens: 'maxOutputTokens',
  max_tokens: 'maxOutputTokens',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
  stop: 'stopSequences',
  stop_sequences: 'stopSequences',
  max_steps: 'steps',
  max_turns: 'steps',
  maxTurns: 'steps',
  retries: 'maxRetries',
  max_retry_limit: 'maxRetries',
  tool_call_limit: 'toolCalls',
  markdown: 'markdown',
  inject_date: 'now',
  add_datetime_to_context: 'now',
  add_datetime_to_instructions: 'now',
}

/** Settings of sampling that OpenAI's reasoning models refuse; they answer with an error rather than leave them out. */
const sampling = ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty'] as const
const isReasoning = (spec: string): boolean => {
  const model = spec.startsWith('openai:')
    ? spec.slice(Math.max(spec.lastIndexOf('#'), spec.indexOf(':')) + 1)
    : ''
  return /^(?:o\d|gpt-5)/.test(model) && !(model.startsWith('gpt-5') && model.includes('-chat'))
}

/**
 * Reads a policy C of a capability profile.
 *
 * @param spec - the model it is applied to, as AUDITION_LLM names it
 */
export function callPolicy(policy: JsonObject, spec: string): CallPolicy {
  const applied: Record<string, unknown> = {}
  const ignored: string[] = []
  const idle = new Map(idleFields(policy).map(({ field, reason }) => [field, reason]))
  for (const [name, value] of Object.entries(policy)) {
    if (isOffField(name, value)) continue
    if (idle.has(name)) ignored.push(`${name} (${idle.get(name)})`)
    else if (!isActing(name)) ignored.push(name)
    else if (actingValue(name, value) === undefined) ignored.push(`${name} (its value cannot be used)`)
    else if (isReasoning(spec) && sampling.some((one) => one === acting[name]))
      ignored.push(`${name} (the model refuses it)`)
    else applied[acting[name]] = actingValue(name, value)
  }
  const { steps, toolCalls, markdown, now, ...settings } = applied
  return {
    settings,
    ignored,
    directions: [
      ...(markdown === true ? ['markdown' as const] : []),
      ...(now === true ? ['now' as const] : []),
    ],
    ...(typeof steps === 'number' ? { steps } : {}),
    ...(typeof toolCalls === 'number' ? { toolCalls } : {}),
  }
}
