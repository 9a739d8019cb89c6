import { RemedyError } from '../../domain/remedy-error.ts'

/**
 * A reranker that others run cannot be asked or used. The message is ours alone: it repeats no word of an answer, a card or a key, so
 * that it may stand in an answer.
 */
export class RerankerError extends RemedyError {
  override readonly name = 'RerankerError'

  /** A server refused, or could not answer. */
  static ofStatus(host: string, status: number): RerankerError {
    const [what, remedy] =
      status === 401 || status === 403
        ? ['refused the key', 'Check AUDITION_RERANKER_KEY.']
        : status === 404
          ? ['does not know the address or the model', 'Check both in AUDITION_RERANKER.']
          : status === 429
            ? ['was asked too often', 'Try again later, or ask the provider for more.']
            : status >= 500
              ? ['is out of order', 'Try again later.']
              : [
                  'refused the request',
                  'Check the model and the format in AUDITION_RERANKER, or lower depth.',
                ]
    return new RerankerError(`${host} ${what} (HTTP ${status}).`, remedy)
  }

  /** No answer came, or only a part of one. It may have been charged for, so that it was not asked for again. */
  static ofNetwork(host: string, code: string, cause: unknown): RerankerError {
    const why = /^[A-Z_\d]{2,40}$/.test(code) ? ` (${code})` : ''
    return new RerankerError(
      `${host} did not answer${why}.`,
      'Check the address in AUDITION_RERANKER, and that the endpoint runs.',
      { cause },
    )
  }

  static ofTime(host: string, seconds: number): RerankerError {
    return new RerankerError(
      `${host} took longer than ${seconds} s.`,
      'Raise seconds in AUDITION_RERANKER, or lower depth.',
    )
  }

  /** An answer came, and cannot be used. */
  static ofAnswer(host: string, what: string): RerankerError {
    return new RerankerError(
      `The answer of ${host} cannot be used: ${what}.`,
      'Check the model and the format in AUDITION_RERANKER.',
    )
  }
}
