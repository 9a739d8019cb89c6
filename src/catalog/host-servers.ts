import { isJsonObject } from '../domain/json.ts'
import { isPluginList, serversOfPlugins } from '../hosts/known/claude-plugins.ts'
import { rejectionsOf } from '../hosts/rejections-of.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import type { ReadResult, SourceDocument } from './ports.ts'
import { hostConfig } from './readers/host-config.ts'

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
  const { fileThatRejects, problems } = rejectionsOf(document.path, user)
  const servers = result.servers.map((entry) => {
    const disabledIn = fileThatRejects(entry.name)
    return disabledIn === undefined || entry.disabled ? entry : { ...entry, disabled: true, disabledIn }
  })
  return { ...result, servers, problems: [...result.problems, ...problems] }
}
