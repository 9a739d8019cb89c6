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

const maker = {
  variable: 'AUDITION_MODEL',
  make: (message: string, remedy: string, options?: ErrorOptions) =>
    new EmbeddingServiceError(message, remedy, options),
}
/** Of a request with one text alone. */
export const singleTextFailures = failuresOf(maker)
export const embeddingFailures = failuresOf({ ...maker, less: 'lower batch' })
