import { RemedyError } from '../../domain/remedy-error.ts'

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
export type Told = {
  readonly message: string
  readonly remedy?: string
  /** Nothing was ever indexed. */
  readonly isEmpty?: true
  readonly job?: string
}
