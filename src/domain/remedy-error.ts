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

/** What is wrong and what to do about it, as sentences; the first may have a stop of its own or none. */
export const withRemedy = (message: string, remedy: string): string => `${asSentence(message)} ${remedy}`

/** The text with a full stop, unless it ends in a mark of its own. */
export const asSentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`)

/** What an error says, with what to do about it where it knows. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return RemedyError.isInstance(error) ? withRemedy(error.message, error.remedy) : error.message
}
