/** The caller's input cannot be used. The message says what is wrong and what to send instead. */
export class InputError extends Error {
  override readonly name = 'InputError'
}
