import { createHash } from 'node:crypto'
import type { ToolCard } from '../../domain/card.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { UseEnding } from '../../domain/outcome.ts'
import type { Execution } from '../ports.ts'
import type { CallReport, ToolResult } from './ports.ts'

/** What a report says of the tool; null where it says nothing. */
export function endingOf(report: CallReport): UseEnding | null {
  switch (report.kind) {
    case 'result':
      if (report.result.failed) return report.result.excuse ?? 'failed'
      // Who changes something may have nothing to say; who is asked to tell something has.
      return report.tool.annotations.readOnly === true && isEmpty(report.result) ? 'empty' : 'worked'
    case 'no-answer':
      if (report.isDoubtful) return 'unknown'
      return report.isLate ? 'timeout' : 'failed'
    case 'misshapen':
    case 'gone':
      return 'failed'
    case 'arguments':
      return 'arguments'
    case 'withheld':
      return 'refused'
    case 'not-run':
      return report.why.kind === 'permission' ? 'refused' : null
    case 'may-change':
      return null
  }
}

const isEmpty = ({ content, structured }: ToolResult): boolean =>
  structured === undefined &&
  content.every(({ type, text }) => type === 'text' && typeof text === 'string' && text.trim() === '')

/** The same of a run of an agent. */
export const agentEnding = ({ ending, answer }: Execution): UseEnding | null => {
  if (ending === 'answered') return answer.trim() === '' ? 'empty' : 'worked'
  if (ending === 'cancelled') return null
  return ending === 'limit' ? 'timeout' : 'failed'
}

/** Questions that are remembered, by their hash and as long as this runs. */
const mostAsked = 10_000

/** Whether a tool was asked the same before, or is never asked for anything: that it has nothing again tells nothing new of it. */
export function askedBefore(): (asked: { readonly card: ToolCard; readonly args: JsonObject }) => boolean {
  const known = new Set<string>()
  return ({ card, args }) => {
    if (Object.keys(args).length === 0) return true
    const question = createHash('sha256')
      .update(`${card.id}\n${JSON.stringify(args)}`)
      .digest('base64')
    if (known.has(question)) return true
    if (known.size >= mostAsked) known.clear()
    known.add(question)
    return false
  }
}
