import type { Problem } from '../../catalog/ports.ts'
import { timeText, wrapText } from './text.ts'
import type { Output } from '../terminal.ts'
import { flagNames } from '../../domain/finding.ts'
import type { Card } from '../../domain/card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { namesInLine } from '../../domain/text/names-in-line.ts'
import type { SourceReport } from '../../compose/app.ts'
import { grouped } from '../../domain/grouped.ts'

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

export const serverReader = 'mcp-server'

/**
 * Sources that failed for one reason, such as a folder that is gone, are told once. A server has one line, since there may be many; what
 * it printed, and what to do, `audition doctor` says.
 */
export function failureLines(
  sources: readonly SourceReport[],
  { paint: { red, dim } }: Output,
): readonly string[] {
  const failed = sources.filter(({ failure }) => failure !== undefined)
  const groups = grouped(failed, ({ source, reader, failure }) =>
    reader === serverReader ? source : JSON.stringify(failure),
  )
  return [...groups.values()].flatMap((group) => {
    const [{ reader, failure, againAfter }] = group as [SourceReport]
    const names = namesOf(group.map(({ source }) => source))
    const message = printableLine(failure!.message)
    if (reader !== serverReader) {
      const cards = group.some(({ unchanged }) => unchanged > 0) ? ` ${keptText(group.length)}` : ''
      return [
        `${red('failed')}  ${names}: ${message}`,
        dim(`        ${printableLine(failure!.remedy)}${cards}`),
      ]
    }
    const before =
      againAfter === undefined ? '' : ` (failed before; asked again after ${timeText(againAfter)} UTC)`
    return [`${red('failed')}  ${names}: ${message.replace(/^MCP server "[^"]*": /, '')}${before}`]
  })
}

/** Sources named in one line; the rest are counted. */
const shownNames = 5

/** The first names of several sources, and how many more there are. */
export const namesOf = (sources: readonly string[]): string =>
  namesInLine(sources.map(printableLine), shownNames)

const keptText = (sources: number): string =>
  sources === 1 ? 'Its old cards stay.' : 'Their old cards stay.'
