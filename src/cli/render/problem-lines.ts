import type { Problem } from '../../catalog/ports.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import type { Output } from '../terminal.ts'
import { wrapText } from './text-width.ts'

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
