import { RemedyError } from '../domain/remedy-error.ts'
import type { Card } from '../domain/card.ts'

/** Writes requests that a card should be found by, as a user would put them. Costs money: called only when asked for. */
export type QueryWriter = {
  /** For the report. */
  readonly model: string
  /**
   * @param count - requests wanted; fewer may come
   * @throws LanguageModelError when the model cannot be asked
   */
  write(card: Card, count: number, signal?: AbortSignal): Promise<readonly string[]>
}

/** A language model could not be asked, or answered nothing usable. */
export class LanguageModelError extends RemedyError {
  override readonly name = 'LanguageModelError'
}
