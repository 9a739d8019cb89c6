import type { Card } from '../../domain/card.ts'
import { flagNames } from '../../domain/finding.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { Output } from '../terminal.ts'
import { flaggedCard } from './problem-lines.ts'

/** Cards that are listed; the rest are counted. */
const shownCards = 20

/** What the user accepted of a source, for people: each card with what the scan flags in it, and how to take it back. */
export function acceptedLines(
  cards: readonly Card[],
  { paint }: Output,
  platform: string,
): readonly string[] {
  const [first] = cards
  if (first === undefined) return []
  const more = cards.length - shownCards
  return [
    '',
    paint.bold(`Accepted by you: ${countOf(cards.length, 'card')}, in search`),
    ...cards.slice(0, shownCards).map((card) => `  ${named(card)}`),
    ...(more > 0 ? [paint.dim(`  … and ${more} more; --json lists them all`)] : []),
    'To take one back:',
    `  audition sources refuse ${shellWord(printableLine(first.id), platform)}  ${paint.dim('out of search, held again and refused')}`,
  ]
}

const named = (card: Card): string =>
  flagNames(card).length === 0 ? printableLine(card.id) : `${flaggedCard(card)}, flagged by the scan`
