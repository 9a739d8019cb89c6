import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { McpServerEntry } from '../domain/runtime.ts'

/** How one server is reached, or what is wrong with its entry; `field` is the field inside the entry. */
export type ReadEntry =
  | { readonly kind: 'launch'; readonly launch: McpServerEntry['launch'] }
  | { readonly kind: 'malformed'; readonly field: string; readonly message: string; readonly remedy: string }
  /** Nothing is wrong with it, and what it takes to reach the server stands elsewhere. */
  | { readonly kind: 'elsewhere'; readonly message: string; readonly remedy: string }

/** Words that hosts use for the streamable HTTP transport, without case, dashes and underscores. */
const httpWords: ReadonlySet<string> = new Set([
  'http',
  'streamablehttp',
  'httpstream',
  'streaminghttp',
  'remote',
])
const stdioWords: ReadonlySet<string> = new Set(['stdio', 'local'])
/** Fields under which hosts keep the address: most, Gemini CLI, Windsurf. */
const addressFields = ['url', 'httpUrl', 'serverUrl']

/** Whether a value may be a server's entry at all. */
export const looksLikeEntry = (value: unknown): value is JsonObject =>
  isJsonObject(value) && [value.command, ...addressFields.map((name) => value[name])].some(isText)

/** Whether an entry is surely one of an MCP server: it names a transport or the arguments of a command. */
export const isSurelyEntry = (value: unknown): boolean =>
  looksLikeEntry(value) && (Array.isArray(value.args) || transportOf(value) !== undefined)

/** Reads one entry of a host's configuration; texts stay as written, variables unexpanded. */
export function readHostEntry(entry: JsonObject): ReadEntry {
  const transport = transportOf(entry)
  if (transport === 'stdio') return localEntry(entry)
  if (transport !== undefined) return remoteEntry(entry, transport)
  if (statedTransport(entry) !== '') {
    return malformed('type', 'this transport cannot be used', 'Use "stdio", "http" or "sse".')
  }
  if (entry.command !== undefined) return localEntry(entry)
  if (addressFields.some((name) => entry[name] !== undefined)) return remoteEntry(entry, 'http')
  return malformed(
    '',
    'the server has neither "command" nor "url"',
    'Give it one of them, or remove the entry.',
  )
}

const statedTransport = (entry: JsonObject): string =>
  [entry.type, entry.transport, entry.transportType]
    .map(textOf)
    .find((word) => word !== '')
    ?.toLowerCase()
    .replace(/[-_]/g, '') ?? ''

function transportOf(entry: JsonObject): 'stdio' | 'http' | 'sse' | undefined {
  const word = statedTransport(entry)
  if (stdioWords.has(word)) return 'stdio'
  if (httpWords.has(word)) return 'http'
  return word === 'sse' ? 'sse' : undefined
}

function localEntry(entry: JsonObject): ReadEntry {
  if (!isText(entry.command)) {
    return malformed(
      'command',
      'the command is missing',
      'Give the program to start as a text, for example "node".',
    )
  }
  const args = entry.args === undefined || entry.args === null ? [] : entry.args
  if (!Array.isArray(args)) {
    return malformed(
      'args',
      'the arguments are not a list',
      'Write them as a list of texts, one per argument.',
    )
  }
  const wrong = args.findIndex((argument) => !isScalar(argument))
  if (wrong >= 0) return malformed(`args[${wrong}]`, 'the argument is not a text', 'Write it as a text.')
  const env = textMap(entry.env, 'env', 'environment')
  if (env.kind === 'malformed') return env
  return {
    kind: 'launch',
    launch: {
      transport: 'stdio',
      command: textOf(entry.command),
      args: args.map(String),
      env: env.texts,
      ...(isText(entry.cwd) ? { cwd: textOf(entry.cwd) } : {}),
    },
  }
}

function remoteEntry(entry: JsonObject, transport: 'http' | 'sse'): ReadEntry {
  const name = addressFields.find((candidate) => entry[candidate] !== undefined) ?? 'url'
  const url = textOf(entry[name])
  if (url === '') {
    return malformed(name, 'the address is empty', 'Give the address of the server, or remove the entry.')
  }
  if (!/^(?:https?:\/\/|\$\{)/i.test(url)) {
    return malformed(
      name,
      'the address is not of the web',
      'Give an address that starts with https:// or http://.',
    )
  }
  const headers = textMap(entry.headers, 'headers', 'headers')
  if (headers.kind === 'malformed') return headers
  return { kind: 'launch', launch: { transport, url, headers: headers.texts } }
}

/** Names to texts. Numbers and booleans count as texts; a null is left out. */
function textMap(value: unknown, path: string, what: string) {
  if (value === undefined || value === null) return { kind: 'texts', texts: {} } as const
  if (!isJsonObject(value)) {
    return malformed(
      path,
      `the ${what} is not a map of names to texts`,
      `Write ${path} as { "NAME": "value" }.`,
    )
  }
  const entries = Object.entries(value).filter(([, text]) => text !== null)
  const wrong = entries.find(([, text]) => !isScalar(text))
  if (wrong !== undefined) {
    return malformed(`${path}.${wrong[0]}`, 'the value is not a text', 'Write it as a text.')
  }
  return {
    kind: 'texts',
    texts: Object.fromEntries(entries.map(([name, text]) => [name, String(text)])),
  } as const
}

const malformed = (field: string, message: string, remedy: string) =>
  ({ kind: 'malformed', field, message, remedy }) as const

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const isText = (value: unknown): boolean => textOf(value) !== ''

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

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
