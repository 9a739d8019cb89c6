/** How far from a place quotation marks are looked for, in UTF-16 units. */
const reach = 400

const pairs: readonly (readonly [open: string, close: string])[] = [
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['«', '»'],
  ['‹', '›'],
  ['‘', '’'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
]

/** Marks that open and close alike; a straight single one only where no letter stands on its outer side. */
const alike = ['"', '`', "'"] as const

/**
 * Whether a place stands within quotation marks or a code span of its own paragraph: then it is cited, not said.
 *
 * @param start - where the place begins, in UTF-16 units of the text
 * @param end - just after it
 */
export function isQuoted(text: string, start: number, end: number): boolean {
  const before = lastParagraph(text.slice(Math.max(0, start - reach), start))
  const after = firstParagraph(text.slice(end, end + reach))
  return (
    pairs.some(([open, close]) => isOpen(before, open, close) && after.includes(close)) ||
    alike.some((mark) => isOpenAlike(before, mark) && closesAlike(after, mark))
  )
}

const lastParagraph = (text: string): string => text.slice(text.lastIndexOf('\n\n') + 1)
const firstParagraph = (text: string): string => {
  const end = text.indexOf('\n\n')
  return end < 0 ? text : text.slice(0, end)
}

/** The last mark before the place opens. */
const isOpen = (before: string, open: string, close: string): boolean =>
  before.lastIndexOf(open) > before.lastIndexOf(close)

/** The last mark before the place stands after a space or a bracket and before a letter, as an opening one does. */
function isOpenAlike(before: string, mark: string): boolean {
  const at = before.lastIndexOf(mark)
  return at >= 0 && !/[\p{L}\p{N}.!?,]/u.test(before[at - 1] ?? ' ') && !/\s/.test(before[at + 1] ?? 'x')
}

function closesAlike(after: string, mark: string): boolean {
  for (let at = after.indexOf(mark); at >= 0; at = after.indexOf(mark, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(after[at + 1] ?? ' ')) return true
  }
  return false
}
