import { printableLine } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

const longest = 120
/** Characters of text before what was found. */
const lead = 30
/** What is masked around the place, so that a key that is cut in two is still seen as one. */
const margin = 300

/**
 * The place of a finding on one line: printable, at most 120 characters, secrets masked.
 *
 * @param start - where what was found begins, in UTF-16 units of the text
 * @param end - just after it
 */
export function excerptAround(text: string, start: number, end: number): string {
  const from = Math.max(0, start - lead)
  const before = maskSecrets(text.slice(Math.max(0, from - margin), from)) // what a cut leaves of a key goes too
  const window = text.slice(Math.max(0, from - margin), Math.min(text.length, end, start + longest) + margin)
  const masked = maskSecrets(window)
  return cut(masked.slice(masked.startsWith(before) ? before.length : 0))
}

/** One printable line of at most 120 characters. */
export function cut(text: string): string {
  const line = printableLine(text.slice(0, 8 * longest))
  return line.length <= longest
    ? line
    : `${line
        .slice(0, longest - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
}
