import { RemedyError } from '../../domain/remedy-error.ts'

/**
 * A reranker that others run cannot be asked or used. The message is ours alone: it repeats no word of an answer, a card or a key, so
 * that it may stand in an answer.
 */
export class RerankerError extends RemedyError {
  override readonly name = 'RerankerError'
}
