/** A ranker that was asked for cannot be had here. The message says why; `remedy` says what to do about it. */
export class RankerError extends Error {
  override readonly name = 'RankerError'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
