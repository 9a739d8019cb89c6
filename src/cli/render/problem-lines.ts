import type { Problem } from '../../catalog/ports.ts'
import { wrapText } from './text.ts'
import type { Output } from '../terminal.ts'
import { flagNames } from '../../domain/finding.ts'
import type { Card } from '../../domain/card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'

const indent = ' '.repeat(10)

/**
 * Problems for people: where, what, what to do. The first so many, then a count. What is to be done about several in a
 * row stands once, below the last of them.
 */
export function problemLines(problems: readonly Problem[], output: Output, limit: number): readonly string[] {
  const { paint } = output
  const shown = problems.slice(0, limit)
  const lines = shown.flatMap(({ severity, file, field, message, remedy }, at) => {
    const where = [file, field ?? ''].map(printableLine).filter((part) => part !== '')
    const mark = severity === 'error' ? paint.red('left out') : paint.yellow('warning ')
    const isLast = shown[at + 1]?.remedy !== remedy
    return [
      `${mark}  ${where.join(' ')}: ${printableLine(message)}`,
      ...(isLast ? remedyLines(remedy, output).map(paint.dim) : []),
    ]
  })
  const more = problems.length - limit
  return more > 0 ? [...lines, `… and ${more} more; --json lists them all`] : lines
}

/** Broken to the width; a list keeps its items, each on lines of its own. */
function remedyLines(remedy: string, { columns }: Output): readonly string[] {
  const room = Math.max(40, columns ?? 120) - indent.length
  return printable(remedy)
    .split('\n')
    .flatMap((line) => {
      const hanging = line.startsWith('- ') ? '  ' : ''
      return wrapText(line, room - hanging.length).map(
        (text, at) => `${indent}${at === 0 ? '' : hanging}${text}`,
      )
    })
}

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
