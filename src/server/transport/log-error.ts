import { toldOf } from '../../domain/with-remedy.ts'

/** Tells a person on stderr; callers hear nothing of it. A caller who left in the middle is not worth a line. */
export function logError(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return
  console.error(`audition: ${toldOf(error)}`)
}
