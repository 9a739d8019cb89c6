import { RemedyError } from '../../domain/remedy-error.ts'

/** A host's configuration cannot be written without harm; nothing was written. */
export class HostConfigError extends RemedyError {
  override readonly name = 'HostConfigError'
}
