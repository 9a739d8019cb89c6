import { cutWithin } from '../../domain/text/cut.ts'
import type { Span } from '../../domain/finding.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { sentenceBounds } from './cut-sentences.ts'

const longest = 120
/** Characters of text that are shown before what was found. */
const lead = 30
/** What is read around the place, so that a key that is cut in two is still seen as one. */
const margin = 300

/**
 * The place of a finding on one line, with what stands around it: printable, at most 120 characters, secrets masked.
 *
 * @param start - where what was found begins, in UTF-16 units of the text
 * @param end - just after it
 */
export const excerptAround = (text: string, start: number, end: number): string =>
  excerptOfStart(masked(text, Math.max(0, start - lead), Math.min(end, start + longest) + margin))

/**
 * A sentence, or two of which neither tells by itself, and nothing else, as {@link excerptAround} shows a place; of two that are too long
 * together the beginning of each.
 */
export function excerptOf(text: string, [start, end]: Span): string {
  const second = sentenceBounds(text).find((bound) => bound > start && bound < end)
  if (second === undefined || end - start <= longest) return excerptOfStart(masked(text, start, end))
  const half = longest / 2 - 1
  return `${excerptOfStart(masked(text, start, second), half)} ${excerptOfStart(masked(text, second, end), half)}`
}

/** A stretch without secrets, also of those that begin before it or end after it. */
function masked(text: string, from: number, to: number): string {
  const start = Math.max(0, from - margin)
  const before = maskSecrets(text.slice(start, from))
  const after = maskSecrets(text.slice(to, to + margin))
  const shown = maskSecrets(text.slice(start, to + margin))
  const end = shown.endsWith(after) ? shown.length - after.length : shown.length
  return shown.slice(shown.startsWith(before) ? before.length : 0, end)
}

/** One printable line of at most so many characters. */
export const excerptOfStart = (text: string, most = longest): string =>
  cutWithin(printableLine(text.slice(0, 8 * longest)), most)
