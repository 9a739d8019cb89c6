/** A host's configuration cannot be written without harm; nothing was written. The message says what to do. */
export class HostConfigError extends Error {
  override readonly name = 'HostConfigError'
}
