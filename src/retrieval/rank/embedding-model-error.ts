import { RemedyError } from '../../domain/remedy-error.ts'

/** An embedding model cannot be loaded or used. The message says where and what; `remedy` says what to do about it. */
export class EmbeddingModelError extends RemedyError {
  override readonly name = 'EmbeddingModelError'
}
