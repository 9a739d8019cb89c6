import { mkdir, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { RemedyError } from '../../domain/remedy-error.ts'
import { parseYaml, whyNotYaml } from '../../catalog/formats/parse-yaml.ts'
import { replaceWhole } from '../replace-whole.ts'
import { type Allowance, permitOf, withGrants } from './grants.ts'
import { defaultSettings, type Settings, settingsFrom, settingsSchema } from './settings.ts'

/** The settings file cannot be used as it stands. */
export class SettingsError extends RemedyError {
  override readonly name = 'SettingsError'
}

/**
 * Reads the user's settings. A file that is not there is fine: all is at its default.
 *
 * @throws SettingsError naming file and field
 */
export async function readSettings(file: string): Promise<Settings> {
  const text = await textOf(file)
  return text === null ? defaultSettings : settingsIn(text, file)
}

/**
 * Adds entries to the `allow` list, or takes them off it by their permits. The rest of the file stays as it is, comments too.
 *
 * @returns the list as it is now
 * @throws SettingsError when the file cannot be read or written, or its list cannot be edited without loss
 */
export async function changeAllow(
  file: string,
  change: { readonly add?: readonly Allowance[]; readonly remove?: readonly string[] },
): Promise<readonly Allowance[]> {
  const text = (await textOf(file)) ?? ''
  const before = settingsIn(text, file)
  const removed = new Set(change.remove)
  const kept = before.allow.filter((one) => !removed.has(permitOf(one)))
  const added = (change.add ?? []).filter((one) => !isIn(kept, one))
  const wanted = withGrants(kept, added)
  if (sameList(wanted, before.allow)) return wanted
  const edited = editedText(text, before.allow, wanted)
  const after = settingsOrNull(edited, file)
  if (after === null || !sameList(after.allow, wanted) || !sameRest(after, before)) {
    throw new SettingsError(
      `${file}: the list "allow" is written in a way that Audition cannot edit.`,
      `Write it by hand, one entry a line: allow: ${JSON.stringify(wanted)}`,
    )
  }
  await writeWhole(file, edited)
  return wanted
}

/** A file without a list gets one that says all that is allowed, the default entries too. */
function editedText(text: string, before: readonly Allowance[], wanted: readonly Allowance[]): string {
  const added = wanted.filter((one) => !isIn(before, one))
  const removed = before.filter((one) => !isIn(wanted, one))
  const hasList = /^allow\s*:/m.test(text)
  if (!hasList && wanted.length === 0)
    return `${text.replace(/(?<!\n)\n*$/, text === '' ? '' : '\n')}allow: []\n`
  if (!hasList) return listWith(text, 'allow', wanted)
  return listWith(listWithout(text, 'allow', removed), 'allow', added)
}

function settingsIn(text: string, file: string): Settings {
  const name = basename(file)
  const value = saysNothing(text) ? null : parseYaml(text)
  if (value === undefined) {
    throw new SettingsError(
      `${file} is not valid YAML: ${whyNotYaml(text) ?? 'it cannot be parsed'}.`,
      'Mend the line, or move the file away to use the defaults.',
    )
  }
  const checked = settingsSchema.safeParse(value ?? {})
  if (checked.success) return settingsFrom(checked.data)
  throw new SettingsError(
    `${file}: ${checked.error.issues.slice(0, 3).map(complaint).join('; ')}.`,
    `Correct ${name}; docs/probing.md lists its fields. A field that is left out has its default.`,
  )
}

function settingsOrNull(text: string, file: string): Settings | null {
  try {
    return settingsIn(text, file)
  } catch (error) {
    if (error instanceof SettingsError) return null
    throw error
  }
}

/** Nothing, or comments alone. */
const saysNothing = (text: string): boolean => /^(?:\s|#[^\n]*(?:\n|$))*$/.test(text)

function complaint(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `"${key}"`).join(', ')
    const fields = Object.keys(settingsSchema.shape).join(', ')
    return field === ''
      ? `there is no setting ${names}; settings are ${fields}`
      : `"${field}" has no field ${names}`
  }
  return field === '' ? 'it must be a map of settings' : `"${field}": ${issue.message}`
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new SettingsError(
      `${file} cannot be read: ${(cause as Error).message}`,
      'Make the file readable, or name another in AUDITION_SETTINGS.',
      { cause },
    )
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await replaceWhole(file, text)
  } catch (cause) {
    throw new SettingsError(
      `${file} cannot be written: ${(cause as Error).message}`,
      'Make its folder writable, or name another file in AUDITION_SETTINGS.',
      { cause },
    )
  }
}

const sameList = (a: readonly Allowance[], b: readonly Allowance[]): boolean =>
  a.length === b.length && a.every((one) => isIn(b, one))

const isIn = (list: readonly Allowance[], one: Allowance): boolean =>
  list.some((other) => isDeepStrictEqual(other, one))

const sameRest = ({ allow: _, ...a }: Settings, { allow: __, ...b }: Settings): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** An entry of a list: a text, or fields. */
type ListEntry = string | { readonly [field: string]: unknown }

/**
 * Adds entries to a top-level list in a YAML file, as lines at the end of the list, and leaves every other line
 * as it is. A list that stands on one line becomes one entry a line; a list that is not there is added at the end.
 * The caller parses the result: what is written in unusual ways may not come out as meant.
 */
function listWith(text: string, name: string, entries: readonly ListEntry[]): string {
  if (entries.length === 0) return text
  const lines = linesOf(text)
  const place = placeOf(lines, name)
  if (place === null) return joined([...lines, `${name}:`, ...entries.map((entry) => line('  ', entry))])
  const { start, end } = place
  const head = spreadOut(lines.slice(start, end), name)
  const last = head.findLastIndex((one) => itemLine.test(one))
  const indent = itemLine.exec(head[last] ?? '')?.[1] ?? '  '
  const at = last < 0 ? 1 : last + 1
  return joined([
    ...lines.slice(0, start),
    ...head.slice(0, at),
    ...entries.map((entry) => line(indent, entry)),
    ...head.slice(at),
    ...lines.slice(end),
  ])
}

/** Takes entries off such a list; one that becomes empty is written `[]`. */
function listWithout(text: string, name: string, entries: readonly ListEntry[]): string {
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
  return joined([...lines.slice(0, start), ...head, ...lines.slice(end)])
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

const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`

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
