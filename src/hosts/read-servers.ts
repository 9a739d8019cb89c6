import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { McpServerEntry } from '../domain/runtime.ts'
import type { Problem } from '../domain/problem.ts'
import {
  type Dialect,
  mapAt,
  type ServerMap,
  textsIn,
  isSurelyEntry,
  looksLikeEntry,
  readHostEntry,
} from './entry.ts'
import { hosts } from './hosts.ts'

/**
 * What most hosts write: `mcpServers` (Claude, Cursor and many others), `servers` or `mcp.servers` (VS Code), Claude
 * Code's `projects`, or a bare map.
 */
const commonDialect: Dialect = {
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

/** A configuration that was parsed. */
type ParsedConfig = {
  /** Absolute path or URL. */
  readonly path: string
  /** How to name it to people. */
  readonly label: string
  readonly config: JsonObject
}

/** What a configuration says of servers. */
export type ServersOfConfig = {
  readonly servers: readonly McpServerEntry[]
  readonly problems: readonly Problem[]
}

/** How a configuration is written; undefined when it is none. */
export function dialectOf({ config, path }: Pick<ParsedConfig, 'config' | 'path'>): Dialect | undefined {
  const own = hosts.flatMap(({ dialect }) => dialect ?? [])
  return [...own, commonDialect].find((dialect) => dialect.isUsedIn(config, path))
}

/**
 * The servers of a configuration, in the words of whichever host. Nothing is started or expanded, and no value of an
 * entry is ever repeated in a problem.
 */
export function serversOf(parsed: ParsedConfig): ServersOfConfig {
  const dialect = dialectOf(parsed)
  if (dialect === undefined) return { servers: [], problems: [] }
  const reading: Reading = { ...parsed, dialect, servers: [], problems: [] }
  for (const map of dialect.maps(parsed.config, parsed.path)) readMap(reading, map)
  return { servers: reading.servers, problems: reading.problems }
}

type Reading = ParsedConfig & {
  readonly dialect: Dialect
  readonly servers: McpServerEntry[]
  readonly problems: Problem[]
}

function readMap(reading: Reading, map: ServerMap): void {
  for (const [name, entry] of Object.entries(map.servers)) {
    const field = map.path === '' ? name : `${map.path}.${name}`
    if (!isJsonObject(entry)) {
      const remedy = 'Write it as { "command": … } or { "url": … }.'
      report(reading, { severity: 'error', field, message: 'the server is not an object', remedy })
      continue
    }
    const read = reading.dialect.readEntry(entry)
    if (read.kind === 'elsewhere') {
      const { message, remedy } = read
      report(reading, { severity: 'warning', field, message, remedy })
    }
    if (read.kind === 'malformed') {
      const { message, remedy } = read
      const place = read.field === '' ? field : `${field}.${read.field}`
      report(reading, { severity: 'error', field: place, message, remedy })
    }
    if (read.kind !== 'launch') continue
    if (entry.envFile !== undefined) {
      const remedy = 'Export the variables before indexing, or name them in "env".'
      const message = 'environment files are not read'
      report(reading, { severity: 'warning', field: `${field}.envFile`, message, remedy })
    }
    const disabled = entry.disabled === true || entry.enabled === false || map.isOff?.(name) === true
    add(reading, map, { name, config: reading.path, disabled, launch: read.launch })
  }
}

const report = ({ problems, label }: Reading, { severity, ...fault }: Omit<Problem, 'file'>): void =>
  void problems.push({ severity, file: label, ...fault })

/** Adds an entry under a name of its own; one that a project merely repeats is there already. */
function add({ servers }: Reading, { project }: ServerMap, entry: McpServerEntry): void {
  const found = servers.filter(({ name }) => name === entry.name)
  const same = found.find((other) => isSame(other, entry))
  if (found.length === 0) servers.push(inProject(entry, project))
  else if (same === undefined)
    servers.push({
      ...inProject(entry, project),
      name: freeName(servers, entry.name, project),
      key: entry.name,
    })
  else servers[servers.indexOf(same)] = alsoIn(same, project)
}

/** The same entry once more: it belongs to that project too, or to all. */
function alsoIn({ projects, ...entry }: McpServerEntry, project: string | undefined): McpServerEntry {
  return project === undefined || projects === undefined
    ? entry
    : { ...entry, projects: [...projects, project] }
}

/** A project's server runs in the project's folder. */
function inProject(entry: McpServerEntry, project: string | undefined): McpServerEntry {
  if (project === undefined) return entry
  const { launch } = entry
  const own = { ...entry, projects: [project] }
  if (launch.transport !== 'stdio' || launch.cwd !== undefined) return own
  return { ...own, launch: { ...launch, cwd: project } }
}

function freeName(servers: readonly McpServerEntry[], name: string, project: string | undefined): string {
  const base = project === undefined ? name : `${name}@${project.split(/[\\/]/).at(-1)}`
  let free = base
  for (let number = 2; servers.some((server) => server.name === free); number += 1) free = `${base}-${number}`
  return free
}

/** Whether two entries start the same thing with the same variables. */
const isSame = (one: McpServerEntry, other: McpServerEntry): boolean =>
  startsSame(one, other) && variables(one) === variables(other) && one.disabled === other.disabled

const variables = ({ launch }: McpServerEntry): string =>
  JSON.stringify(launch.transport === 'stdio' ? launch.env : launch.headers)

/** Whether two entries name the same program or address. A relative path is another file in another folder. */
export function startsSame(one: McpServerEntry, other: McpServerEntry): boolean {
  const bare = ({ launch }: McpServerEntry) =>
    JSON.stringify(
      launch.transport === 'stdio' ? [launch.command, launch.args] : [launch.transport, launch.url],
    )
  return bare(one) === bare(other) && !/"\.{1,2}[\\/]/.test(bare(one))
}
