import { type actingFields, idleFields, isOffField } from '../../../catalog/formats/policy-fields.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'

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

type Setting = {
  readonly name: keyof CallPolicy['settings'] | 'steps' | 'toolCalls' | Direction
  /** The value to apply, or undefined when it is none. */
  readonly read: (value: JsonValue) => number | string[] | boolean | undefined
}

const number = (value: JsonValue) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const count = (value: JsonValue) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : undefined
const whole = (value: JsonValue) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined)
/** More would keep a failing run busy. */
const mostRetries = 10
const retries = (value: JsonValue) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostRetries
    ? value
    : undefined
const flag = (value: JsonValue) => (typeof value === 'boolean' ? value : undefined)
const texts = (value: JsonValue) => {
  const list = Array.isArray(value) ? value : [value]
  return list.length > 0 && list.every((text) => typeof text === 'string' && text !== '')
    ? (list as string[])
    : undefined
}

const acting: { readonly [name in (typeof actingFields)[number]]: Setting } = {
  temperature: { name: 'temperature', read: number },
  top_p: { name: 'topP', read: number },
  top_k: { name: 'topK', read: count },
  max_output_tokens: { name: 'maxOutputTokens', read: count },
  max_tokens: { name: 'maxOutputTokens', read: count },
  presence_penalty: { name: 'presencePenalty', read: number },
  frequency_penalty: { name: 'frequencyPenalty', read: number },
  seed: { name: 'seed', read: whole },
  stop: { name: 'stopSequences', read: texts },
  stop_sequences: { name: 'stopSequences', read: texts },
  max_steps: { name: 'steps', read: count },
  max_turns: { name: 'steps', read: count },
  maxTurns: { name: 'steps', read: count },
  retries: { name: 'maxRetries', read: retries },
  max_retry_limit: { name: 'maxRetries', read: retries },
  tool_call_limit: { name: 'toolCalls', read: count },
  markdown: { name: 'markdown', read: flag },
  inject_date: { name: 'now', read: flag },
  add_datetime_to_context: { name: 'now', read: flag },
  add_datetime_to_instructions: { name: 'now', read: flag },
}

const known: { readonly [name: string]: Setting } = acting

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
    const setting = Object.hasOwn(known, name) ? known[name]! : undefined
    const read = setting?.read(value)
    if (isOffField(name, value)) continue
    if (idle.has(name)) ignored.push(`${name} (${idle.get(name)})`)
    else if (setting === undefined) ignored.push(name)
    else if (read === undefined) ignored.push(`${name} (its value cannot be used)`)
    else if (isReasoning(spec) && sampling.some((one) => one === setting.name))
      ignored.push(`${name} (the model refuses it)`)
    else applied[setting.name] = read
  }
  const { steps, toolCalls, markdown, now, ...settings } = applied
  return {
    ...{ settings, ignored },
    directions: [
      ...(markdown === true ? ['markdown' as const] : []),
      ...(now === true ? ['now' as const] : []),
    ],
    ...(typeof steps === 'number' ? { steps } : {}),
    ...(typeof toolCalls === 'number' ? { toolCalls } : {}),
  }
}
