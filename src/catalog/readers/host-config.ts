import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { isSurelyEntry, looksLikeEntry, readHostEntry } from '../host-entry.ts'
import { fileName } from '../path-names.ts'
import type { McpServerEntry, Problem, Reader, SourceDocument } from '../ports.ts'
import { textsOf } from '../published-fields.ts'

/**
 * Reads the MCP servers that a host has configured: `mcpServers` (Claude, Cursor and most others), `servers` or
 * `mcp.servers` (VS Code), Claude Code's `projects`, or a bare map. Gives entries to harvest, no cards; nothing is
 * started or expanded here, and no value of an entry is ever repeated in a problem.
 */
export const hostConfig: Reader = {
  name: 'host-config',
  describes:
    'MCP servers of hosts: .mcp.json, claude_desktop_config.json, .vscode/mcp.json, Cursor and others (JSON)',
  grain: 'catalog',
  recognises(document) {
    if (!/"(?:mcpServers|servers|mcp\.servers|command|url|httpUrl|serverUrl)"/.test(document.text))
      return false
    const config = document.json()
    return isJsonObject(config) && serverMapsOf(config, document.path).length > 0
  },
  read(document) {
    const config = document.json()
    const reading: Reading = { document, servers: [], problems: [] }
    for (const map of isJsonObject(config) ? serverMapsOf(config, document.path) : []) readMap(reading, map)
    return { cards: [], servers: reading.servers, problems: reading.problems }
  },
}

/** A map of servers inside a configuration. */
type ServerMap = {
  /** Path of the map, empty for a bare one. */
  readonly path: string
  readonly servers: JsonObject
  /** The folder the servers belong to, where a user's configuration keeps them by project. */
  readonly project?: string
  /** Names that are switched off elsewhere in the configuration. */
  readonly switchedOff: readonly string[]
}

type Reading = {
  readonly document: SourceDocument
  readonly servers: McpServerEntry[]
  readonly problems: Problem[]
}

function serverMapsOf(config: JsonObject, path: string): readonly ServerMap[] {
  const maps = [...namedMapsOf(config, path), ...projectMapsOf(config)]
  if (maps.length > 0) return maps
  return areServers(config, path, 'every') ? [{ path: '', servers: config, switchedOff: [] }] : []
}

function namedMapsOf(config: JsonObject, path: string): readonly ServerMap[] {
  const mcp = isJsonObject(config.mcp) ? config.mcp : {}
  const isVsCode = Array.isArray(config.inputs) || areServers(config.servers, path, 'some')
  const places: readonly (readonly [string, unknown])[] = [
    ['mcpServers', config.mcpServers],
    ['servers', isVsCode ? config.servers : undefined],
    ['mcp.servers', config['mcp.servers'] ?? mcp.servers],
  ]
  return places.flatMap(([name, servers]) =>
    isJsonObject(servers) ? [{ path: name, servers, switchedOff: [] }] : [],
  )
}

/**
 * Whether a map that no word of its own marks holds MCP servers. Servers are started to be asked, so a file that
 * merely looks alike must not be taken: either the file's name or the entries themselves say what they are.
 */
function areServers(servers: unknown, path: string, share: 'some' | 'every'): boolean {
  if (!isJsonObject(servers)) return false
  const entries = Object.values(servers)
  if (/mcp/i.test(fileName(path))) {
    const isEmpty = entries.length === 0 && share === 'some'
    return isEmpty || (entries.some(looksLikeEntry) && (share === 'some' || entries.every(isJsonObject)))
  }
  return entries.length > 0 && entries[share](isSurelyEntry)
}

/** Claude Code keeps the servers of each project in the user's `~/.claude.json`. */
function projectMapsOf(config: JsonObject): readonly ServerMap[] {
  if (!isJsonObject(config.projects)) return []
  return Object.entries(config.projects).flatMap(([project, settings]) => {
    if (!isJsonObject(settings) || !isJsonObject(settings.mcpServers)) return []
    const switchedOff = textsOf(settings.disabledMcpServers)
    return [{ path: `projects.${project}.mcpServers`, servers: settings.mcpServers, project, switchedOff }]
  })
}

function readMap(reading: Reading, map: ServerMap): void {
  for (const [name, entry] of Object.entries(map.servers)) {
    const path = map.path === '' ? name : `${map.path}.${name}`
    if (!isJsonObject(entry)) {
      reading.problems.push(
        problem(
          reading,
          path,
          'the server is not an object',
          'Write it as { "command": … } or { "url": … }.',
        ),
      )
      continue
    }
    const read = readHostEntry(entry)
    if (read.kind === 'malformed') {
      const field = read.field === '' ? path : `${path}.${read.field}`
      reading.problems.push(problem(reading, field, read.message, read.remedy))
      continue
    }
    if (entry.envFile !== undefined) reading.problems.push(envFileUnread(reading, path))
    const disabled = entry.disabled === true || entry.enabled === false || map.switchedOff.includes(name)
    add(reading, map, { name, config: reading.document.path, disabled, launch: read.launch })
  }
}

/** Adds an entry under a name of its own; one that a project merely repeats is there already. */
function add({ servers }: Reading, { project }: ServerMap, entry: McpServerEntry): void {
  const found = servers.filter(({ name }) => name === entry.name)
  if (found.length === 0) servers.push(inProject(entry, project))
  else if (!found.some((other) => isSame(other, entry))) {
    servers.push({ ...inProject(entry, project), name: freeName(servers, entry.name, project) })
  }
}

/** A project's server runs in the project's folder. */
function inProject(entry: McpServerEntry, project: string | undefined): McpServerEntry {
  const { launch } = entry
  if (project === undefined || launch.transport !== 'stdio' || launch.cwd !== undefined) return entry
  return { ...entry, launch: { ...launch, cwd: project } }
}

function freeName(servers: readonly McpServerEntry[], name: string, project: string | undefined): string {
  const base = project === undefined ? name : `${name}@${fileName(project)}`
  let free = base
  for (let number = 2; servers.some((server) => server.name === free); number += 1) free = `${base}-${number}`
  return free
}

/** Whether two entries start the same thing. A relative path is another file in another folder. */
function isSame(one: McpServerEntry, other: McpServerEntry): boolean {
  const bare = ({ launch }: McpServerEntry) =>
    JSON.stringify(launch.transport === 'stdio' ? [launch.command, launch.args, launch.env] : launch)
  return bare(one) === bare(other) && !/"\.{1,2}[\\/]/.test(bare(one)) && one.disabled === other.disabled
}

const problem = ({ document }: Reading, field: string, message: string, remedy: string): Problem => ({
  severity: 'error',
  file: document.label,
  field,
  message,
  remedy,
})

const envFileUnread = (reading: Reading, path: string): Problem => ({
  ...problem(
    reading,
    `${path}.envFile`,
    'environment files are not read',
    'Export the variables before indexing, or name them in "env".',
  ),
  severity: 'warning',
})
