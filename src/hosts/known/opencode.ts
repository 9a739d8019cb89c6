import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import {
  type Dialect,
  mapAt,
  optionalReference,
  type ServerMap,
  withTexts,
  type ReadEntry,
  readHostEntry,
} from '../entry.ts'
import { type Host, type HostLaunch, projectFileAt, userFile, inWords } from '../host.ts'
import { dotConfigFolder, joinOf } from '../surroundings.ts'

const names = ['opencode.json', 'opencode.jsonc'] as const

/**
 * `mcp`, and since version 2 `mcp.servers`: the program and its arguments are one list, and a type is always stated.
 * Values name variables as `{env:NAME}` and files as `{file:path}`.
 */
const opencodeDialect: Dialect = {
  isUsedIn: ({ mcp }, path) =>
    isJsonObject(mcp) &&
    (names.some((name) => path.endsWith(name)) || hasTypes(mcp) || hasTypes(mcp.servers)),
  maps,
  readEntry,
}

const isTyped = (entry: unknown): boolean =>
  isJsonObject(entry) && (entry.type === 'local' || entry.type === 'remote')

const hasTypes = (servers: unknown): boolean => isJsonObject(servers) && Object.values(servers).some(isTyped)

/** A server of the older form may itself be called `servers` or `timeout`. */
function maps({ mcp }: JsonObject): readonly ServerMap[] {
  if (!isJsonObject(mcp)) return []
  const { servers, timeout, ...others } = mcp
  const older = {
    ...others,
    ...(isTyped(servers) ? { servers: servers! } : {}),
    ...(isTyped(timeout) ? { timeout: timeout! } : {}),
  }
  const newer = isTyped(servers) ? [] : mapAt({ mcp }, ['mcp', 'servers'])
  return [{ path: 'mcp', servers: older }, ...newer]
}

function readEntry(entry: JsonObject): ReadEntry {
  if (entry.type === undefined && entry.command === undefined && entry.url === undefined) {
    return {
      kind: 'elsewhere',
      message: 'the entry only switches a server that another configuration defines',
      remedy: 'Define it here too to find its tools.',
    }
  }
  const { command, environment, ...rest } = entry
  if (JSON.stringify(entry).includes('{file:')) {
    return {
      kind: 'malformed',
      field: '',
      message: 'a value is read from a file ({file:...}), which is not done here',
      remedy: 'Name an environment variable instead: {env:NAME}.',
    }
  }
  const [program, ...args] = Array.isArray(command) ? command : [command]
  const local = { ...rest, ...(program === undefined ? {} : { command: program, args }) }
  const common = { ...local, ...(environment === undefined ? {} : { env: environment }) } as JsonObject
  return readHostEntry(
    withTexts(common, (text) => text.replace(/\{env:([^{}]+)\}/g, (_, name) => optionalReference(name))),
  )
}

const entryOf = ({ command, args, env }: HostLaunch): JsonObject => ({
  type: 'local',
  command: [command, ...args],
  ...(Object.keys(env).length === 0 ? {} : { environment: env }),
})

/** Both versions read the older form; a file that has the newer one gets the entry there. */
function keyIn({ mcp }: JsonObject): readonly string[] {
  const isNewer = isJsonObject(mcp) && isJsonObject(mcp.servers) && !isTyped(mcp.servers)
  return isNewer ? ['mcp', 'servers'] : ['mcp']
}

/** Names: `tools` in packages/opencode/src/mcp/index.ts of opencode. */
export const opencode: Host = {
  name: 'opencode',
  title: 'opencode',
  files: [
    projectFileAt('settings', [...names.map((name) => [name]), ...names.map((name) => ['.opencode', name])]),
    userFile('settings', (user) => {
      const join = joinOf(user)
      const folder = user.env.OPENCODE_CONFIG_DIR || join(dotConfigFolder(user), 'opencode')
      const own = user.env.OPENCODE_CONFIG
      return [...(own ? [own] : []), ...names.map((name) => join(folder, name))]
    }),
  ],
  format: 'json',
  dialect: opencodeDialect,
  writing: {
    key: keyIn,
    entry: entryOf,
    variable: (name) => `{env:${name}}`,
    remoteType: 'remote',
    usual: 'user',
  },
  clients: ['opencode'],
  toolName: (server, tool) => `${inWords(server)}_${inWords(tool)}`,
  isDesktop: false,
}
