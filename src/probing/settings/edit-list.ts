import { isDeepStrictEqual } from 'node:util'
import { parseYaml } from '../../catalog/formats/parse-yaml.ts'

/** An entry of a list: a text, or fields. */
type ListEntry = string | { readonly [field: string]: unknown }

/**
 * Adds entries to a top-level list in a YAML file, as lines at the end of the list, and leaves every other line
 * as it is. A list that stands on one line becomes one entry a line; a list that is not there is added at the end.
 * The caller parses the result: what is written in unusual ways may not come out as meant.
 */
export function listWith(text: string, name: string, entries: readonly ListEntry[]): string {
  if (entries.length === 0) return text
  const lines = linesOf(text)
  const place = placeOf(lines, name)
  if (place === null) return textOf([...lines, `${name}:`, ...entries.map((entry) => line('  ', entry))])
  const { start, end } = place
  const head = spreadOut(lines.slice(start, end), name)
  const last = head.findLastIndex((one) => itemLine.test(one))
  const indent = itemLine.exec(head[last] ?? '')?.[1] ?? '  '
  const at = last < 0 ? 1 : last + 1
  return textOf([
    ...lines.slice(0, start),
    ...head.slice(0, at),
    ...entries.map((entry) => line(indent, entry)),
    ...head.slice(at),
    ...lines.slice(end),
  ])
}

/** Takes entries off such a list; one that becomes empty is written `[]`. */
export function listWithout(text: string, name: string, entries: readonly ListEntry[]): string {
  const lines = linesOf(text)
  const place = placeOf(lines, name)
  if (place === null || entries.length === 0) return text
  const { start, end } = place
  const isTaken = (one: string): boolean => {
    const item = itemOf(one)
    return entries.some((entry) => isDeepStrictEqual(entry, item))
  }
  const kept = spreadOut(lines.slice(start, end), name).filter((one) => !isTaken(one))
  const isEmpty = !kept.some((one) => itemLine.test(one))
  const head = isEmpty ? [`${name}: []`, ...kept.slice(1)] : kept
  return textOf([...lines.slice(0, start), ...head, ...lines.slice(end)])
}

const itemLine = /^(\s*)-\s+\S/

/** Characters that YAML takes for the end of a line, or refuses, are written by their numbers. */
const line = (indent: string, entry: ListEntry): string =>
  `${indent}- ${JSON.stringify(entry).replace(/[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g, escaped)}`

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The entry that a line holds. */
function itemOf(text: string): ListEntry | undefined {
  if (!itemLine.test(text)) return undefined
  const parsed = parseYaml(text.trim())
  return Array.isArray(parsed) && isEntry(parsed[0]) ? parsed[0] : undefined
}

const isEntry = (value: unknown): value is ListEntry =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Lines of the list, from its name to the one before the next top-level line. */
function placeOf(
  lines: readonly string[],
  name: string,
): { readonly start: number; readonly end: number } | null {
  const start = lines.findIndex((one) => new RegExp(`^${name}\\s*:`).test(one))
  if (start < 0) return null
  const next = lines.findIndex((one, at) => at > start && /^[^\s#-]/.test(one))
  return { start, end: next < 0 ? lines.length : next }
}

/** The lines of a list with each entry on its own: `allow: [a, b]` is written anew, a comment on its line kept above. */
function spreadOut(lines: readonly string[], name: string): readonly string[] {
  const [first = '', ...rest] = lines
  const inside = first.slice(first.indexOf(':') + 1).trim()
  if (inside === '' || inside.startsWith('#')) return lines
  const parsed = parseYaml(first)
  const items = (parsed as { readonly [key: string]: unknown } | undefined)?.[name]
  if (items !== null && !(Array.isArray(items) && items.every(isEntry))) return lines
  const comment = /\s(#[^"'\]]*)$/.exec(first)?.[1]
  return [
    `${name}:${comment === undefined ? '' : ` ${comment}`}`,
    ...(items ?? []).map((item: ListEntry) => line('  ', item)),
    ...rest,
  ]
}
