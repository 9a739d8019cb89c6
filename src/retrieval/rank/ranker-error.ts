import { RemedyError } from '../../domain/remedy-error.ts'

/** A ranker that was asked for cannot be had here. The message says why; `remedy` says what to do about it. */
export class RankerError extends RemedyError {
  override readonly name = 'RankerError'
}
