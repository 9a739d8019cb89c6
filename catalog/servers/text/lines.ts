/** Lines of a text; a final line break does not begin another line. */
export const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)

/** How lines are compared when they are sorted. */
export type LineOrder = 'alphabetical' | 'ignoreCase' | 'numeric' | 'length'

/** Sorts lines; equal ones keep their order. `numeric` takes the first number of a line, lines without one come last. */
export function sortLines(
  lines: readonly string[],
  by: LineOrder,
  direction: 'ascending' | 'descending',
): readonly string[] {
  const sign = direction === 'ascending' ? 1 : -1
  return [...lines].sort((a, b) => comparisons[by](a, b, sign))
}

/** Keeps the first of equal lines. */
export function dedupeLines(
  lines: readonly string[],
  compare: 'exactly' | 'ignoreCaseAndSpace',
): readonly string[] {
  const seen = new Set<string>()
  return lines.filter((line) => {
    const key = compare === 'exactly' ? line : line.trim().replace(/\s+/g, ' ').toLowerCase()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** By code units, so that the order is the same everywhere. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const comparisons: { readonly [order in LineOrder]: (a: string, b: string, sign: number) => number } = {
  alphabetical: (a, b, sign) => sign * byCodeUnits(a, b),
  ignoreCase: (a, b, sign) => sign * byCodeUnits(a.toLowerCase(), b.toLowerCase()),
  length: (a, b, sign) => sign * (a.length - b.length),
  numeric: (a, b, sign) => {
    const [left, right] = [firstNumber(a), firstNumber(b)]
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
    return sign * (left - right)
  },
}

function firstNumber(line: string): number | null {
  const written = /-?\d+(?:\.\d+)?/.exec(line)
  return written ? Number(written[0]) : null
}
