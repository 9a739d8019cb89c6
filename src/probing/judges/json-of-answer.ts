import type { JsonValue } from '../../domain/json.ts'
import type { Judged } from './reference-check.ts'

/** Longer texts are not parsed. Characters. */
const longestText = 4_000_000
/** Fenced blocks that are tried, from the end. */
const mostBlocks = 20

/**
 * The JSON of an answer: what is structured where the protocol has it; else the whole text; else its last fenced block that is JSON;
 * else the text from its first to its last bracket. Undefined when none of these is JSON.
 */
export function jsonOfAnswer({
  text,
  structured,
}: Pick<Judged, 'text' | 'structured'>): JsonValue | undefined {
  if (structured !== undefined) return structured
  if (text.length > longestText) return undefined
  const blocks = [...text.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].slice(-mostBlocks)
  const fenced = blocks.map((match) => match[1] ?? '').reverse()
  const [first, last] = [text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))]
  const inside = first >= 0 && last > first ? [text.slice(first, last + 1)] : []
  for (const candidate of [text, ...fenced, ...inside]) {
    const value = parsed(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
