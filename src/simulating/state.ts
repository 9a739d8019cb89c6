import type { ToolCard } from '../domain/card.ts'
import type { JsonValue } from '../domain/json.ts'
import { toolEffect } from '../retrieval/effects/effect.ts'
import { keyOfJson } from './answers-file.ts'
import type { KeptAnswer, PastCall } from './ports.ts'

/** What a session has come to. Never changed: each call makes the next one. */
export type SessionState = {
  /** The same for the same changes with the same answers, one after the other. What only reads does not count. */
  readonly key: string
  /** All calls that were answered, oldest first; long ago, only what changed something. */
  readonly history: readonly PastCall[]
}

/** Before anything happened: the state of a server that was just started. */
export const startState: SessionState = { key: 'start', history: [] }

/** Whether a call of a tool may leave something behind. Of a tool that does not tell, it may. */
export const mayChange = (card: ToolCard): boolean => toolEffect(card) !== 'reads'

/** The state after a call. One that failed changed nothing. */
export function stateAfter({ key, history }: SessionState, kept: KeptAnswer, card: ToolCard): SessionState {
  const { tool, arguments: given, secrets, answer } = kept
  const changes = mayChange(card) && !answer.failed
  return {
    key: changes
      ? keyOfJson([
          key,
          tool,
          given,
          answer as unknown as JsonValue,
          ...(secrets === undefined ? [] : [secrets]),
        ])
      : key,
    history: [...withoutOldest(history), { tool, arguments: given, answer, changes }],
  }
}

/** Calls that are remembered: of more, the oldest that only read is forgotten first. */
const mostCalls = 1_000

function withoutOldest(history: readonly PastCall[]): readonly PastCall[] {
  if (history.length < mostCalls) return history
  const oldest = Math.max(
    0,
    history.findIndex(({ changes }) => !changes),
  )
  return history.filter((_, at) => at !== oldest)
}
