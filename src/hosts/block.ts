import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { JsonObject } from '../domain/json.ts'
import type { Host, HostLaunch, Scope } from './host.ts'
import { settingsAt } from './settings-file.ts'
import type { Surroundings } from './surroundings.ts'
import { tomlTable } from './writing/toml-table.ts'

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

/**
 * The block that makes a host start Audition, and the file it belongs to: where the host keeps several of a scope, the
 * first that is there, else the first whose folder is.
 *
 * @param scope - one of {@link scopesOf}; without one the usual
 */
export function hostBlock(
  host: Host,
  launch: HostLaunch,
  { place, scope = host.writing.usual }: { readonly place: Surroundings; readonly scope?: Scope },
): HostBlock {
  const path = host.writing.paste === undefined ? fileOf(host, scope, place) : null
  const found = path === null ? { kind: 'missing' as const } : settingsAt(path)
  const key = host.writing.key(found.kind === 'read' ? found.config : {})
  const entry = host.writing.entry(launch)
  const config = [...key, entryName].reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), entry)
  const text =
    host.format === 'toml' ? tomlTable([...key, entryName], entry) : `${JSON.stringify(config, null, 2)}\n`
  return { path, scope, format: host.format, key, entry, config, text }
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
