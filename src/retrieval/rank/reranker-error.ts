import { RemedyError } from '../../domain/remedy-error.ts'
import { failuresOf } from './service-failures.ts'

/**
 * A reranker that others run cannot be asked or used. The message is ours alone: it repeats no word of an answer, a card or a key, so
 * that it may stand in an answer.
 */
export class RerankerError extends RemedyError {
  override readonly name = 'RerankerError'
}

/** What names them, and makes their failures. */
export const rerankers = {
  variable: 'AUDITION_RERANKER',
  less: 'lower depth',
  make: (message: string, remedy: string, options?: ErrorOptions) =>
    new RerankerError(message, remedy, options),
}

export const rerankerFailures = failuresOf(rerankers)
