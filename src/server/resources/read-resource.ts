import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Audition } from '../../compose/audition.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { BusyError, gatesOf } from '../call-gate.ts'

/**
 * Reads for a resource when it is its turn. Of what goes wrong, callers are told only what helps them.
 *
 * @param what - with its article: `the card`
 * @throws ProtocolError
 */
export async function readResource<T>(
  app: Audition,
  { what, signal }: { readonly what: string; readonly signal: AbortSignal },
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await gatesOf(app).reads.run(read, signal)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof BusyError) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
    if (error instanceof NoIndexError) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Nothing is indexed yet. Run: audition index')
    }
    console.error(`audition: ${what} could not be read:`, error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `Could not read ${what}.`)
  }
}

/** Completers by variable. The SDK looks them up by what the caller says: `constructor` must not find an inherited one. */
export const completers = <Completers extends object>(own: Completers): Completers =>
  Object.setPrototypeOf(own, null) as Completers

/**
 * Completes when it is its turn; what cannot be completed is completed by nothing. The SDK sends the first hundred, and
 * says how many there are.
 */
export async function completions(app: Audition, complete: () => Promise<string[]>): Promise<string[]> {
  try {
    return await gatesOf(app).reads.run(complete, new AbortController().signal)
  } catch (error) {
    if (!(error instanceof NoIndexError || error instanceof BusyError)) {
      console.error('audition: completion failed:', error)
    }
    return []
  }
}
