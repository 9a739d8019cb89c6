/** Marks them across packages and threads, where `instanceof` knows a class of its own only. */
const mark = Symbol.for('audition.RemedyError')

/** Something failed that a person can mend: the message says where and what, the remedy what to do. Both are sentences. */
export class RemedyError extends Error {
  override readonly name: string = 'RemedyError'
  readonly [mark] = true
  readonly remedy: string
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.remedy = remedy
  }
  static isInstance(error: unknown): error is RemedyError {
    return error instanceof Error && mark in error
  }
}
