import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import { printable } from '../../domain/text/printable.ts'

/** What a program printed, understood as an answer. */
type SpokenAnswer =
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly structured?: JsonValue
      readonly note?: string
    }
  | { readonly kind: 'none'; readonly why: string }

/** Share of characters that may be unreadable before the output counts as binary. */
const mostUnreadable = 0.1

/**
 * Reads the answer of a command agent: plain text, or JSON `{"answer": "...", "structured": ...}`. Text is shown as people
 * may see it: without control characters and terminal sequences, white space around it cut off, a few bytes that are no UTF-8 replaced.
 */
export function spokenAnswer(bytes: Buffer): SpokenAnswer {
  if (bytes.includes(0)) return { kind: 'none', why: 'it printed binary data, not text' }
  const decoded = bytes.toString('utf8')
  const unreadable = decoded.split('\ufffd').length - 1
  if (unreadable > decoded.length * mostUnreadable)
    return { kind: 'none', why: 'it printed binary data, not text in UTF-8' }
  const spoken = jsonAnswer(decoded) ?? { text: decoded }
  const text = printable(spoken.text).trim()
  if (text === '') return { kind: 'none', why: 'it printed no answer' }
  return {
    kind: 'answer',
    text,
    ...(spoken.structured === undefined ? {} : { structured: spoken.structured }),
    ...(unreadable > 0 && !bytes.equals(Buffer.from(decoded))
      ? { note: 'its answer holds bytes that are no UTF-8; they were replaced' }
      : {}),
  }
}

/** Any other JSON is a text like all texts, with more fields too: then it is what the task asked for. */
function jsonAnswer(text: string): { readonly text: string; readonly structured?: JsonValue } | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const { answer, structured, ...others } = value
    if (typeof answer !== 'string' || Object.keys(others).length > 0) return undefined
    return { text: answer, ...(structured === undefined ? {} : { structured }) }
  } catch {
    return undefined
  }
}
