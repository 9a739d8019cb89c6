/** The command was called wrongly; the message says what was expected. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
