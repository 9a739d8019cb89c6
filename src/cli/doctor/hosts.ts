import pLimit from 'p-limit'
import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import { hostConfig, readHostServers } from '../../catalog/readers/host-config.ts'
import { isOfOtherProject, isOfUser } from '../../indexing/server-sources.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { DocumentError, openDocument } from '../../catalog/source-document.ts'
import { filesOnly } from '../../indexing/planned-servers.ts'
import { type Context, hostUser } from '../context.ts'
import type { Check, Diagnosis } from './check.ts'
import { differenceText } from '../render/text.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { isTomlPath, readConfig } from '../../hosts/config-text.ts'
import { type Discovery, discover } from '../../hosts/discover.ts'
import type { Host } from '../../hosts/host.ts'
import { isPluginList } from '../../hosts/claude-plugins.ts'
import { isOwnEntry } from '../../hosts/own-entry.ts'
import type { HostUser } from '../../hosts/surroundings.ts'
import { launchChange } from '../../indexing/server-turn.ts'
import { openSources } from '../../indexing/open-sources.ts'
import { noneWithoutIndex } from '../errors.ts'
import type { LaunchDifference } from '../../trust/launches/bound-launch.ts'

/** MCP servers that are started at the same time. */
export const serversAtOnce = 4

/** Whether the configurations of AI hosts can be read: a line for each. */
export const hostConfigs: Check = {
  name: 'hosts',
  async run(context) {
    const configs = configurations(context)
    if (configs.length > 0) return configs.flatMap(({ findings }) => findings)
    return [
      {
        state: 'warn',
        message: 'no configuration of an AI host found here or in your home folder',
        remedy: 'Run `audition init` for the block to put into yours.',
      },
    ]
  },
}

/** Whether every configured MCP server starts and lists its tools; one of a project's file whose launch changed is not started. */
export const mcpServers: Check = {
  name: 'mcp servers',
  async run(context, { servers: start, timeoutMs }) {
    const place = { cwd: context.terminal.cwd, user: hostUser(context), named: [] }
    const servers = configurations(context)
      .flatMap((one) => one.servers)
      .filter((one) => !one.disabled && !isOwnEntry(one) && !isOfOtherProject(one, place))
    if (servers.length === 0) return []
    if (!start) {
      return [
        {
          state: 'ok',
          message: `${servers.length} configured, not tried`,
          remedy: '--servers starts each to see if it answers.',
        },
      ]
    }
    const audition = await context.audition()
    const user = hostUser(context)
    const changed = new Set((await changedLaunches(context)).map(({ location }) => location))
    const isAnother = ({ name, config }: McpServerEntry): boolean =>
      changed.has(`${config}#${name}`) && !isOfUser(config, user)
    const limit = pLimit(serversAtOnce)
    return Promise.all(
      servers.map((entry) =>
        isAnother(entry)
          ? notTried(entry)
          : limit(() => tried(() => audition.tryServer(entry, timeoutMs, context.signal), entry)),
      ),
    )
  },
}

const notTried = ({ name, config }: McpServerEntry): Diagnosis => ({
  state: 'warn',
  message: `"${name}" of ${config} was not started: it changed since you agreed to start it`,
  remedy: `\`audition index ${config}#${name}\` shows how, and asks again.`,
})

async function tried(
  attempt: () => Promise<{ readonly tools: readonly unknown[] }>,
  { name, config }: McpServerEntry,
): Promise<Diagnosis> {
  try {
    const { tools } = await attempt()
    return { state: 'ok', message: `"${name}" answers with ${countOf(tools.length, 'tool')}` }
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error
    const { message, remedy, output } = error
    const said = output === undefined ? {} : { output }
    return { state: 'fail', message: `"${name}" of ${config}: ${message}`, remedy, ...said }
  }
}

/** A configuration of a host that was found, its servers, and what is wrong with it. */
export type Configuration = {
  readonly path: string
  readonly host: Host
  readonly scope: 'project' | 'user'
  readonly servers: readonly McpServerEntry[]
  readonly findings: readonly Diagnosis[]
}

/** Every host configuration found. */
export function configurations(context: Context): readonly Configuration[] {
  const user = hostUser(context)
  return discover({ ...user, cwd: context.terminal.cwd })
    .filter(({ kind }) => kind === 'config') // agents and skills; `index` reads them
    .map((found) => configurationAt(found, user))
}

function configurationAt({ path, host, scope }: Discovery, user: HostUser): Configuration {
  const where = `${host.title}, ${path}`
  const about = { path, host, scope: scope === 'home' ? 'user' : 'project' } as const
  const unreadable = (message: string, remedy: string): Configuration => ({
    ...about,
    servers: [],
    findings: [{ state: 'fail', message: `${where}: ${message}`, remedy }],
  })
  try {
    const document = openDocument(path)
    const read = readConfig(path, document.text)
    if (read.kind === 'broken') {
      const language = isTomlPath(path) ? 'TOML' : 'JSON'
      return unreadable(`is not valid ${language}, line ${read.line}: ${read.reason}`, 'Mend its syntax.')
    }
    const { servers, problems } =
      hostConfig.recognises(document) || isPluginList(path, user)
        ? readHostServers(document, user)
        : { servers: [], problems: [] }
    const findings = problems.map(
      ({ severity, field, message, remedy }): Diagnosis => ({
        state: severity === 'error' ? 'fail' : 'warn',
        message: `${where}${field === undefined ? '' : ` ${field}`}: ${message}`,
        remedy,
      }),
    )
    const count: Diagnosis = { state: 'ok', message: `${where}: ${countOf(servers.length, 'MCP server')}` }
    return { ...about, servers, findings: [count, ...findings] }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return unreadable(error.problem.message, error.problem.remedy)
  }
}

/** A server whose launch is another one than somebody agreed to. */
type ChangedLaunch = {
  readonly source: string
  readonly location: string
  readonly entry: McpServerEntry
  readonly change: LaunchDifference
}

/** The servers of the index whose launches changed since somebody agreed to start them. Starts nothing. */
async function changedLaunches(context: Context): Promise<readonly ChangedLaunch[]> {
  const audition = await context.audition()
  const [states, launchOf] = await Promise.all([
    audition.sources().catch(noneWithoutIndex),
    audition.launchOf(),
  ])
  const changed: ChangedLaunch[] = []
  for (const { id, location, asked } of states) {
    if (asked === undefined || isBundledLocation(location)) continue
    const surroundings = { ...filesOnly, user: hostUser(context), launchOf }
    const { sources } = await openSources(location, surroundings, context.signal)
    for (const { server: entry, bound } of sources) {
      const change = bound === undefined ? undefined : launchChange(asked, bound)
      if (entry !== undefined && change !== undefined) changed.push({ source: id, location, entry, change })
    }
  }
  return changed
}

/** Whether what MCP servers start is what somebody agreed to: a line for each that is another program now. */
export const launches: Check = {
  name: 'launches',
  async run(context) {
    return (await changedLaunches(context)).map(
      ({ source, location, change }): Diagnosis => ({
        state: 'warn',
        message: `"${source}" changed since you agreed to start it, and is not asked for its tools: ${differenceText(change)}`,
        remedy: `Look at it; \`audition index ${location}\` asks again.`,
      }),
    )
  },
}
