import type { JsonObject, JsonValue } from '../../domain/json.ts'

const noHistory = 'a run is one task, and nothing was said before it'
const noMemory = 'nothing is remembered from one run to the next'

const noKnowledge = 'no vector store is attached; a tool of an MCP server that searches one does the same'

/**
 * Fields of a policy C that mean something to a session and nothing to a single run, by the reason. Switched off they are kept to: there is
 * no history, no memory and no knowledge base.
 *
 * @see AgentSelect, ICML 2026, table 1: session history, memory, knowledge
 */
const ofTable: { readonly [field: string]: string } = {
  add_history_to_messages: noHistory,
  read_chat_history: noHistory,
  read_tool_call_history: noHistory,
  enable_agentic_memory: noMemory,
  enable_user_memories: noMemory,
  enable_session_summaries: noMemory,
  knowledge_base: noKnowledge,
}
/** The same in words of other versions and frameworks. */
const ofSessions: { readonly [field: string]: string } = {
  ...ofTable,
  add_history_to_context: noHistory,
  num_history_runs: noHistory,
  update_memory_on_run: noMemory,
  memory: noMemory,
  search_knowledge: noKnowledge,
}

/** What a field that acts holds: in words, and the value to apply, undefined when it is none. */
type Kind = {
  readonly holds: string
  readonly read: (value: JsonValue) => number | string[] | boolean | undefined
}

const numberFrom = (least: number, most: number): Kind => ({
  holds: `a number from ${least} to ${most}`,
  read: (value) => (typeof value === 'number' && value >= least && value <= most ? value : undefined),
})
const wholeFrom = (least: number, most = Number.MAX_SAFE_INTEGER): Kind => ({
  holds: `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
  read: (value) => (Number.isInteger(value) ? numberFrom(least, most).read(value) : undefined),
})
const count = wholeFrom(1)
/** More would keep a failing run busy. */
const retries = wholeFrom(0, 10)
const whole: Kind = { ...wholeFrom(Number.MIN_SAFE_INTEGER), holds: 'a whole number' }
const penalty = numberFrom(-2, 2)
const flag: Kind = {
  holds: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
}
const texts: Kind = {
  holds: 'a text or a list of texts',
  read(value) {
    const list = Array.isArray(value) ? value : [value]
    return list.length > 0 && list.every((text) => typeof text === 'string' && text !== '')
      ? (list as string[])
      : undefined
  },
}

/** Fields of a policy that act: on the model's calls and its instructions, as profiles, agent frameworks and Claude Code's sub-agents write them. */
const acting = {
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  top_k: count,
  max_output_tokens: count,
  max_tokens: count,
  presence_penalty: penalty,
  frequency_penalty: penalty,
  seed: whole,
  stop: texts,
  stop_sequences: texts,
  max_steps: count,
  max_turns: count,
  maxTurns: count,
  retries,
  max_retry_limit: retries,
  tool_call_limit: count,
  markdown: flag,
  inject_date: flag,
  add_datetime_to_context: flag,
  add_datetime_to_instructions: flag,
}
export type ActingField = keyof typeof acting

export const isActing = (field: string): field is ActingField => Object.hasOwn(acting, field)

/** The value of a field to apply, undefined when it is none. */
export const actingValue = (field: ActingField, value: JsonValue) => acting[field].read(value)

/** The fields that would act, had they a value that can be used. */
export const unusableFields = (policy: JsonObject): readonly IdleField[] =>
  Object.entries(policy).flatMap(([field, value]) =>
    isActing(field) && actingValue(field, value) === undefined
      ? [{ field, reason: `it has to be ${acting[field].holds}` }]
      : [],
  )

/** A field of a policy that is kept, and what keeps it from having an effect. */
type IdleField = { readonly field: string; readonly reason: string }

/** The fields of sessions that a policy asks for. */
export const idleFields = (policy: JsonObject): readonly IdleField[] =>
  Object.entries(policy).flatMap(([field, value]) =>
    Object.hasOwn(ofSessions, field) && !isOff(value) ? [{ field, reason: ofSessions[field]! }] : [],
  )

/** The fields that no run of a profile knows. */
export const unknownFields = (policy: JsonObject): readonly string[] =>
  Object.keys(policy).filter((field) => !isActing(field) && !Object.hasOwn(ofSessions, field))

/** Whether a field of sessions is switched off: that is how every run is. */
export const isOffField = (field: string, value: JsonValue): boolean =>
  Object.hasOwn(ofSessions, field) && isOff(value)

/** All of them switched off, for a policy that is complete. */
export const sessionsOff: JsonObject = Object.fromEntries(
  Object.keys(ofTable).map((field) => [field, field === 'knowledge_base' ? null : false]),
)

const isOff = (value: JsonValue): boolean =>
  value === false || value === null || value === '' || (Array.isArray(value) && value.length === 0)
