import { resolve } from 'node:path'
import type { HostUser } from '../hosts/surroundings.ts'
import { readHostServers } from '../catalog/host-servers.ts'
import { displayOf } from '../catalog/launch-display.ts'
import { openSources, type Surroundings } from '../catalog/open-sources.ts'
import { isOwnEntry } from '../hosts/own-entry.ts'
import type { McpServerEntry } from '../catalog/ports.ts'
import { DocumentError, openDocument } from '../catalog/source-document.ts'
import { printableLine } from '../domain/printable.ts'
import { tableLines } from './table.ts'
import type { Output } from './terminal.ts'

/** The MCP servers that an index run would start, by how a person came to name them. */
export type PlannedServers = {
  /** Of locations that are host configurations themselves. */
  readonly ofFiles: readonly McpServerEntry[]
  /** Of host configurations that lie somewhere in a folder among the locations. */
  readonly ofFolders: readonly McpServerEntry[]
}

/**
 * The MCP servers that the host configurations at these files and folders name. Nothing is started. A file that
 * cannot be read has none here; the index run reports why.
 *
 * @param user - whose choices in hosts count
 */
export async function plannedServers(
  locations: readonly string[],
  user: HostUser,
  signal: AbortSignal,
): Promise<PlannedServers> {
  const ofFiles: McpServerEntry[] = []
  const ofFolders: McpServerEntry[] = []
  for (const location of locations) {
    if (/^https?:/iu.test(location)) continue
    const { configs } = await openSources(location, filesOnly, signal)
    for (const config of configs) {
      const into = resolve(config) === resolve(location) ? ofFiles : ofFolders
      into.push(...startedOf(config, user))
    }
  }
  return { ofFiles, ofFolders }
}

/** Reads files and refuses to reach any further. */
const filesOnly: Surroundings = {
  harvester: { harvest: () => Promise.reject(new Error('no server is started while planning')) },
  fetchDocument: () => Promise.reject(new Error('nothing is fetched while planning')),
  label: (path) => path,
}

/** The servers of a configuration that would be started: not those switched off, and never Audition itself. */
function startedOf(config: string, user: HostUser): readonly McpServerEntry[] {
  try {
    const { servers } = readHostServers(openDocument(config), user)
    return servers.filter((entry) => !entry.disabled && !isOwnEntry(entry))
  } catch (error) {
    if (error instanceof DocumentError) return []
    throw error
  }
}

/**
 * Servers as a table: name, what is started or reached (secrets masked), and the configuration that says so. Nothing is
 * cut: a person decides by it.
 */
export function serverTable(servers: readonly McpServerEntry[], output: Output): readonly string[] {
  const columns = [
    { title: 'server', paint: output.paint.cyan },
    { title: 'starts', least: 16, overflow: 'wrap' },
    { title: 'configured in', least: 16, overflow: 'wrap' },
  ] as const
  const rows = servers.map(({ name, launch, config }) => [name, displayOf(launch), config].map(printableLine))
  return tableLines(columns, rows, output)
}
