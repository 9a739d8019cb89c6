import { RemedyError } from '../domain/remedy-error.ts'
import { printable } from '../domain/text/printable.ts'
import { NoIndexError } from '../retrieval/ports.ts'

/** What the command line tells the shell. */
export type ExitCode = 0 | 1 | 2 | 130

export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, interrupted: 130 } as const

/** The codes as `--help` states them. */
export const exitCodesText = 'Exit codes: 0 done, 1 something failed, 2 wrong usage, 130 stopped with Ctrl-C.'

/** The command was called wrongly; the message says what was expected. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What went wrong; what to do about it, or what caused it, where that is known. */
type Fault = { readonly error: string; readonly remedy?: string; readonly because?: string }

/** An error as `--json` gives it to scripts, and as lines for people are made of it. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { error: printable(String(error)) }
  if (error instanceof NoIndexError) {
    const remedy = 'Run `audition index`, or `audition quickstart` for a tour.'
    return { error: 'nothing is indexed yet.', remedy }
  }
  const message = printable(error.message).trim() || error.name
  if (RemedyError.isInstance(error)) return { error: message, remedy: printable(error.remedy) }
  const remedy = 'code' in error ? remedies[String(error.code)] : undefined
  if (remedy !== undefined) return { error: message, remedy }
  const cause = error.cause instanceof Error ? printable(error.cause.message).trim() : ''
  return cause === '' || message.includes(cause) ? { error: message } : { error: message, because: cause }
}

/** An error in one or two lines for people: what happened, what to do. With the stack when debugging. */
export function explainError(error: unknown, debug: boolean): readonly string[] {
  if (debug && error instanceof Error)
    return [`error: ${printable(error.stack ?? error.message)}`, ...causes(error)]
  const { error: message, remedy, because } = faultOf(error)
  const next = remedy ?? (because === undefined ? undefined : `because: ${because}`)
  if (next === undefined) return [`error: ${message}`]
  return error instanceof NoIndexError ? [`error: ${message} ${next}`] : [`error: ${message}`, `  ${next}`]
}

/** Nothing, where nothing was ever indexed; any other error stays one. */
export function noneWithoutIndex(error: unknown): readonly [] {
  if (error instanceof NoIndexError) return []
  throw error
}

/** What to do about what the system says itself, where nobody knew more of it. */
const remedies: { readonly [code: string]: string } = {
  ENOSPC: 'Make room on the disk, or name another place.',
  EDQUOT: 'Make room within your quota of the disk, or name another place.',
}

function causes(error: Error): readonly string[] {
  const { cause } = error
  return cause instanceof Error
    ? [`caused by: ${printable(cause.stack ?? cause.message)}`, ...causes(cause)]
    : []
}
