import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { type HostBlock, entryName, type Target, type Editor } from '../block.ts'
import { readConfig } from '../config-text.ts'
import { jsonEditor } from './edit-json.ts'
import { tomlEditor } from './edit-toml.ts'
import { HostConfigError } from './replace-file.ts'

type Edited = { readonly outcome: 'added' | 'replaced' | 'unchanged'; readonly text: string }

const editors: { readonly [format in HostBlock['format']]: Editor } = { json: jsonEditor, toml: tomlEditor }

/**
 * The text with our entry.
 *
 * @param onConflict - what to do when there is another entry of our name
 * @throws HostConfigError
 */
export function withEntry(text: string, target: Target, onConflict: 'refuse' | 'replace'): Edited {
  const [mark, plain] = unmarked(text)
  const before = configIn(plain, target)
  const present = entryIn(before, target)
  if (isDeepStrictEqual(present, plainJson(target.entry))) return { outcome: 'unchanged', text }
  const isOwn = target.name === entryName
  if (
    present !== undefined &&
    onConflict === 'refuse' &&
    !(isOwn && differInOptions(present, target.entry))
  ) {
    throw new HostConfigError(
      `${target.path}: there is another entry "${target.name}" in "${target.key.join('.')}".`,
      isOwn ? 'Pass --replace to overwrite it, or rename it.' : 'Rename it, or take it out, and hire again.',
    )
  }
  const { add, change } = editors[target.format]
  const after = present === undefined ? add(plain, target) : change(plain, target, target.entry)
  assertOnlyOurs({ before, after }, target, target.entry)
  return { outcome: present === undefined ? 'added' : 'replaced', text: mark + after }
}

/** Whether two entries start the same Audition, for another host or with other rights. */
function differInOptions(one: JsonValue, other: JsonObject): boolean {
  const bare = (entry: JsonValue): string => JSON.stringify(entry).replace(/,"--(?:for","[\w-]+|call)"/g, '')
  return bare(one) === bare(other)
}

/**
 * The text without our entry, or with the one that stood there before.
 *
 * @returns undefined when there is no entry of ours
 * @throws HostConfigError
 */
export function withoutEntry(text: string, target: Target, former: JsonObject | null): string | undefined {
  const [mark, plain] = unmarked(text)
  const before = configIn(plain, target)
  if (entryIn(before, target) === undefined) return undefined
  const after = editors[target.format].change(plain, target, former)
  assertOnlyOurs({ before, after }, target, former)
  return mark + after
}

/** The entry of our name that stands in a text; undefined when there is none. */
export const presentEntry = (text: string, target: Target): JsonValue | undefined =>
  entryIn(configIn(unmarked(text)[1], target), target)

/** Whether a text has the entry as we wrote it, but for white space: no comment of others in it. */
export function hasEntryAsWritten(text: string, target: Target): boolean {
  const { format, name, entry } = target
  const own = format === 'toml' ? target.text : `${JSON.stringify(name)}:${JSON.stringify(entry)}`
  const bare = (one: string) => one.replace(/\s+/g, '')
  return isDeepStrictEqual(presentEntry(text, target), plainJson(entry)) && bare(text).includes(bare(own))
}

const unmarked = (text: string): readonly [mark: string, plain: string] =>
  text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text]

function configIn(text: string, { path, format, key }: Target): JsonObject {
  const read = readConfig(`config.${format}`, text)
  const language = format === 'toml' ? 'TOML' : 'JSON'
  if (read.kind === 'broken') {
    const what =
      read.reason === 'holds no object'
        ? `holds no ${language} object`
        : `line ${read.line} is not valid ${language} (${read.reason})`
    throw new HostConfigError(
      `${path}: ${what}.`,
      'Correct it, or paste the block yourself; nothing was written.',
    )
  }
  let at: JsonValue | undefined = read.config
  for (const [index, name] of key.entries()) {
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
    if (at === undefined) break
    if (!isJsonObject(at)) {
      const place = key.slice(0, index + 1).join('.')
      throw new HostConfigError(`${path}: "${place}" is no object.`, 'Correct it, or remove it.')
    }
  }
  return read.config
}

function entryIn(config: JsonObject, { key, name: own }: Target): JsonValue | undefined {
  let at: JsonValue | undefined = config
  for (const name of [...key, own]) {
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

const plainJson = (entry: JsonObject): JsonObject => JSON.parse(JSON.stringify(entry)) as JsonObject

/** The last guard before someone's configuration is written: apart from our entry, it must say what it said. */
function assertOnlyOurs(
  { before, after }: { readonly before: JsonObject; readonly after: string },
  target: Target,
  entry: JsonObject | null,
): void {
  const read = readConfig(`config.${target.format}`, after)
  if (read.kind === 'read') {
    const present = entryIn(read.config, target)
    const isWritten = entry === null ? present === undefined : isDeepStrictEqual(present, plainJson(entry))
    const others = (config: JsonObject) => withNull(config, [...target.key, target.name])
    if (isWritten && isDeepStrictEqual(others(before), others(read.config))) return
  }
  throw new HostConfigError(
    `${target.path}: cannot be edited safely.`,
    'Paste the block yourself; nothing was written.',
  )
}

/** The configuration with null at a path, whatever stands there. */
function withNull(config: JsonObject, [name, ...rest]: readonly string[]): JsonObject {
  if (name === undefined) return config
  const inner = Object.hasOwn(config, name) && isJsonObject(config[name]) ? config[name] : {}
  return { ...config, [name]: rest.length === 0 ? null : withNull(inner, rest) }
}
