import { runInNewContext } from 'node:vm'
import { InputError } from '../shared/input-error.ts'

/** A match with its captured groups; a group that took no part is null. */
export type PatternMatch = {
  readonly text: string
  /** Position from 0, in UTF-16 units. */
  readonly index: number
  readonly groups: readonly (string | null)[]
}

/** Longest run of one pattern. Some patterns take longer than the age of the universe. */
const timeoutMs = 1000
const mostMatches = 10_000

/** All matches of a regular expression. @throws InputError for a bad pattern or one that takes too long */
export function findMatches(text: string, pattern: string, flags: string): readonly PatternMatch[] {
  const found = run({ text, pattern, flags, replacement: '' }, matching)
  return JSON.parse(found) as PatternMatch[]
}

/** Replaces all matches; `$1` and `$<name>` stand for groups. @throws InputError as {@link findMatches} does */
export function replacePattern(text: string, pattern: string, flags: string, replacement: string) {
  const found = run({ text, pattern, flags, replacement }, replacing)
  return JSON.parse(found) as { readonly text: string; readonly replaced: number }
}

// The two programs are fixed; what callers send reaches them as strings only, in a context of their own that can be
// stopped in mid-match, which no other way of running a regular expression allows.
const matching = `
  const expression = new RegExp(pattern, flags + 'g')
  const found = []
  for (const match of text.matchAll(expression)) {
    if (found.length >= ${mostMatches}) break
    found.push({ text: match[0], index: match.index, groups: match.slice(1).map((group) => group ?? null) })
  }
  JSON.stringify(found)`
const replacing = `
  const expression = new RegExp(pattern, flags + 'g')
  let replaced = 0
  for (const match of text.matchAll(expression)) replaced += 1
  JSON.stringify({ text: text.replace(expression, replacement), replaced })`

function run(strings: { readonly [name: string]: string }, program: string): string {
  try {
    return String(
      runInNewContext(program, Object.assign(Object.create(null), strings), { timeout: timeoutMs }),
    )
  } catch (cause) {
    const fault = cause as { readonly code?: unknown; readonly message?: unknown }
    if (fault.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new InputError(
        '"pattern" ran for a second without an end. Send one without nested repeats such as (a+)+, or a shorter text.',
        { cause },
      )
    }
    throw new InputError(
      `"pattern" is no JavaScript regular expression: ${String(fault.message)}. Escape special signs with a backslash, and send it without the slashes around it.`,
      { cause },
    )
  }
}
