import { RemedyError, errorText } from '../domain/remedy-error.ts'
import type { Calling } from '../probing/calls/calling.ts'
import type { CallReport } from '../probing/calls/ports.ts'
import type { AnswerStore, ToolAnswer, KeptAnswer } from './ports.ts'
import { startState, stateAfter } from './things.ts'
import { isJsonObject } from '../domain/json.ts'
import type { Transcript } from '../probing/record/transcripts.ts'

/** What a real call gave. @throws RemedyError when it was not made, or nothing answered */
export function realAnswer(report: CallReport): ToolAnswer {
  switch (report.kind) {
    case 'result': {
      const { content, structured, failed } = report.result
      return { content, failed, ...(structured === undefined ? {} : { structured }) }
    }
    case 'not-run': {
      const { why } = report
      throw why.kind === 'permission'
        ? new RemedyError('The user has not allowed its server.', 'Run `audition allow` with its id.')
        : new RemedyError(why.message, why.remedy)
    }
    case 'no-answer':
      throw new Error(report.message)
    case 'withheld':
      throw new Error(report.tool.text)
    case 'gone':
      throw new RemedyError('Its server has no such tool any more.', 'Run `audition index --refresh`.')
    case 'arguments':
    case 'misshapen':
      throw new Error(report.faults.join('; '))
    case 'may-change':
      throw new Error('It does not declare to be read-only.')
  }
}

/**
 * The same calls, and what they gave is kept for simulations.
 *
 * @param storeOf - where answers of a source are kept
 */
export function keepingCalls(calling: Calling, storeOf: (source: string) => Promise<AnswerStore>): Calling {
  /** Of each source, as it was opened: its servers stay open between calls. */
  const states = new Map<string, typeof startState>()
  return {
    ...calling,
    async call(asked) {
      const { card, args } = asked
      const state = states.get(card.source) ?? startState
      const report = await calling.call(asked)
      if (report.kind !== 'result') return report
      const call = { tool: card.name, arguments: args, state: state.key, answer: realAnswer(report) } as const
      try {
        const kept = await (await storeOf(card.source)).keep({ ...call, from: 'real' })
        states.set(card.source, stateAfter(state, kept, card))
      } catch (error) {
        // It was made all the same, and its caller gets what it gave.
        console.error(`audition: a call of ${card.id} was not kept: ${errorText(error)}`)
      }
      return report
    },
  }
}

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
