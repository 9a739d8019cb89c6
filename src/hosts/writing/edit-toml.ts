import { type Editor, type Target, tomlTable } from '../block.ts'
import { HostConfigError } from './replace-file.ts'
import { isJsonObject } from '../../domain/json.ts'
import { readConfig } from '../config-text.ts'

/** TOML: our table is appended, replaced or taken out as a whole; every other byte stays. */
export const tomlEditor: Editor = {
  add(text, { text: table }) {
    const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
    return text + inLineEndsOf(text, gap + table)
  },
  change(text, target, entry) {
    const spans = ownSpans(text, target)
    const [first] = spans
    if (first === undefined) {
      throw new HostConfigError(
        `${target.path}: "${[...target.key, target.name].join('.')}" is not written as a table of its own.`,
        'Change it by hand; nothing was written.',
      )
    }
    const table = entry === null ? '' : inLineEndsOf(text, tomlTable([...target.key, target.name], entry))
    const [before, ...behind] = [0, ...spans.map(({ end }) => end)].map((from, at) =>
      text.slice(from, spans[at]?.start),
    )
    // A blank line was put before our table.
    const head = entry === null ? before!.replace(/(\n)\r?\n$/, '$1') : before!
    return head + table + behind.join('')
  },
}

type Span = { readonly start: number; readonly end: number }

/** Our table and the tables in it, each without the blank lines and comments that lead to what follows. */
function ownSpans(text: string, target: Target): readonly Span[] {
  const own = [...target.key, target.name]
  const headers = tomlHeaders(text)
  return headers.flatMap(({ path, start }, index) => {
    if (!own.every((name, at) => path[at] === name)) return []
    const next = headers[index + 1]?.start ?? text.length
    const lines = text.slice(start, next).split('\n')
    const trailing = lines
      .slice(1)
      .reverse()
      .findIndex((line) => !/^\s*(?:#.*)?$/.test(line))
    const kept = trailing < 0 ? lines.length - 1 : trailing
    const length = lines.slice(0, lines.length - kept).join('\n').length
    return [{ start, end: Math.min(next, start + length + 1) }]
  })
}

const inLineEndsOf = (text: string, added: string): string =>
  text.includes('\r\n') ? added.replaceAll('\n', '\r\n') : added

/** A `[table]` or `[[table]]` of TOML: its path, and where its line begins. */
type TomlHeader = { readonly path: readonly string[]; readonly start: number }

/** The headers of a text that is valid TOML, in order. Lines inside of texts and lists are none, whatever they look like. */
function tomlHeaders(text: string): readonly TomlHeader[] {
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
