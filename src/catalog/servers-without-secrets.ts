import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { isSecretName, maskSecrets } from '../domain/secrets.ts'

/**
 * MCP servers as an agent's file lists them, fit to be stored: a literal value of a secret variable or header
 * becomes a reference to the variable of that name (`${API_KEY}`), other secret-looking parts are masked.
 *
 * @param servers - server name to entry, in the shape of a host's `mcpServers`
 * @returns undefined when there is none
 */
export function serversWithoutSecrets(servers: unknown): JsonObject | undefined {
  if (!isJsonObject(servers)) return undefined
  const entries = Object.entries(servers).flatMap(([name, entry]) =>
    isJsonObject(entry) ? [[name, entryWithoutSecrets(entry)] as const] : [],
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

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
