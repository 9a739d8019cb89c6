import { RemedyError } from './remedy-error.ts'

/** What is wrong and what to do about it, as sentences; the first may have a stop of its own or none. */
export const withRemedy = (message: string, remedy: string): string => `${asSentence(message)} ${remedy}`

/** The text with a full stop, unless it ends in a mark of its own. */
export const asSentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`)

/** What an error says, with what to do about it where it knows. */
export function toldOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return RemedyError.isInstance(error) ? withRemedy(error.message, error.remedy) : error.message
}
