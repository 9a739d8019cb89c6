import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { ReadEntry } from './entry.ts'

/** A map of servers inside a configuration. */
export type ServerMap = {
  /** Path of the map, empty for a bare one. */
  readonly path: string
  readonly servers: JsonObject
  /** The folder the servers belong to, where a user's configuration keeps them by project. */
  readonly project?: string
  /** Whether something else in the configuration switches a server off. */
  readonly isOff?: (name: string) => boolean
}

/** How a family of configurations writes its servers. */
export type Dialect = {
  /** Whether a configuration is written so: by its path where its words are those of others, else by what it holds. */
  readonly isUsedIn: (config: JsonObject, path: string) => boolean
  readonly maps: (config: JsonObject, path: string) => readonly ServerMap[]
  readonly readEntry: (entry: JsonObject) => ReadEntry
}

/** The map at a path of names, when there is one. */
export function mapAt(
  config: JsonObject,
  names: readonly string[],
  isOff?: ServerMap['isOff'],
): readonly ServerMap[] {
  let at: unknown = config
  for (const name of names) at = isJsonObject(at) ? at[name] : undefined
  const rest = isOff === undefined ? {} : { isOff }
  return isJsonObject(at) ? [{ path: names.join('.'), servers: at, ...rest }] : []
}

/** The texts of a list; none when it is no list. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** Every text of an entry changed, keys as they are. */
export function withTexts(entry: JsonObject, change: (text: string) => string): JsonObject {
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(changed)
    return isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]))
      : value
  }
  return changed(entry) as JsonObject
}

/** A variable in the words that all dialects are read into. A missing one ends the start of its server. */
export const reference = (name: string): string => `\${${name}}`

/** A variable that may be missing: it is an empty text then. */
export const optionalReference = (name: string): string => `\${${name}:-}`
