import { statSync } from 'node:fs'
import type { McpServerEntry } from '../domain/runtime.ts'
import { isJsonObject } from '../domain/json.ts'
import { settingsAt } from './config-text.ts'
import { rejectionsOf } from './hosts.ts'
import { isPluginList, serversOfPlugins } from './claude-plugins.ts'
import { serversOf } from './read-servers.ts'
import type { HostUser } from './surroundings.ts'

/** Entries, with those switched off that another file of their host rejects. */
export function withRejections(
  entries: readonly McpServerEntry[],
  { fileThatRejects }: Pick<ReturnType<typeof rejectionsOf>, 'fileThatRejects'>,
): readonly McpServerEntry[] {
  return entries.map((entry) => {
    const disabledIn = fileThatRejects(entry.name)
    return disabledIn === undefined || entry.disabled ? entry : { ...entry, disabled: true, disabledIn }
  })
}

type Known = { readonly stamp: string; readonly servers: readonly McpServerEntry[] }

/** What was read of files, as long as they are the same. */
const known = new Map<string, Known>()
const mostKnown = 200

/** The servers of a configuration; none where it is missing or broken. It is read again when it changed. */
export function serversAt(path: string, user: HostUser): readonly McpServerEntry[] {
  const stamp = stampOf(path)
  if (stamp === undefined) return []
  const before = known.get(path)
  if (before?.stamp === stamp) return withRejections(before.servers, rejectionsOf(path, user))
  const read = settingsAt(path)
  const config = read.kind === 'read' ? read.config : {}
  const { servers } =
    isPluginList(path, user) && isJsonObject(config)
      ? serversOfPlugins(path, config, user)
      : serversOf({ path, label: path, config })
  if (known.size >= mostKnown) known.clear()
  known.set(path, { stamp, servers })
  return servers.length === 0 ? servers : withRejections(servers, rejectionsOf(path, user))
}

/** Of a file that is another one when it changes; undefined without a file. */
function stampOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true ? `${found.mtimeMs} ${found.size} ${found.ino}` : undefined
}
