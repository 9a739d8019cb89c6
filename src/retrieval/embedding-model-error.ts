/** An embedding model cannot be loaded or used. The message says where and what; `remedy` says what to do about it. */
export class EmbeddingModelError extends Error {
  override readonly name = 'EmbeddingModelError'
  readonly remedy: string
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.remedy = remedy
  }
}
