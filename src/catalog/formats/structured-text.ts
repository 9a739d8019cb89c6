import type { JsonValue } from '../../domain/json.ts'

/** How often a value may have been written as text again. */
const mostTimes = 4

/**
 * The value that a text is written of: JSON, JSON written as a string of JSON again, or a Python literal. Published tables hold
 * nested values in all of these forms.
 *
 * @returns undefined when the text is no object or list in any of them
 */
export function structuredText(text: string): JsonValue | undefined {
  let value: JsonValue | undefined = text
  for (let times = 0; times < mostTimes && typeof value === 'string'; times += 1) value = parsed(value.trim())
  return typeof value === 'object' && value !== null ? value : undefined
}

function parsed(text: string): JsonValue | undefined {
  if (!/^[[{("']/.test(text) || isNestedTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return pythonLiteral(text)
  }
}

/** Deeper nesting is no documentation, and reading goes as deep as the text does. */
const deepestLiteral = 64

/**
 * Reads a Python literal as its `repr` prints it: dicts, lists, tuples, strings in either quote, numbers, `True`, `False`, `None`.
 * Published tables often hold a documentation in this form, where somebody wrote `str(value)` for JSON.
 *
 * @returns the value as JSON, tuples and sets as lists; undefined when the text is anything else
 */
export function pythonLiteral(text: string): JsonValue | undefined {
  const reader = new LiteralReader(text)
  try {
    const value = reader.value(0)
    return reader.isAtEnd() ? value : undefined
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

class NoLiteral extends Error {}

const constants: readonly (readonly [string, JsonValue])[] = [
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
]
const closing: { readonly [opening: string]: string } = { '[': ']', '(': ')', '{': '}' }
const number = /[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const prefix = /[rRbBuU]{0,2}(?=['"])/y
const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' }

class LiteralReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#skipSpace()
    return this.#at === this.#text.length
  }

  value(depth: number): JsonValue {
    if (depth > deepestLiteral) throw new NoLiteral()
    this.#skipSpace()
    const mark = this.#text[this.#at] ?? ''
    if (mark in closing) return mark === '{' ? this.#dictOrSet(depth) : this.#items(mark, depth)
    for (const [word, value] of constants)
      if (this.#text.startsWith(word, this.#at) && !/\w/.test(this.#text[this.#at + word.length] ?? '')) {
        this.#at += word.length
        return value
      }
    const digits = this.#match(number)
    if (digits !== '') return Number(digits.replaceAll('_', ''))
    return this.#strings()
  }

  #dictOrSet(depth: number): JsonValue {
    this.#at += 1
    const entries: [string, JsonValue][] = []
    const members: JsonValue[] = []
    while (!this.#takes('}')) {
      const key = this.value(depth + 1)
      if (this.#takes(':')) entries.push([keyOf(key), this.value(depth + 1)])
      else members.push(key)
      if (!this.#takes(',') && !this.#is('}')) throw new NoLiteral()
    }
    if (entries.length > 0 && members.length > 0) throw new NoLiteral()
    return members.length > 0 ? members : Object.fromEntries(entries)
  }

  #items(opening: string, depth: number): JsonValue {
    this.#at += 1
    const items: JsonValue[] = []
    while (!this.#takes(closing[opening]!)) {
      items.push(this.value(depth + 1))
      if (!this.#takes(',') && !this.#is(closing[opening]!)) throw new NoLiteral()
    }
    return items
  }

  /** Adjacent strings are one. */
  #strings(): string {
    let whole = this.#string()
    for (;;) {
      this.#skipSpace()
      if (!/['"]/.test(this.#text[this.#at] ?? '')) return whole
      whole += this.#string()
    }
  }

  #string(): string {
    const isRaw = /r/i.test(this.#match(prefix))
    const quote = this.#text[this.#at] ?? ''
    if (quote !== "'" && quote !== '"') throw new NoLiteral()
    const ends = this.#text.startsWith(quote.repeat(3), this.#at) ? quote.repeat(3) : quote
    this.#at += ends.length
    const parts: string[] = []
    for (;;) {
      if (this.#at >= this.#text.length) throw new NoLiteral()
      if (this.#text.startsWith(ends, this.#at)) break
      const letter = this.#text[this.#at++]!
      if (letter !== '\\') parts.push(letter)
      else if (isRaw) parts.push(letter, this.#text[this.#at++] ?? '')
      else parts.push(this.#escaped())
    }
    this.#at += ends.length
    return parts.join('')
  }

  #escaped(): string {
    const letter = this.#text[this.#at++] ?? ''
    const digits = { x: 2, u: 4, U: 8 }[letter]
    if (digits === undefined) return escapes[letter] ?? (/['"\\]/.test(letter) ? letter : `\\${letter}`)
    const code = Number.parseInt(this.#text.slice(this.#at, this.#at + digits), 16)
    if (!(code >= 0 && code <= 0x10ffff)) throw new NoLiteral()
    this.#at += digits
    return String.fromCodePoint(code)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }

  #takes(mark: string): boolean {
    if (!this.#is(mark)) return false
    this.#at += mark.length
    return true
  }

  #is(mark: string): boolean {
    this.#skipSpace()
    return this.#text.startsWith(mark, this.#at)
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }
}

const keyOf = (key: JsonValue): string => (typeof key === 'string' ? key : JSON.stringify(key))

/** Nesting that is read. Real documents stay below 50; thousands of levels break whatever walks or stores them. */
const deepest = 500

/** Whether JSON nests lists and objects deeper than any real document. Brackets inside texts do not count. */
export function isNestedTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') at = endOfText(json, at)
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > deepest) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

/** The place of the quote that closes the text opened at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
