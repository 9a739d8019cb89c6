import { asSentence, RemedyError } from '../../domain/remedy-error.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { BusyError } from '../call-gate.ts'
import { Mistake } from '../mistakes.ts'

/** What was asked cannot be met; the status says in what way. */
export class ApiError extends RemedyError {
  override readonly name: string = 'ApiError'
  readonly status: number
  constructor(status: number, message: string, remedy: string) {
    super(message, remedy)
    this.status = status
  }
}

/** A job of the kind runs already. */
export class JobRunsError extends ApiError {
  override readonly name = 'JobRunsError'
  readonly job: string
  constructor({ id, subject }: { readonly id: string; readonly subject: string }) {
    super(409, `Another one is running: ${subject}.`, 'Wait for its end, or stop it.')
    this.job = id
  }
}

/** An error as it is told. */
export type ErrorNotice = {
  readonly message: string
  readonly remedy?: string
  /** Nothing was ever indexed. */
  readonly isEmpty?: true
  readonly job?: string
}

/** What is told of an error, and with which status. What nobody can mend from outside is told on stderr, and named only here. */
export function errorNotice(error: unknown): { readonly status: number; readonly notice: ErrorNotice } {
  if (error instanceof NoIndexError)
    return {
      status: 409,
      notice: { message: 'Nothing is indexed yet.', remedy: 'Run `audition index`.', isEmpty: true },
    }
  if (error instanceof Mistake) return { status: 400, notice: { message: error.message } }
  if (error instanceof BusyError) return { status: 503, notice: { message: error.message } }
  if (RemedyError.isInstance(error)) {
    const { message, remedy } = error
    const status = error instanceof ApiError ? error.status : 422
    const job = error instanceof JobRunsError ? { job: error.job } : {}
    return { status, notice: { message: asSentence(message), remedy, ...job } }
  }
  console.error('audition: the page asked for something that failed:', error)
  const [message = ''] = error instanceof Error ? error.message.split('\n') : []
  return { status: 500, notice: { message: asSentence(message || 'It failed inside') } }
}
