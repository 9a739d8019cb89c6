/** A word of a request, a comma, or a quoted passage as one. */
export type QueryWord = {
  readonly text: string
  /** Lower case, with straight apostrophes. */
  readonly word: string
  readonly at: number
  readonly end: number
  readonly isQuoted: boolean
}

const longestQuote = 500
const quote = (open: string, close: string): string =>
  `${open}[^${open}${close}\\n]{0,${longestQuote}}${close}`
const pattern = new RegExp(
  [
    ...[quote('"', '"'), quote('“', '”'), quote('«', '»'), quote('`', '`')],
    "(?<![\\p{L}\\p{N}])'[^'\\n]{1,300}'(?![\\p{L}\\p{N}])",
    "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}'’_@./:+#-]*[\\p{L}\\p{M}\\p{N}])?",
    ',',
  ].join('|'),
  'gu',
)

/** The words and commas of a text in order. A quoted passage is one word: nothing in it is a step. */
export const queryWords = (text: string): readonly QueryWord[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
    text: found,
    word: found.toLowerCase().replaceAll('’', "'"),
    at: index,
    end: index + found.length,
    isQuoted: /^["“«`']/.test(found),
  }))
