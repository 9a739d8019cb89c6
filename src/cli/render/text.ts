import { countOf } from '../../domain/text/count-of.ts'
import type { BadLine } from '../../probing/record/outcome-lines.ts'
import { gradeOf, type Outcome } from '../../domain/outcome.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { LaunchDifference } from '../../trust/launches/bound-launch.ts'
import type { TooManyToRead } from '../../store/diagnosis.ts'

/** A text of paragraphs as one line: a paragraph that ends in a word, such as the summary of an operation, gets a stop. */
export const paragraphsInLine = (text: string): string =>
  printableLine(text.replace(/([\p{L}\p{N})\]`])[ \t]*\r?\n[ \t]*\r?\n/gu, '$1. '))

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** A segmenter takes the square of a text's length. So this much of it is given at once, in UTF-16 units. */
const atOnce = 1024

function* graphemesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const isHalved = /[\ud800-\udbff]/.test(text.charAt(start + atOnce - 1))
    const part = text.slice(start, start + atOnce + (isHalved ? 1 : 0))
    const found = Array.from(segmenter.segment(part), ({ segment }) => segment)
    // The last one may go on behind the part, unless it is all of it.
    if (start + part.length < text.length && found.length > 1) found.pop()
    for (const grapheme of found) {
      start += grapheme.length
      yield grapheme
    }
  }
}

/** East Asian wide and fullwidth blocks, as inclusive code point ranges in order. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
]

const isPlain = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text)

/** Columns one grapheme takes: 0 for marks that stand alone, 2 for East Asian wide ones and emoji, else 1. */
function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0)!
  if (/^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u.test(grapheme)) return 0
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2
  return wideRanges.some(([from, to]) => first >= from && first <= to) ? 2 : 1
}

/** Columns a line takes in a terminal. The text must be {@link printable} already. */
export function textWidth(text: string): number {
  if (isPlain(text)) return text.length
  let width = 0
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme)
  return width
}

/** The line cut to at most so many columns, with `…` as the last one when something was cut. Never cuts a grapheme. */
export function fitText(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (isPlain(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1).trimEnd()}…`
  if (textWidth(text) <= columns) return text
  let fitted = ''
  let width = 1
  for (const grapheme of graphemesOf(text)) {
    width += graphemeWidth(grapheme)
    if (width > columns) break
    fitted += grapheme
  }
  return `${fitted.trimEnd()}…`
}

/** The text broken into lines of at most so many columns, between words where it can be. */
export function wrapText(text: string, columns: number): readonly string[] {
  const room = Math.max(1, columns)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/u).flatMap((long) => pieces(long, room))) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > room) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** A word cut into pieces that fit; a single grapheme wider than the room stays whole. */
function pieces(word: string, columns: number): readonly string[] {
  if (textWidth(word) <= columns) return [word]
  const cut: string[] = []
  let piece = ''
  let width = 0
  for (const grapheme of graphemesOf(word)) {
    const own = graphemeWidth(grapheme)
    if (piece !== '' && width + own > columns) {
      cut.push(piece)
      piece = ''
      width = 0
    }
    piece += grapheme
    width += own
  }
  return piece === '' ? cut : [...cut, piece]
}

/** ISO 8601 to the minute, in UTC as it is stored. */
export const timeText = (time: string | null): string =>
  time === null ? 'never' : printableLine(time).slice(0, 16).replace('T', ' ')

export const dollars = (amount: number | null): string => (amount === null ? '–' : `$${amount.toFixed(4)}`)

/** Seconds in words: `48 s`, `3 min 5 s`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** What a person agreed to and what stands there now, a line for each part that is not the same. */
export const differenceLines = ({ was, now }: LaunchDifference): readonly string[] => [
  ...said(was).map((part) => `  was  ${printableLine(part)}`),
  ...said(now).map((part) => `  now  ${printableLine(part)}`),
]

const said = (parts: readonly string[]): readonly string[] => (parts.length === 0 ? ['nothing of it'] : parts)

/** The same in one line. */
export const differenceText = ({ was, now }: LaunchDifference): string =>
  printableLine(`it was ${said(was).join('; ')}, and is now ${said(now).join('; ')}`)

/** What became of one run: its grade, or why it has none. */
export function gradeText({ ending, verdict }: Outcome): string {
  const grade = gradeOf(verdict)
  if (grade !== null) return `grade ${grade}`
  return ending === 'answered' ? 'not graded' : ending
}

/** Blocks of lines with an empty line between; those without a line are left out. */
export const apart = (blocks: readonly (readonly string[])[]): readonly string[] =>
  blocks.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))

/** Lines of a file told one by one; the others are counted. */
const mostBadLines = 20

/** Lines of a file that hold nothing of use, for the person who gave it. */
export const badLineTexts = (file: string, bad: readonly BadLine[]): readonly string[] => [
  ...bad
    .slice(0, mostBadLines)
    .map(({ line, message }) => `${printableLine(file)}, line ${line}: ${printableLine(message)}. Left out.`),
  ...(bad.length > mostBadLines ? [`and ${countOf(bad.length - mostBadLines, 'more bad line')}.`] : []),
]

/** Which cards are searched without the model's reader, why, and what changes it. */
export function unreadText({ kinds, mostCards }: TooManyToRead): string {
  const what = kinds.map((kind) => `${kind}s`).join(' and ')
  return `More than ${countOf(mostCards, 'card')}: the ${what} are not read, and ranked without the reader. AUDITION_READER_CARDS raises the limit.`
}
