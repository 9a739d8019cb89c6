import { RemedyError } from '../../../src/domain/remedy-error.ts'

/** Training cannot start or go on. The message says where and what; `remedy` says what to do about it. */
export class TrainingError extends RemedyError {
  override readonly name = 'TrainingError'
}

/** Training was stopped by its signal. What was done until then is kept: the same call goes on from there. */
export class TrainingStoppedError extends Error {
  override readonly name = 'TrainingStoppedError'
  /** Folder that holds it. */
  readonly keptIn: string
  constructor(keptIn: string, options?: ErrorOptions) {
    super(`Training was stopped. What was done is kept in ${keptIn}.`, options)
    this.keptIn = keptIn
  }
}
