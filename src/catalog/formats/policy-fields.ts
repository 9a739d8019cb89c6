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

/** Fields of a policy that act: on the model's calls and its instructions, as profiles, agent frameworks and Claude Code's sub-agents write them. */
export const actingFields = [
  ...(['temperature', 'top_p', 'top_k', 'max_output_tokens', 'max_tokens', 'presence_penalty'] as const),
  ...(['frequency_penalty', 'seed', 'stop', 'stop_sequences', 'max_steps', 'max_turns', 'maxTurns'] as const),
  ...(['retries', 'max_retry_limit', 'tool_call_limit', 'markdown', 'inject_date'] as const),
  ...(['add_datetime_to_context', 'add_datetime_to_instructions'] as const),
] as const

/** A field of a policy that is kept, and what keeps it from having an effect. */
type IdleField = { readonly field: string; readonly reason: string }

/** The fields of sessions that a policy asks for. */
export const idleFields = (policy: JsonObject): readonly IdleField[] =>
  Object.entries(policy).flatMap(([field, value]) =>
    Object.hasOwn(ofSessions, field) && !isOff(value) ? [{ field, reason: ofSessions[field]! }] : [],
  )

/** The fields that no run of a profile knows. */
export const unknownFields = (policy: JsonObject): readonly string[] =>
  Object.keys(policy).filter(
    (field) => !actingFields.some((one) => one === field) && !Object.hasOwn(ofSessions, field),
  )

/** Whether a field of sessions is switched off: that is how every run is. */
export const isOffField = (field: string, value: JsonValue): boolean =>
  Object.hasOwn(ofSessions, field) && isOff(value)

/** All of them switched off, for a policy that is complete. */
export const sessionsOff: JsonObject = Object.fromEntries(
  Object.keys(ofTable).map((field) => [field, field === 'knowledge_base' ? null : false]),
)

const isOff = (value: JsonValue): boolean =>
  value === false || value === null || value === '' || (Array.isArray(value) && value.length === 0)
