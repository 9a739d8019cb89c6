import { type Context, createContext, Script } from 'node:vm'

/** Longest run of one pattern, and the longest text it is run on. Some patterns take longer than the age of the universe. */
const timeoutMs = 1000
const longestText = 100_000
const longestPattern = 2000

const program = new Script('new RegExp(pattern, flags).test(text)')
let realm: Context | undefined

/** A pattern cannot be used, or took too long. The message is fit for people. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/**
 * Checks a pattern that somebody else wrote, without running it.
 *
 * @param flags - any of `imsu`
 * @throws PatternError when it is no regular expression of JavaScript, or too long
 */
export function checkPattern(pattern: string, flags = ''): void {
  if (pattern.length > longestPattern)
    throw new PatternError(`The pattern is longer than ${longestPattern} characters.`)
  if (!/^[imsu]*$/.test(flags)) throw new PatternError(`The flags "${flags}" are not among i, m, s, u.`)
  try {
    new RegExp(pattern, flags)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PatternError(`The pattern is no regular expression: ${reason}.`, { cause })
  }
}

/**
 * Whether a pattern is found in a text, of which the first 100,000 characters are searched. The program is fixed; pattern and text
 * reach it as strings only, in a context that can be stopped in mid-match, which no other way of running a regular expression allows.
 *
 * @throws PatternError when the pattern is bad, or has not ended after a second
 */
export function matchesPattern(pattern: string, flags: string, text: string): boolean {
  checkPattern(pattern, flags)
  realm ??= createContext(Object.create(null) as Context)
  Object.assign(realm, { pattern, flags, text: text.slice(0, longestText) })
  try {
    return program.runInContext(realm, { timeout: timeoutMs }) === true
  } catch (cause) {
    const code = (cause as { readonly code?: unknown }).code
    const reason =
      code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? 'The pattern ran for a second without an end. Write it without nested repeats such as (a+)+.'
        : `The pattern could not be run: ${cause instanceof Error ? cause.message : String(cause)}.`
    throw new PatternError(reason, { cause })
  }
}
