import { RemedyError } from '../../domain/remedy-error.ts'

/**
 * A request that is not made, since it could reach what its author must not: a private network, a cloud's metadata, another
 * protocol. The message names the host and never a credential.
 */
export class RefusedRequestError extends RemedyError {
  override readonly name = 'RefusedRequestError'
  /** As errors of the system have one; see harvest reports. */
  readonly code = 'ERR_REQUEST_REFUSED'
}

/** The refusal in an error or in what caused it: `fetch failed` hides it in its cause. */
export function refusalIn(error: unknown, depth = 0): RefusedRequestError | undefined {
  if (error instanceof RefusedRequestError) return error
  return error instanceof Error && depth < 4 ? refusalIn(error.cause, depth + 1) : undefined
}
