import { isJsonObject } from '../../domain/json.ts'
import { readConfig } from '../config-text.ts'

/** A `[table]` or `[[table]]` of TOML: its path, and where its line begins. */
export type TomlHeader = { readonly path: readonly string[]; readonly start: number }

/** The headers of a text that is valid TOML, in order. Lines inside of texts and lists are none, whatever they look like. */
export function tomlHeaders(text: string): readonly TomlHeader[] {
  const headers: TomlHeader[] = []
  let at = 0
  while (at < text.length) {
    const start = at
    while (' \t'.includes(text[at] ?? '\n')) at += 1
    if (text[at] === '[') {
      const end = endOfLine(text, at)
      headers.push({ path: pathOf(text.slice(at, end)), start })
      at = end + 1
    } else at = endOfStatement(text, at) + 1
  }
  return headers
}

/** Index of the line break that ends the line, or of the text's end. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The path a header names, read as TOML itself reads it. */
function pathOf(header: string): readonly string[] {
  const read = readConfig('config.toml', header)
  const path: string[] = []
  let at: unknown = read.kind === 'read' ? read.config : {}
  for (;;) {
    const inner: unknown = Array.isArray(at) ? at[0] : at
    const [name] = isJsonObject(inner) ? Object.keys(inner) : []
    if (name === undefined || !isJsonObject(inner)) return path
    path.push(name)
    at = inner[name]
  }
}

/** Where a line ends that is no header; its value may run over many lines. */
function endOfStatement(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text[at]!
    if (character === '\n' && depth === 0) return at
    if (character === '#') at = endOfLine(text, at)
    else if (character === '"' || character === "'") at = endOfText(text, at)
    else {
      if ('[{'.includes(character)) depth += 1
      if (']}'.includes(character)) depth -= 1
      at += 1
    }
  }
  return at
}

/** The index behind the text that begins here, in one quote or three. */
function endOfText(text: string, from: number): number {
  const quote = text[from]!
  const isLong = text.startsWith(quote.repeat(3), from)
  const closing = isLong ? quote.repeat(3) : quote
  let at = from + closing.length
  while (at < text.length && !text.startsWith(closing, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1
  at += closing.length
  // Up to two quotes may stand before the three that close.
  while (isLong && text[at] === quote) at += 1
  return at
}
