import { resolve } from 'node:path'
import { type Discovery, discover } from '../catalog/discover.ts'
import type { McpServerEntry } from '../catalog/ports.ts'
import { printableLine } from '../domain/printable.ts'
import { askYesNo } from './ask.ts'
import { bundledCatalog } from './bundled-catalog.ts'
import type { Context } from './context.ts'
import { knownLocations } from './known-locations.ts'
import { plannedServers, serverTable } from './planned-servers.ts'
import { tableLines } from './table.ts'

/** What bears on which locations are read. */
export type LocationChoice = {
  /** Whether MCP servers may be started at all. */
  readonly harvest: boolean
  /** Whether they may be started without asking. */
  readonly yes: boolean
}

/**
 * What an index run reads when no source is named: what hosts have configured, what was indexed before, and the
 * bundled catalog. Says what it found and asks before any server of a configuration is started; configurations
 * whose servers were not allowed to start are left out, so that their old cards stay.
 */
export async function discoveredLocations(
  context: Context,
  choice: LocationChoice,
): Promise<readonly string[]> {
  const { terminal } = context
  const { cwd, home, platform } = terminal
  const found = discover({ cwd, home, platform, env: context.env })
  const audition = await context.audition()
  const ownPaths = new Set(bundledCatalog)
  const known = knownLocations(await audition.sources()).filter((location) => !ownPaths.has(location))
  const locations = [...new Set([...found.map(({ path }) => path), ...known])]

  if (found.length === 0) context.log('No configuration of an AI host found here or in your home folder.')
  else context.log('Found:', ...foundTable(found, context))
  const again = known.filter((location) => !found.some(({ path }) => path === location)).length
  if (again > 0)
    context.log(`Indexed before and read again: ${again === 1 ? '1 source' : `${again} sources`}.`)

  const servers = choice.harvest ? plannedServers(locations, cwd) : []
  const allowed = servers.length === 0 || (await mayStart(servers, choice, context))
  const withServers = new Set(servers.map(({ config }) => config))
  return [
    ...(allowed ? locations : locations.filter((path) => !withServers.has(resolve(cwd, path)))),
    ...bundledCatalog,
  ]
}

function foundTable(found: readonly Discovery[], { terminal }: Context): readonly string[] {
  const columns = [{ title: 'what' }, { title: 'scope' }, { title: 'path', least: 16 }]
  const rows = found.map(({ what, scope, path }) => [what, scope, path].map(printableLine))
  return tableLines(columns, rows, terminal.stderr)
}

async function mayStart(
  servers: readonly McpServerEntry[],
  { yes }: LocationChoice,
  context: Context,
): Promise<boolean> {
  const { terminal, signal } = context
  const count = servers.length === 1 ? '1 MCP server' : `${servers.length} MCP servers`
  context.log(
    '',
    `To list its tools, a server must be started. These are configured:`,
    ...serverTable(servers, terminal.stderr),
  )
  if (yes) return true
  const answer = await askYesNo(`Start ${count} now?`, terminal, signal)
  if (answer === true) return true
  context.log(
    answer === null
      ? `Not started, for nobody can be asked here: add --yes to start them, or name their configuration.`
      : `Not started. Name one configuration to start only its servers: audition index <file>`,
  )
  return false
}
