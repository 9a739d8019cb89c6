import { readHostEntry } from '../../../hosts/entry.ts'
import { displayOf } from '../../../catalog/server-entries.ts'
import type { LaunchPart } from '../../../trust/launches/bound-launch.ts'
import type { McpServerEntry } from '../../../catalog/ports.ts'
import type { Profile } from '../../../catalog/formats/capability-profile.ts'
import type { JsonObject } from '../../../domain/json.ts'
import { assertUsable } from '../../../probing/run/plan-launch.ts'
import { type Launch, RuntimeError } from '../../../probing/ports.ts'
import { boundEntry, checkedEntry } from '../../mcp-client/checked-entry.ts'
import { knownValuesOf, permitOf } from '../../mcp-client/connect-server.ts'
import { expandLaunch } from '../../mcp-client/expand-environment.ts'
import { type Containment, defaultContainment, describeContainment } from '../../processes/sandbox/sandbox.ts'
import type { VariableSources } from '../../processes/expand-variables.ts'

/** A server of a profile, and which of its tools the agent gets. */
export type WantedServer = {
  readonly entry: McpServerEntry
  /** Names; null for all of them. */
  readonly tools: readonly string[] | null
}

/** What a profile wants attached. */
export type WantedTools = {
  readonly servers: readonly WantedServer[]
  /** Tools that it names and that none of its servers has. */
  readonly unattached: readonly string[]
}

/**
 * The servers of a profile: of each the tools that the profile names for it, else those its entry allows, else all. Nothing
 * is started; what can be known beforehand to be missing is found.
 *
 * @throws RuntimeError when an entry cannot be used, a variable is not set or a command is not there
 */
export function wantedTools(
  file: string,
  profile: Pick<Profile, 'servers' | 'tools'>,
  settings: VariableSources,
): WantedTools {
  const servers = Object.entries(profile.servers).map(([name, fields]) => {
    const entry = checkedEntry(entryOf(file, name, fields as JsonObject), settings)
    const named = profile.tools.filter(({ server }) => server === name).map((tool) => tool.name)
    return { entry, tools: named.length > 0 ? named : listed(fields.tools) }
  })
  const unattached = profile.tools.filter(({ server }) => server === undefined).map(({ name }) => name)
  return { servers, unattached }
}

/** For people: `text (node text.js), arithmetic (https://...)`. */
export const displayOfServers = (servers: readonly WantedServer[]): string =>
  servers.map(({ entry }) => `${entry.name} (${displayOf(entry.launch)})`).join(', ')

/** The permits of servers that an agent starts, and what each stands for. */
export const permitsOfServers = (
  servers: readonly Pick<WantedServer, 'entry'>[],
  settings: VariableSources,
): Pick<Launch, 'needs'> & Required<Pick<Launch, 'binds'>> => ({
  needs: servers.map(({ entry }) => permitOf(entry)),
  binds: Object.fromEntries(servers.map(({ entry }) => [permitOf(entry), boundEntry(entry, settings)])),
})

/** Values that the launches of these servers fill in and that must not be kept. */
export const secretsOfServers = (
  servers: readonly Pick<WantedServer, 'entry'>[],
  { environment, catalogFolder }: VariableSources,
): readonly string[] =>
  servers.flatMap(({ entry }) => knownValuesOf(expandLaunch(entry, environment, catalogFolder)).inAnswers)

/** Which tools an agent gets of each server that its file attaches. */
export const toolParts = (servers: readonly WantedServer[]): readonly LaunchPart[] =>
  servers.map(({ entry, tools }) => ({
    name: `tools of ${entry.name}`,
    exact: JSON.stringify(tools),
    shown: tools === null ? 'all' : tools.join(', '),
  }))

/**
 * What holds the servers that are processes, for a launch; nothing where there are none.
 *
 * @throws RuntimeError when the sandbox cannot be used
 */
export async function withinOf(
  servers: readonly WantedServer[],
  permit: string,
  { containment = defaultContainment }: { readonly containment?: Containment },
): Promise<Pick<Launch, 'within'>> {
  if (!servers.some(({ entry }) => entry.launch.transport === 'stdio')) return {}
  await assertUsable(containment)
  return { within: describeContainment(containment, permit) }
}

function entryOf(file: string, name: string, fields: JsonObject): McpServerEntry {
  const read = readHostEntry(fields)
  if (read.kind === 'launch' && !/[\r\n]/.test(name)) {
    return { name, config: file, disabled: false, launch: read.launch }
  }
  const what = read.kind === 'malformed' ? read.message : 'its name has a line break'
  const remedy = read.kind === 'malformed' ? read.remedy : 'Give it a name on one line.'
  throw new RuntimeError(`${file}: server "${name}": ${what}`, remedy)
}

/** The `tools` of an entry, as hosts write it: a list of names, or `*`. */
function listed(tools: string | readonly string[] | undefined): readonly string[] | null {
  const names = typeof tools === 'string' ? [tools] : tools
  return names === undefined || names.length === 0 || names.includes('*') ? null : names
}
