import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { isTomlPath, readConfig } from '../../hosts/config-text.ts'
import { dialectOf, serversOf } from '../../hosts/read-servers.ts'
import type { Reader, SourceDocument, ReadResult } from '../ports.ts'
import { isPluginList, serversOfPlugins } from '../../hosts/claude-plugins.ts'
import { rejectionsOf } from '../../hosts/hosts.ts'
import { withRejections } from '../../hosts/servers-at.ts'
import type { HostUser } from '../../hosts/surroundings.ts'

/**
 * Reads the MCP servers that a host has configured, in whatever words the host has for them: see `src/hosts`. Gives
 * entries to harvest, no cards.
 */
export const hostConfig: Reader = {
  name: 'host-config',
  describes:
    'MCP servers of hosts: .mcp.json, Claude Desktop, VS Code, Cursor, Codex, Gemini CLI, Zed, opencode and others (JSON, TOML)',
  grain: 'catalog',
  recognises(document) {
    if (!words.test(document.text)) return false
    const config = configOf(document)
    return config !== undefined && dialectOf({ config, path: document.path }) !== undefined
  },
  read(document) {
    const config = configOf(document)
    if (config === undefined) return { cards: [], servers: [], problems: [] }
    return { cards: [], ...serversOf({ path: document.path, label: document.label, config }) }
  },
}

/** What every configuration has one of: a cheap look before the text is parsed. */
const words =
  /"(?:mcpServers|servers|mcp|mcp\.servers|context_servers|command|url|httpUrl|serverUrl)"|mcp_servers/

function configOf(document: SourceDocument): JsonObject | undefined {
  if (!isTomlPath(document.path)) {
    const value = document.json()
    return isJsonObject(value) ? value : undefined
  }
  const read = readConfig(document.path, document.text)
  return read.kind === 'read' ? read.config : undefined
}

/**
 * The servers of a host's configuration, those that another file of that host switches off too. Everything that may start
 * a server reads it through this.
 *
 * @param user - whose choices count; without one those of the project alone do
 */
export function readHostServers(document: SourceDocument, user: HostUser | undefined): ReadResult {
  const list = isPluginList(document.path, user) ? document.json() : undefined
  if (isJsonObject(list)) return { cards: [], ...serversOfPlugins(document.path, list, user!) }
  const result = hostConfig.read(document)
  if (result.servers.length === 0) return result
  const rejections = rejectionsOf(document.path, user)
  const servers = withRejections(result.servers, rejections)
  return { ...result, servers, problems: [...result.problems, ...rejections.problems] }
}
