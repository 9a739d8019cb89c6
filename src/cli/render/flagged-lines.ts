import { flagNames } from '../../domain/card-flag.ts'
import type { Card } from '../../domain/card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'

/** Flagged cards of a source that are named; the rest are counted. */
export const shownFlagged = 10

/** Where a person reads on. */
export const flaggedAdvice = '`audition show <id>` says where and why'

/** A flagged card by its id, and the rules that found something in it. */
export const flaggedCard = (card: Card): string => `${printableLine(card.id)} (${flagNames(card).join(', ')})`

/**
 * The flagged cards of a source: in search all the same.
 *
 * @param count - how many there are; may be more than `cards`
 * @param cards - the first {@link shownFlagged} of them
 */
export function flaggedLines(count: number, cards: readonly Card[]): readonly string[] {
  const more = count - cards.length
  return [
    `${countOf(count, 'card')} ${count === 1 ? 'is' : 'are'} flagged by the scan; searches say so, and ${flaggedAdvice}:`,
    ...cards.map((card) => `  ${flaggedCard(card)}`),
    ...(more > 0 ? [`  … and ${more} more; --json lists them all`] : []),
  ]
}
