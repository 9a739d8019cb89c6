/**
 * What guards a ranking against cards that were written to be found. Each can be switched off, to measure what it does; all are on by
 * default. Those that go by a card's text (`publisherShape`, `echo`, `excess`, and the part of `nearCopies` that tells copiers) apply to
 * sources that the user does not own. docs/decisions/0009-retrieval-attacks.md has the figures.
 */
export type DefenceSettings = {
  /** Near-copies under other names and from other sources are folded into the original. */
  readonly nearCopies: boolean
  /** No publisher and no source takes more than its part of the places while others have something comparable. */
  readonly caps: boolean
  /** Near-copies cannot fill the list of candidates: a retriever looks deeper instead. */
  readonly depth: boolean
  /** All cards of a publisher stand back when many of them are lists of words or read like requests. */
  readonly publisherShape: boolean
  /** Cards that repeat a request word for word stand back. */
  readonly echo: boolean
  /** Cards that hold more words of a request than their length explains stand back. */
  readonly excess: boolean
  /** A card of a stranger never stands before one of the user's that serves by itself, nor a newcomer's before an established one's. */
  readonly provenance: boolean
}

export const allDefences: DefenceSettings = {
  nearCopies: true,
  caps: true,
  depth: true,
  publisherShape: true,
  echo: true,
  excess: true,
  provenance: true,
}
