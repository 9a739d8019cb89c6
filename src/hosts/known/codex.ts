import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type Dialect, mapAt, optionalReference, reference, textsIn, readHostEntry } from '../entry.ts'
import { type Host, plainEntry, projectFile, under, userFile, atMost } from '../host.ts'
import { joinOf } from '../surroundings.ts'

/**
 * Tables `[mcp_servers.<name>]` in TOML. Variables are handed on by name (`env_vars`, `env_http_headers`,
 * `bearer_token_env_var`), never written into a value.
 */
const codexDialect: Dialect = {
  isUsedIn: ({ mcp_servers }) => isJsonObject(mcp_servers),
  maps: (config) => mapAt(config, ['mcp_servers']),
  readEntry: (entry) => readHostEntry(commonEntry(entry)),
}

function commonEntry(entry: JsonObject): JsonObject {
  const { env_vars, http_headers, env_http_headers, bearer_token_env_var: token, env, ...rest } = entry
  const handedOn = Object.fromEntries(variablesIn(env_vars).map((name) => [name, optionalReference(name)]))
  const named = Object.entries(isJsonObject(env_http_headers) ? env_http_headers : {}).flatMap(
    ([header, name]) => (typeof name === 'string' ? [[header, optionalReference(name)] as const] : []),
  )
  const headers = {
    ...(isJsonObject(http_headers) ? http_headers : {}),
    ...Object.fromEntries(named),
    ...(typeof token === 'string' ? { Authorization: `Bearer ${reference(token)}` } : {}),
  }
  const hasFaultyHeaders = http_headers !== undefined && !isJsonObject(http_headers)
  return {
    ...rest,
    ...(Object.keys(handedOn).length > 0 || env !== undefined
      ? { env: isJsonObject(env) || env === undefined ? { ...handedOn, ...env } : env }
      : {}),
    ...(hasFaultyHeaders ? { headers: http_headers } : { headers }),
  }
}

/** `env_vars` lists names, or `{ name, source }`. */
const variablesIn = (listed: unknown): readonly string[] => [
  ...textsIn(listed),
  ...(Array.isArray(listed) ? listed : []).flatMap((one) =>
    isJsonObject(one) && typeof one.name === 'string' ? [one.name] : [],
  ),
]

/** Letters, digits and `_`: `sanitize_responses_api_tool_name` in codex-rs/codex-mcp of openai/codex, which hashes names beyond 64. */
const inLetters = (name: string): string => name.replace(/\W/g, '_')

export const codex: Host = {
  name: 'codex',
  title: 'Codex',
  files: [
    projectFile('settings', '.codex', 'config.toml'),
    userFile('settings', (user) =>
      joinOf(user)(user.env.CODEX_HOME || joinOf(user)(user.home, '.codex'), 'config.toml'),
    ),
  ],
  format: 'toml',
  dialect: codexDialect,
  writing: { key: under('mcp_servers'), entry: plainEntry, usual: 'user' },
  clients: ['codex'],
  toolName: atMost(64, (server, tool) => `mcp__${inLetters(server)}__${inLetters(tool)}`),
  isDesktop: false,
}
