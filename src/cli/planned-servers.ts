import { resolve } from 'node:path'
import { displayOf } from '../catalog/launch-display.ts'
import { isOwnEntry } from '../catalog/own-entry.ts'
import type { McpServerEntry } from '../catalog/ports.ts'
import { hostConfig } from '../catalog/readers/host-config.ts'
import { DocumentError, openDocument } from '../catalog/source-document.ts'
import { printableLine } from '../domain/printable.ts'
import { tableLines } from './table.ts'
import type { Output } from './terminal.ts'

/**
 * The MCP servers that an index run would start: those that the host configurations among the locations name.
 * Nothing is started here. A file that cannot be read has none here;
 * the index run reports why.
 */
export function plannedServers(locations: readonly string[], cwd: string): readonly McpServerEntry[] {
  return locations.flatMap((location) => {
    if (/^https?:/iu.test(location)) return []
    try {
      const document = openDocument(resolve(cwd, location))
      return hostConfig.recognises(document) ? hostConfig.read(document).servers.filter(isStarted) : []
    } catch (error) {
      if (error instanceof DocumentError) return []
      throw error
    }
  })
}

/** A server that is switched off, or that is Audition itself, is never started. */
const isStarted = (entry: McpServerEntry): boolean => !entry.disabled && !isOwnEntry(entry)

/** Servers as a table: name, what is started or reached (secrets masked), and the configuration that says so. */
export function serverTable(servers: readonly McpServerEntry[], output: Output): readonly string[] {
  const columns = [
    { title: 'server', paint: output.paint.cyan },
    { title: 'starts', least: 16 },
    { title: 'configured in', least: 16 },
  ]
  const rows = servers.map(({ name, launch, config }) => [name, displayOf(launch), config].map(printableLine))
  return tableLines(columns, rows, output)
}
