/** A stretch of a text, in UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** What a scan found in a card that is served all the same. The rule's name is ours; excerpt and field may hold the publisher's words. */
export type CardFlag = {
  /** The rule's name, for example `hidden-characters`. */
  readonly rule: string
  /** `hard`: the card was held back for it, and a person released it. */
  readonly severity: 'hard' | 'soft'
  /** Path of the text within the card, for example `parameters.path.description`. */
  readonly field: string
  /** The place, on one printable line of at most 120 characters. */
  readonly excerpt: string
  /** What is wrong, for people. */
  readonly message: string
  /** Where in the text the words of it begin and end, in UTF-16 units; absent where it is no matter of words. */
  readonly spans?: readonly Span[]
}

/** The names of the rules, each once, in order: fit for any reader, since no publisher wrote them. */
export const flagNames = ({
  flags = [],
}: {
  readonly flags?: readonly CardFlag[] | undefined
}): readonly string[] => [...new Set(flags.map(({ rule }) => rule))]
