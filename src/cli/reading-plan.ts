import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundledCatalog, bundledWord, isBundledLocation } from '../catalog/bundled/bundled-parts.ts'
import { type Discovery, discover } from '../hosts/discover.ts'
import type { Harvesting } from '../catalog/index-report.ts'
import type { McpServerEntry } from '../catalog/ports.ts'
import { countOf } from '../domain/count-of.ts'
import { printableLine } from '../domain/printable.ts'
import { askYesNo } from './ask.ts'
import { type Context, hostUser } from './context.ts'
import { knownLocations } from './known-locations.ts'
import { plannedServers, serverTable } from './planned-servers.ts'
import { tableLines } from './table.ts'
import { UsageError } from './usage-error.ts'

/** What an index run reads, and whether it may start the MCP servers it meets. */
export type ReadingPlan = {
  readonly locations: readonly string[]
  /** Those of them that nobody named. @defaultValue none */
  readonly found?: readonly string[]
  readonly harvest: Harvesting
}

/** What a person allowed beforehand. */
export type Consent = {
  /** Whether MCP servers may be started at all. */
  readonly harvest: boolean
  /** Whether those that were found, not named, may be started without asking. */
  readonly yes: boolean
}

/**
 * Reads what was named. The servers of a configuration that was named are announced and started; those of a
 * configuration that only lies in a folder may be anybody's, so a person is asked.
 */
export async function namedPlan(
  words: readonly string[],
  consent: Consent,
  context: Context,
): Promise<ReadingPlan> {
  const { cwd, stderr } = context.terminal
  const locations = words.flatMap((word) => locationsOf(word, cwd))
  if (!consent.harvest) return { locations, harvest: 'unwanted' }
  const { ofFiles, ofFolders } = await plannedServers(locations, hostUser(context), context.signal)
  if (ofFiles.length > 0) {
    context.log(
      'Starting these MCP servers to list their tools:',
      ...serverTable(ofFiles, stderr),
      ...(await heldBy(ofFiles, context)),
    )
  }
  return { locations, harvest: (await mayStart(ofFolders, consent, context)) ? 'allowed' : 'refused' }
}

/** @throws UsageError when a word is the name of the bundled catalog and of a file here */
function locationsOf(word: string, cwd: string): readonly string[] {
  if (word === bundledWord) {
    if (!existsSync(resolve(cwd, word))) return bundledCatalog
    throw new UsageError(
      `"${word}" is the catalog that ships with Audition, and there is a file or folder of that name here. Say which: ${word}: or ./${word}`,
    )
  }
  if (word === `${bundledWord}:`) return bundledCatalog
  return [/^https?:/iu.test(word) || isBundledLocation(word) ? word : resolve(cwd, word)]
}

/**
 * Reads what hosts have configured, what was indexed before, and the bundled catalog where it is wanted. Says what it found and asks
 * before any server is started that is not ours; configurations whose servers were not allowed to start are left
 * out, so that their old cards stay.
 */
export async function discoveredPlan(consent: Consent, context: Context): Promise<ReadingPlan> {
  const found = discover({ ...hostUser(context), cwd: context.terminal.cwd })
  const audition = await context.audition()
  const known = knownLocations(await audition.sources())
  const locations = [...new Set([...found.map(({ path }) => path), ...known])]

  if (found.length === 0) context.log('No configuration of an AI host found here or in your home folder.')
  else context.log('Found:', ...foundTable(found, context))
  const again = locations.length - found.length
  if (again > 0) {
    context.log(`Indexed before and read again: ${countOf(again, 'source')}.`)
  }
  const withOurs = (places: readonly string[]) => {
    const all = [...places, ...bundledCatalog]
    return { locations: all, found: all }
  }
  if (!consent.harvest) return { ...withOurs(locations), harvest: 'unwanted' }

  const { ofFiles, ofFolders } = await plannedServers(locations, hostUser(context), context.signal)
  if (await mayStart([...ofFiles, ...ofFolders], consent, context)) {
    return { ...withOurs(locations), harvest: 'allowed' }
  }
  const refused = new Set(ofFiles.map(({ config }) => resolve(config)))
  const files = locations.filter((location) => !refused.has(resolve(location)))
  return { ...withOurs(files), harvest: ofFolders.length === 0 ? 'allowed' : 'refused' }
}

function foundTable(found: readonly Discovery[], { terminal }: Context): readonly string[] {
  const columns = [{ title: 'what' }, { title: 'scope' }, { title: 'path', least: 16 }]
  const rows = found.map(({ what, scope, path }) => [what, scope, path].map(printableLine))
  return tableLines(columns, rows, terminal.stderr)
}

/** What holds the servers that are processes while they run. */
async function heldBy(servers: readonly McpServerEntry[], context: Context): Promise<readonly string[]> {
  if (!servers.some(({ launch }) => launch.transport === 'stdio')) return []
  const { within } = await (await context.audition()).containment()
  return [`Held by: ${printableLine(within)}`]
}

/** Shows servers that nobody named and asks whether they may be started; none may always. */
async function mayStart(
  servers: readonly McpServerEntry[],
  { yes }: Consent,
  context: Context,
): Promise<boolean> {
  if (servers.length === 0) return true
  const { terminal, signal } = context
  const count = countOf(servers.length, 'MCP server')
  context.log(
    '',
    'To list its tools, a server must be started. These are configured:',
    ...serverTable(servers, terminal.stderr),
    ...(await heldBy(servers, context)),
  )
  if (yes) return true
  const answer = await askYesNo(`Start ${count} now?`, terminal, signal)
  if (answer === true) return true
  context.log(
    answer === null
      ? 'Not started, for nobody can be asked here: add --yes to start them, or name their configuration.'
      : 'Not started. Name one configuration to start only its servers: audition index <file>',
  )
  return false
}
