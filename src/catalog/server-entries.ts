import { isReference, isSecretName, mask, maskSecrets } from '../domain/text/secrets.ts'
import type { McpServerEntry } from './ports.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolderOf } from '../hosts/hosts.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/**
 * The command line or address of a server, for people to read: secret-looking parts are masked, variables stay as
 * the configuration writes them. Environment and headers are left out. Not meant to be executed.
 */
export function displayOf(launch: McpServerEntry['launch']): string {
  if (launch.transport !== 'stdio') return maskSecrets(launch.url, Object.values(launch.headers))
  const words = [launch.command, ...launch.args]
  const masked = words.map((word, index) =>
    hasSecretFlagBefore(words, index) ? maskWord(word) : maskSecrets(word, secretValues(launch.env)),
  )
  return masked.map(quoted).join(' ')
}

/** The value after `--api-key`, but not the next flag after a switch such as `--no-auth --port`. */
function hasSecretFlagBefore(words: readonly string[], index: number): boolean {
  const before = words[index - 1] ?? ''
  return (
    index > 1 && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretName(before) && !words[index]?.startsWith('-')
  )
}

const maskWord = (word: string): string => (isReference(word) ? word : mask)

const secretValues = (environment: { readonly [name: string]: string }): string[] =>
  Object.entries(environment).flatMap(([name, value]) => (isSecretName(name) ? [value] : []))

const quoted = (word: string): string => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))

/** Whether an entry means something else in another folder: a server starts in the folder that its configuration speaks for. */
export function dependsOnFolder({ launch, config }: McpServerEntry): boolean {
  if (launch.transport !== 'stdio' || launch.cwd !== undefined) return false
  return [launch.command, ...launch.args].some(
    (word) => /^\.{1,2}(?:[\\/]|$)|\$\{workspaceFolder/.test(word) || isFileBeside(config, word),
  )
}

/** `node` is not a file beside the configuration, even where a folder happens to bear that name. */
const isFileBeside = (config: string, word: string): boolean =>
  /[.\\/]/.test(word) && !word.startsWith('-') && existsSync(join(projectFolderOf(config), word))

/**
 * MCP servers as an agent's file lists them, fit to be stored: a literal value of a variable or header that is no plain
 * setting becomes a reference to the variable of that name (`${API_KEY}`), other secret-looking parts are masked.
 *
 * @param servers - in the forms of {@link serverEntriesOf}
 * @returns undefined when there is none
 */
export function serversWithoutSecrets(servers: unknown): JsonObject | undefined {
  const entries = serverEntriesOf(servers).map(([name, entry]) => [name, entryWithoutSecrets(entry)] as const)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/**
 * The servers that an agent's file defines: a map of names to entries, as hosts write it, or a list of such maps and of
 * entries that have their name inside. A server that is only named is defined elsewhere and left out.
 */
export function serverEntriesOf(servers: unknown): readonly (readonly [name: string, entry: JsonObject])[] {
  if (Array.isArray(servers)) return servers.flatMap(entriesOfItem)
  if (!isJsonObject(servers)) return []
  return Object.entries(servers).flatMap(([name, entry]) =>
    isJsonObject(entry) ? [[name, entry] as const] : [],
  )
}

function entriesOfItem(item: unknown): readonly (readonly [name: string, entry: JsonObject])[] {
  if (!isJsonObject(item) || typeof item.name !== 'string')
    return Array.isArray(item) ? [] : serverEntriesOf(item)
  const { name, ...entry } = item
  return [[name, entry]]
}

/** The servers that an agent's file only names, as `mcpServers: [github]` does: its host knows them. */
export const namedServersOf = (servers: unknown): readonly string[] =>
  (Array.isArray(servers) ? servers : [servers]).flatMap((item) =>
    typeof item === 'string' && item.trim() !== '' ? [item.trim()] : [],
  )

function entryWithoutSecrets(entry: JsonObject): JsonObject {
  const kept = Object.entries(entry).flatMap(([field, value]): [string, JsonValue][] => {
    if (field === 'env' || field === 'headers') return [[field, valuesWithoutSecrets(value)]]
    if (field === 'url' && typeof value === 'string') return [[field, maskSecrets(value)]]
    if (field === 'args' && Array.isArray(value)) return [[field, argumentsWithoutSecrets(value)]]
    if (['type', 'command', 'cwd', 'tools'].includes(field)) return [[field, value]]
    return [] // whatever else a host invents (OAuth blocks, inputs) is not needed to name the server
  })
  return Object.fromEntries(kept)
}

function valuesWithoutSecrets(values: JsonValue): JsonValue {
  if (!isJsonObject(values)) return {}
  const kept = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const isSafe =
      holdsOnlyReferences(text) ||
      (!isSecretName(name) && isPlainValue(name, text) && maskSecrets(text) === text)
    return [name, isSafe ? text : `\${${variableName(name)}}`] as const
  })
  return Object.fromEntries(kept)
}

/** Masked word by word, and after a flag such as `--api-key` whatever it says. */
function argumentsWithoutSecrets(words: readonly JsonValue[]): readonly string[] {
  const texts = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word)))
  return texts.map((word, index) => {
    const flag = texts[index - 1] ?? ''
    if (flag.startsWith('-') && isSecretName(flag) && !word.startsWith('-') && !holdsOnlyReferences(word)) {
      return `\${${variableName(flag)}}`
    }
    return maskSecrets(word)
  })
}

/** `${TOKEN}`, `$TOKEN`, `${{ secrets.TOKEN }}`, `${input:token}`, also after `Bearer`; no default value beside. */
export const holdsOnlyReferences = (text: string): boolean =>
  /^(?:(?:Bearer|Basic|Token)\s+)?(?:\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$[A-Z_]\w*)$/i.test(text.trim()) &&
  !text.includes(':-')

const variableName = (name: string): string =>
  name
    .replace(/^-+/, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

/**
 * Names that mean a secret to people, beyond those by which texts are masked; in some of the languages in which they are written.
 */
const spoken =
  /(?:^|[-_.])(?:pw|pass|passwort|passcode|kennwort|mot_?de_?passe|contrase(?:n|ñ)a|clave|senha|parola|пароль|pin|otp|totp|jwt|sign(?:ing|er)?|licen[sc]e|login|seed|salt|hook|webhook|access)(?:$|[-_.\d])/i

/** Words, lists and names of regions: no capitals among small letters, and digits only alone at an end. */
const words = /^(?:[a-z]+|[A-Z]+)(?:[ ,;:._-]{1,2}(?:[a-z]+|[A-Z]+|\d{1,2}))*$/
const number = /^[+-]?\d{1,5}(?:\.\d{1,5}){0,3}(?:ms|s|m|h|kb|mb|gb|%)?$/i
const path = /^(?:\.{1,2}|~|[A-Za-z]:)?(?:[\\/][\w .@+-]*)+$/
const origin = /^[a-z]{2,8}:\/\/[A-Za-z\d.-]{1,200}(?::\d{1,5})?\/?$/
const longestWords = 80

/**
 * Whether a value can be copied into another configuration: nothing but settings of a plain form are, since a secret bears any name. A path, an address without one, a small number, words.
 *
 * @param name - of the variable or header
 */
export const isPlainValue = (name: string, value: string): boolean =>
  value === '' ||
  (!spoken.test(name) &&
    ((value.length <= longestWords && words.test(value)) ||
      [number, path, origin].some((form) => form.test(value))))
