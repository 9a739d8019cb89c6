import { readHostServers } from '../../catalog/host-servers.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { hostConfig } from '../../catalog/readers/host-config.ts'
import { DocumentError, openDocument } from '../../catalog/source-document.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { isTomlPath, readConfig } from '../../hosts/config-text.ts'
import { type Discovery, discover } from '../../hosts/discover.ts'
import type { Host } from '../../hosts/host.ts'
import { isPluginList } from '../../hosts/known/claude-plugins.ts'
import type { HostUser } from '../../hosts/surroundings.ts'
import { type Context, hostUser } from '../context.ts'
import type { Finding } from './check.ts'

/** A configuration of a host that was found, its servers, and what is wrong with it. */
export type Configuration = {
  readonly path: string
  readonly host: Host
  readonly scope: 'project' | 'user'
  readonly servers: readonly McpServerEntry[]
  readonly findings: readonly Finding[]
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
      ({ severity, field, message, remedy }): Finding => ({
        state: severity === 'error' ? 'fail' : 'warn',
        message: `${where}${field === undefined ? '' : ` ${field}`}: ${message}`,
        remedy,
      }),
    )
    const count: Finding = { state: 'ok', message: `${where}: ${countOf(servers.length, 'MCP server')}` }
    return { ...about, servers, findings: [count, ...findings] }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return unreadable(error.problem.message, error.problem.remedy)
  }
}
