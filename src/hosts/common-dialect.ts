import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { type Dialect, mapAt, type ServerMap, textsIn } from './dialect.ts'
import { isSurelyEntry, looksLikeEntry, readHostEntry } from './entry.ts'

/**
 * What most hosts write: `mcpServers` (Claude, Cursor and many others), `servers` or `mcp.servers` (VS Code), Claude
 * Code's `projects`, or a bare map.
 */
export const commonDialect: Dialect = {
  isUsedIn: (config, path) => mapsOf(config, path).length > 0,
  maps: mapsOf,
  readEntry: readHostEntry,
}

function mapsOf(config: JsonObject, path: string): readonly ServerMap[] {
  const maps = [...namedMaps(config, path), ...projectMaps(config)]
  if (maps.length > 0) return maps
  return areServers(config, path, 'every') ? [{ path: '', servers: config }] : []
}

function namedMaps(config: JsonObject, path: string): readonly ServerMap[] {
  const isVsCode = Array.isArray(config.inputs) || areServers(config.servers, path, 'some')
  const dotted = config['mcp.servers']
  return [
    ...mapAt(config, ['mcpServers']),
    ...(isVsCode ? mapAt(config, ['servers']) : []),
    ...(isJsonObject(dotted)
      ? [{ path: 'mcp.servers', servers: dotted }]
      : mapAt(config, ['mcp', 'servers'])),
  ]
}

/**
 * Whether a map that no word of its own marks holds MCP servers. Servers are started to be asked, so a file that
 * merely looks alike must not be taken: either the file's name or the entries themselves say what they are.
 */
function areServers(servers: unknown, path: string, share: 'some' | 'every'): boolean {
  if (!isJsonObject(servers)) return false
  const entries = Object.values(servers)
  const name = path.split(/[\\/]/).at(-1) ?? ''
  if (/mcp/i.test(name)) {
    const isEmpty = entries.length === 0 && share === 'some'
    return isEmpty || (entries.some(looksLikeEntry) && (share === 'some' || entries.every(isJsonObject)))
  }
  return entries.length > 0 && entries[share](isSurelyEntry)
}

/** Claude Code keeps the servers of each project in the user's `~/.claude.json`. */
function projectMaps({ projects }: JsonObject): readonly ServerMap[] {
  return Object.entries(isJsonObject(projects) ? projects : {}).flatMap(([project, settings]) => {
    if (!isJsonObject(settings) || !isJsonObject(settings.mcpServers)) return []
    const off = textsIn(settings.disabledMcpServers)
    return [
      {
        path: `projects.${project}.mcpServers`,
        servers: settings.mcpServers,
        project,
        isOff: (name: string) => off.includes(name),
      },
    ]
  })
}
