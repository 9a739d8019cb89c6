import { RemedyError } from '../../domain/remedy-error.ts'
import { failuresOf } from './service-failures.ts'

/** An embedding model cannot be loaded or used. The message says where and what; `remedy` says what to do about it. */
export class EmbeddingModelError extends RemedyError {
  override readonly name: string = 'EmbeddingModelError'
}

/** A model that others run cannot be asked, or its answer not be used. The message is ours alone, so that it may stand in an answer. */
export class EmbeddingServiceError extends EmbeddingModelError {
  override readonly name = 'EmbeddingServiceError'
}

export const embeddingFailures = failuresOf({
  variable: 'AUDITION_MODEL',
  less: 'lower batch',
  make: (message, remedy, options) => new EmbeddingServiceError(message, remedy, options),
})
