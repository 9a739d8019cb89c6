import { claudeRejections } from './claude-rejections.ts'
import type { HostUser } from './host-paths.ts'
import type { ReadResult, SourceDocument } from './ports.ts'
import { hostConfig } from './readers/host-config.ts'

/**
 * The servers of a host's configuration, those that another file of that host switches off too. Everything that may start
 * a server reads it through this.
 *
 * @param user - whose choices count; without one those of the project alone do
 */
export function readHostServers(document: SourceDocument, user: HostUser | undefined): ReadResult {
  const result = hostConfig.read(document)
  if (result.servers.length === 0) return result
  const { files, problems } = claudeRejections(document.path, user)
  const servers = result.servers.map((entry) => {
    const disabledIn = files.get(entry.name)
    return disabledIn === undefined || entry.disabled ? entry : { ...entry, disabled: true, disabledIn }
  })
  return { ...result, servers, problems: [...result.problems, ...problems] }
}
