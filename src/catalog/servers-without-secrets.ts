import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { isSecretName, maskSecrets } from '../domain/text/secrets.ts'

/**
 * MCP servers as an agent's file lists them, fit to be stored: a literal value of a secret variable or header
 * becomes a reference to the variable of that name (`${API_KEY}`), other secret-looking parts are masked.
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
    const isSafe = holdsOnlyReferences(text) || (!isSecretName(name) && maskSecrets(text) === text)
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
