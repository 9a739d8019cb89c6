import type { Execution, Reference } from '../ports.ts'
import type { JsonValue } from '../../domain/json.ts'

/** The five points of AgentSearchBench; {@link Verdict} says what each means. */
export type Grade = 1 | 2 | 3 | 4 | 5

/** What a check finds: a grade, or why the reference cannot be used. Reasons are fit for people. */
export type CheckResult = { readonly grade: Grade; readonly reason: string } | { readonly refusal: string }

/** What was answered, and what was asked. */
export type Judged = {
  /** The answer's text; what is structured is written as JSON where there is no text. Never empty. */
  readonly text: string
  readonly structured: Execution['structured']
  /** The task's text, for telling numbers of the question from numbers of the answer. */
  readonly task: string
}

/**
 * Compares an answer with references of one kind. One rule for all kinds: the whole right answer is 5, no part of it is 1,
 * and 2 to 4 are given only when some of it is there.
 */
export type ReferenceCheck<Kind extends Reference['kind']> = (
  reference: Extract<Reference, { readonly kind: Kind }>,
  answer: Judged,
) => CheckResult

/**
 * A short quotation of somebody's text for a reason that people read: one line, without control or invisible characters.
 *
 * @param most - characters kept, the sign for what is left out not counted
 */
export function excerpt(text: string, most = 80): string {
  const line = text
    .slice(0, most * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const signs = [...line]
  return signs.length <= most && text.length <= most * 8
    ? `"${line}"`
    : `"${signs.slice(0, most).join('').trimEnd()}…"`
}

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
