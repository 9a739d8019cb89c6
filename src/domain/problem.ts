/**
 * Something a person should know about a source. `message` says what is wrong, `remedy` what to do about it.
 * An error means that cards were left out; a warning that they were taken with a repair.
 */
export type Problem = {
  readonly severity: 'error' | 'warning'
  readonly file: string
  /** Path of the field, for example `skills[2].name`, or `line 12` of a line format. */
  readonly field?: string
  readonly message: string
  readonly remedy: string
}
