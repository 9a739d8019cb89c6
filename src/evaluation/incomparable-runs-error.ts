/** Two runs cannot be set side by side. The message says why; the remedy what to do. */
export class IncomparableRunsError extends Error {
  override readonly name: string = 'IncomparableRunsError'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
