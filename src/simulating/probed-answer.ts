import { isJsonObject } from '../domain/json.ts'
import type { Transcript } from '../probing/record/transcripts.ts'
import type { KeptAnswer } from './ports.ts'
import { startState } from './state.ts'

/** Characters of an answer that a transcript holds whole. */
const whole = 64 * 1024

/**
 * What a probe of a tool of an MCP server tells of it: one call, on a server that was just started. Null where the transcript holds less
 * than the tool gave.
 */
export function probedAnswer({
  outcome,
  events,
  answer,
  structured,
  failure,
}: Transcript): KeptAnswer | null {
  const call = events.find((event) => event.kind === 'tool-call')
  if (outcome.executor !== 'mcp-tool' || call === undefined || !isJsonObject(call.arguments)) return null
  if (outcome.ending !== 'answered' && outcome.ending !== 'failed') return null
  const text = failure ?? answer
  const isCut = text.length >= whole || (failure !== null && text.endsWith('…'))
  // What is no text stands in brackets.
  if (isCut || /^\[(?:image|audio|resource|link to) /m.test(text)) return null
  return {
    tool: call.tool,
    arguments: call.arguments,
    state: startState.key,
    answer: {
      content: text === '' ? [] : [{ type: 'text', text }],
      failed: failure !== null,
      ...(structured === undefined ? {} : { structured }),
    },
    from: 'real',
  }
}
