import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { Host, HostLaunch, Scope } from './host.ts'
import { settingsAt } from './config-text.ts'
import type { Surroundings } from './surroundings.ts'

/** The key of Audition's entry, in every host. */
export const entryName = 'audition'

/** What a host's configuration must say to have Audition. */
export type HostBlock = {
  /** Absolute path of the configuration; null where a person must paste the block. */
  readonly path: string | null
  readonly scope: Scope
  readonly format: Host['format']
  /** Where the map of servers is, outermost name first. */
  readonly key: readonly string[]
  /** The name of the entry in that map. */
  readonly name: string
  readonly entry: JsonObject
  /** A whole configuration with nothing but the entry. */
  readonly config: JsonObject
  /** The same as a text to paste. Ends with a line break. */
  readonly text: string
}

/** The scopes in which a host can be written; none where a person must paste the block. */
export const scopesOf = ({ files, writing }: Host): readonly Scope[] =>
  writing.paste === undefined
    ? (['project', 'user'] as const).filter((scope) => files.some((file) => file.scope === scope))
    : []

type Where = { readonly place: Surroundings; readonly scope?: Scope }

/** The block that makes a host start Audition; see {@link entryBlock}. */
export const hostBlock = (host: Host, launch: HostLaunch, where: Where): HostBlock =>
  entryBlock(host, { name: entryName, entry: host.writing.entry(launch) }, where)

/**
 * The block of a server, and the file it belongs to: where the host keeps several of a scope, the first that is there,
 * else the first whose folder is.
 *
 * @param scope - one of {@link scopesOf}; without one the usual
 */
export function entryBlock(
  host: Host,
  { name, entry }: Pick<HostBlock, 'name' | 'entry'>,
  { place, scope = host.writing.usual }: Where,
): HostBlock {
  const path = host.writing.paste === undefined ? fileOf(host, scope, place) : null
  const found = path === null ? { kind: 'missing' as const } : settingsAt(path)
  const key = host.writing.key(found.kind === 'read' ? found.config : {})
  const config = [...key, name].reduceRight<JsonObject>((inner, outer) => ({ [outer]: inner }), entry)
  const text =
    host.format === 'toml' ? tomlTable([...key, name], entry) : `${JSON.stringify(config, null, 2)}\n`
  return { path, scope, format: host.format, key, name, entry, config, text }
}

function fileOf({ name, files }: Host, scope: Scope, place: Surroundings): string {
  const candidates = files.find((file) => file.scope === scope)?.at(place) ?? []
  const [first] = candidates
  if (first === undefined) throw new Error(`${name} has no file of the scope "${scope}"`)
  return (
    candidates.find((path) => existsSync(path)) ??
    candidates.find((path) => existsSync(dirname(path))) ??
    first
  )
}

/** What is written where: a block, and the file that gets it. */
export type Target = Pick<HostBlock, 'format' | 'key' | 'name' | 'entry' | 'text'> & { readonly path: string }

/** Changes one entry in the text of a configuration and leaves the rest byte for byte. */
export type Editor = {
  readonly add: (text: string, target: Target) => string
  /** @param entry - null takes the entry out */
  readonly change: (text: string, target: Target, entry: JsonObject | null) => string
}

/** A table of TOML with these values, inner objects inline. Ends with a line break. */
export function tomlTable(path: readonly string[], values: JsonObject): string {
  const lines = Object.entries(values).map(([name, value]) => `${keyText(name)} = ${valueText(value)}`)
  return [`[${path.map(keyText).join('.')}]`, ...lines, ''].join('\n')
}

const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : quoted(name))

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (value === null) throw new TypeError('TOML has no null')
  if (typeof value !== 'object') return String(value)
  const inner = Object.entries(value).map(([name, one]) => `${keyText(name)} = ${valueText(one)}`)
  return `{ ${inner.join(', ')} }`
}

/** A basic string: what JSON escapes, TOML escapes alike, but for DEL. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F')
