import type { Finding } from './finding.ts'

/**
 * A finding in a card that is served all the same: a soft one, or a hard one that a person released. The rule's name is ours; excerpt and
 * field may hold the publisher's words.
 */
export type CardFlag = Finding

/** The names of the rules, each once, in order: fit for any reader, since no publisher wrote them. */
export const flagNames = ({
  flags = [],
}: {
  readonly flags?: readonly CardFlag[] | undefined
}): readonly string[] => [...new Set(flags.map(({ rule }) => rule))]
