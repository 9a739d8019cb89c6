import type { Problem } from '../domain/problem.ts'
import type { HostUser } from './surroundings.ts'

/** Servers that a host was told elsewhere not to start. */
type Rejections = {
  /** The file that rejects a server. */
  readonly fileThatRejects: (server: string) => string | undefined
  /** Settings that could not be read: they reject nothing. */
  readonly problems: readonly Problem[]
}

/** Rejections of a configuration by its path; without a user those of the project alone. */
export type FindRejections = (config: string, user: HostUser | undefined) => Rejections

/** Nothing is rejected. */
export const noRejections: Rejections = { fileThatRejects: () => undefined, problems: [] }

/** A file of settings that should be mended, since what it rejects is not known. */
export const unreadableSettings = (
  file: string,
  host: string,
  { message, remedy }: { readonly message: string; readonly remedy: string },
): Problem => ({
  severity: 'warning',
  file,
  message: `${message}; servers that it rejects for ${host} are not known`,
  remedy,
})
