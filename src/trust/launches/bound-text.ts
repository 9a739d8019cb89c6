import { createHash } from 'node:crypto'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

/** Of further lines nothing is kept: what becomes of them is told without saying where. */
const mostLines = 400
/** 72 bits: too many for a line that is made to look like one of before. */
const digestBytes = 9
const digestCharacters = (digestBytes / 3) * 4
/** Characters of a line that is shown. */
const longestLine = 160

/** What of a text counts. */
export const digestOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A text in few words. */
export const textInWords = (text: string): string =>
  `${countOf(linesOf(text).length, 'line')}, sha256 ${digestOfText(text).slice(0, 12)}`

/** What is kept of a text, to say later where another one differs. */
export const linesToKeep = (text: string): string => digestsOf(linesOf(text)).slice(0, mostLines).join('')

/**
 * Where a text differs from the one that a person agreed to: how many lines are new and how many gone, and the first that is new, as it
 * may be shown.
 *
 * @param kept - {@link linesToKeep} of that time
 */
export function changeOfText(kept: string, text: string): string {
  const lines = linesOf(text)
  const was = kept.match(new RegExp(`.{${digestCharacters}}`, 'g')) ?? []
  const isCut = was.length >= mostLines || lines.length > mostLines
  const now = digestsOf(lines).slice(0, mostLines)
  const [added, gone] = [without(now, was), without(was, now)]
  const first = added[0] ?? now.findIndex((digest, at) => digest !== was[at])
  const counts = `${countOf(added.length, 'new line')}, ${gone.length} gone`
  if (added.length + gone.length === 0 && first < 0)
    return isCut ? `changed after line ${mostLines}` : 'changed where lines end'
  const summary = `${isCut ? `in the first ${mostLines} lines ` : ''}${counts}`
  return first < 0 ? summary : `${summary}; line ${first + 1}: ${JSON.stringify(shown(lines[first]!))}`
}

/** Places in one list that the other has not, each of its entries taken once. */
function without(list: readonly string[], other: readonly string[]): readonly number[] {
  const left = new Map<string, number>()
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1)
  return list.flatMap((one, at) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0 ? [] : [at]
  })
}

function shown(line: string): string {
  const text = maskSecrets(printableLine(line.slice(0, 10 * longestLine).toWellFormed()))
  return text.length <= longestLine ? text : `${text.slice(0, longestLine).toWellFormed()}…`
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split(/\r?\n/)

const digestsOf = (lines: readonly string[]): readonly string[] =>
  lines
    .slice(0, mostLines)
    .map((line) => createHash('sha256').update(line).digest().subarray(0, digestBytes).toString('base64'))
