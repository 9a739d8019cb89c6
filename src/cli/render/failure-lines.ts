import { namesInLine } from '../../domain/text/names-in-line.ts'
import type { SourceReport } from '../../compose/app.ts'
import { grouped } from '../../domain/grouped.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Output } from '../terminal.ts'
import { timeText } from './text.ts'

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
