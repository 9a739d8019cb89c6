import { RemedyError } from '../../domain/remedy-error.ts'

/** Two runs cannot be set side by side. The message says why; the remedy what to do. */
export class IncomparableRunsError extends RemedyError {
  override readonly name: string = 'IncomparableRunsError'
}
