/** A flag, and what stands between it and its value: a space is enough. */
const flag = `(--?[A-Za-z][\\w-]{1,63})(["']?(?:\\s*[=:]\\s*|\\s+(?=[^\\s-])))`
/** Any other name needs a sign: `NAME=value`, `name: value`, `"name": "value"`. */
const name = `(\\b[A-Za-z][\\w.-]{1,63})(["']?\\s*[=:]\\s*)`
const named = new RegExp(`${flag}|${name}`, 'g')
const bare = /[^\s,;&"'}\])]+/y

/** @returns what stands in place of a value; undefined where it stays */
type ReplaceValue = (name: string, value: string) => string | undefined

/**
 * Replaces values that stand after a name, quotes around them left out. A value in quotes or in `${…}` ends with its line at the latest.
 * Read once from left to right: what was looked for and is not there is not looked for again.
 */
export function replaceNamedValues(text: string, replace: ReplaceValue): string {
  const ends = endFinder(text)
  let replaced = ''
  let done = 0
  named.lastIndex = 0
  for (let found = named.exec(text); found !== null; found = named.exec(text)) {
    const start = found.index + found[0].length
    const { from, to, end, isOpen } = valueAt(text, start, ends)
    const put = to > from ? replace(found[1] ?? found[3] ?? '', text.slice(from, to)) : undefined
    if (put !== undefined) {
      replaced += text.slice(done, from) + put
      done = to
    }
    // What is open to the end of its line may hold names of its own.
    named.lastIndex = put === undefined && isOpen ? Math.max(from, found.index + 1) : Math.max(end, start)
  }
  return replaced + text.slice(done)
}

type Value = {
  /** Without its quotes. */
  readonly from: number
  readonly to: number
  /** Just after it, quotes included. */
  readonly end: number
  /** It should end with a sign that is not there. */
  readonly isOpen: boolean
}

function valueAt(text: string, start: number, ends: (sign: string, from: number) => number): Value {
  const first = text[start]
  if (first === '"' || first === "'") {
    const close = ends(first, start + 1)
    const line = ends('\n', start + 1)
    return close < line
      ? { from: start + 1, to: close, end: close + 1, isOpen: false }
      : { from: start + 1, to: line, end: line, isOpen: true }
  }
  if (first === '$' && text[start + 1] === '{') {
    const close = ends('}', start)
    if (close < ends('\n', start)) return { from: start, to: close + 1, end: close + 1, isOpen: false }
  }
  bare.lastIndex = start
  const end = start + (bare.exec(text)?.[0].length ?? 0)
  return { from: start, to: end, end, isOpen: false }
}

/** The next place of a sign, or the end of the text; asked from left to right. */
function endFinder(text: string): (sign: string, from: number) => number {
  const known = new Map<string, number>()
  return (sign, from) => {
    const before = known.get(sign)
    if (before !== undefined && before >= from) return before
    const at = text.indexOf(sign, from)
    const place = at < 0 ? text.length : at
    known.set(sign, place)
    return place
  }
}
