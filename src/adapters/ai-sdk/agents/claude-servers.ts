import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentCard } from '../../../domain/card.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { McpServerEntry } from '../../../domain/runtime.ts'
import { readHostEntry } from '../../../hosts/entry.ts'
import { inWords } from '../../../hosts/host.ts'
import { serversAt } from '../../../hosts/servers-at.ts'
import { claudeUserConfig } from '../../../hosts/surroundings.ts'
import { RuntimeError } from '../../../probing/ports.ts'
import { checkedEntry } from '../../mcp-client/checked-entry.ts'
import { expandLaunch } from '../../mcp-client/expand-environment.ts'
import type { VariableSources } from '../../processes/expand-variables.ts'

/** The MCP servers that a sub-agent has in Claude Code, as far as it names them. */
export type ClaudeServers = {
  readonly servers: readonly { readonly entry: McpServerEntry }[]
  /** Its MCP tools, as Claude Code is told to allow them: `mcp__clock__now`, or `mcp__clock` for all of a server. */
  readonly allowed: readonly string[]
  /** Tools and servers that it has there, and cannot have here. */
  readonly missing: readonly string[]
}

/** A sub-agent as its file says it. */
type NamedTools = Pick<AgentCard, 'tools' | 'servers'> & {
  readonly file: string
  readonly details?: { readonly [key: string]: string }
}

/**
 * Finds the servers of the tools that a sub-agent names: in its own file, in the `.mcp.json` of its project and in what the user
 * gave Claude Code. One that Claude Code would not start is none. Nothing is started.
 */
export function claudeServersOf(agent: NamedTools, settings: VariableSources): ClaudeServers {
  const known = entriesAround(agent, settings).filter(({ disabled }) => !disabled)
  const wholeServers = [
    ...Object.keys(agent.servers ?? {}),
    ...String(agent.details?.mcpServers ?? '')
      .split(', ')
      .filter(Boolean),
  ].map((name) => `mcp__${inWords(name)}`)
  const wanted = [
    ...agent.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__')),
    ...wholeServers,
  ]
  const entries = new Set<McpServerEntry>()
  const [allowed, missing]: [string[], string[]] = [[], []]
  for (const tool of new Set(wanted)) {
    const entry = known.find(({ name, key = name }) => {
      const server = `mcp__${inWords(key)}`
      return tool === server || tool.startsWith(`${server}__`)
    })
    // What is no plain name could allow more: the list takes spaces between names, too.
    if (entry === undefined || !/^[\w*-]+$/.test(tool) || !canStart(entry, settings)) missing.push(tool)
    else {
      entries.add(entry)
      allowed.push(tool)
    }
  }
  // Without a list of tools it has all of its host: servers that nobody named for it are not started here.
  const others = agent.tools.length > 0 ? [] : known.filter((entry) => !entries.has(entry))
  return {
    servers: Array.from(entries, (entry) => ({ entry })),
    allowed,
    missing: [...missing, ...others.map(({ key, name }) => `mcp__${inWords(key ?? name)}`)],
  }
}

function entriesAround(
  { file, servers = {} }: NamedTools,
  { environment }: VariableSources,
): readonly McpServerEntry[] {
  const user = { home: environment.HOME ?? homedir(), platform: process.platform, env: environment }
  const [, project] = /^(.*)[\\/]\.claude[\\/]agents[\\/]/.exec(file) ?? []
  const own = Object.entries(servers as JsonObject).flatMap(([name, fields]) => {
    const read = readHostEntry(fields as JsonObject)
    return read.kind === 'launch' ? [{ name, config: file, disabled: false, launch: read.launch }] : []
  })
  const ofUser = serversAt(claudeUserConfig(user), user).filter(
    ({ projects }) => projects === undefined || (project !== undefined && projects.includes(project)),
  )
  return [...own, ...(project === undefined ? [] : serversAt(join(project, '.mcp.json'), user)), ...ofUser]
}

function canStart(entry: McpServerEntry, settings: VariableSources): boolean {
  try {
    checkedEntry(entry, settings)
    return true
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error
    return false
  }
}

/** Writes what `--mcp-config` takes, for the user alone. A server starts in the folder that its configuration speaks for. */
export async function writeClaudeServers(
  path: string,
  servers: ClaudeServers['servers'],
  { environment, catalogFolder }: VariableSources,
): Promise<void> {
  const written = servers.map(({ entry }) => {
    const { launch } = expandLaunch(entry, environment, catalogFolder)
    const name = inWords(entry.key ?? entry.name)
    if (launch.transport !== 'stdio') {
      const type = launch.transport === 'sse' ? 'sse' : 'http'
      return [name, { type, url: launch.url, headers: launch.headers }] as const
    }
    const { command, args, env, cwd = dirname(entry.config) } = launch
    const inFolder =
      process.platform === 'win32'
        ? { command, args }
        : { command: '/bin/sh', args: ['-c', 'cd "$0" && exec "$@"', cwd, command, ...args] }
    return [name, { type: 'stdio', ...inFolder, env }] as const
  })
  await writeFile(path, JSON.stringify({ mcpServers: Object.fromEntries(written) }), { mode: 0o600 })
}
