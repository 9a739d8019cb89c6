import { RemedyError } from '../../domain/remedy-error.ts'
import { withRemedy } from '../../domain/with-remedy.ts'

/** Tells a person on stderr; callers hear nothing of it. A caller who left in the middle is not worth a line. */
export function logError(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return
  console.error(`audition: ${reasonOf(error)}`)
}

/** What went wrong and, where the error says so, what to do about it. For people on this machine. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return RemedyError.isInstance(error) ? withRemedy(error.message, error.remedy) : error.message
}
