import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { RemedyError } from '../../domain/remedy-error.ts'
import { parseYaml, whyNotYaml } from '../../catalog/formats/parse-yaml.ts'
import { listWith, listWithout } from './edit-list.ts'
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
  const draft = `${file}.${randomUUID().slice(0, 8)}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, file)
  } catch (cause) {
    await rm(draft, { force: true })
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
