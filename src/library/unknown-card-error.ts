import { RemedyError } from '../domain/remedy-error.ts'

/** A card was asked for that is not in the index. */
export class UnknownCardError extends RemedyError {
  override readonly name = 'UnknownCardError'
  readonly id: string
  /** Ids that are in the index and look like it, best first; at most three. */
  readonly closest: readonly string[]
  constructor(id: string, closest: readonly string[]) {
    super(
      `No tool or agent "${id}" is in the index.`,
      closest.length === 0
        ? 'Take the id of a card that a search found.'
        : `Closest ids: ${closest.join(', ')}.`,
    )
    this.id = id
    this.closest = closest
  }
}
