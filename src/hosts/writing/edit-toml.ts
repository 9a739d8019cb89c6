import { entryName } from '../block.ts'
import type { Editor, Target } from './editor.ts'
import { HostConfigError } from './host-config-error.ts'
import { tomlHeaders } from './toml-headers.ts'
import { tomlTable } from './toml-table.ts'

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
        `${target.path}: "${[...target.key, entryName].join('.')}" is not written as a table of its own. Change it by hand; nothing was written.`,
      )
    }
    const table = entry === null ? '' : inLineEndsOf(text, tomlTable([...target.key, entryName], entry))
    return spans.reduceRight(
      (changed, { start, end }) =>
        changed.slice(0, start) + (start === first.start ? table : '') + changed.slice(end),
      text,
    )
  },
}

type Span = { readonly start: number; readonly end: number }

/** Our table and the tables in it, each without the blank lines and comments that lead to what follows. */
function ownSpans(text: string, { key }: Target): readonly Span[] {
  const own = [...key, entryName]
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
