import type { Problem } from '../catalog/ports.ts'
import { printableLine } from '../domain/printable.ts'
import type { Output } from './terminal.ts'

/** Problems for people: where, what, what to do. The first so many, then a count. */
export function problemLines(problems: readonly Problem[], output: Output, limit: number): readonly string[] {
  const { paint } = output
  const lines = problems.slice(0, limit).flatMap(({ severity, file, field, message, remedy }) => {
    const where = [file, field ?? ''].map(printableLine).filter((part) => part !== '')
    const mark = severity === 'error' ? paint.red('left out') : paint.yellow('warning ')
    return [
      `${mark}  ${where.join(' ')}: ${printableLine(message)}`,
      paint.dim(`          ${printableLine(remedy)}`),
    ]
  })
  const more = problems.length - limit
  return more > 0 ? [...lines, `… and ${more} more; --json lists them all`] : lines
}
