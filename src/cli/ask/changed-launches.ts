import { launchChange } from '../../indexing/asking/asked-server.ts'
import type { LaunchDifference } from '../../trust/launches/bound-launch.ts'
import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import { openSources } from '../../indexing/open-sources.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { type Context, hostUser } from '../context.ts'
import { filesOnly } from './planned-servers.ts'

/** A server whose launch is another one than somebody agreed to. */
type ChangedLaunch = {
  readonly source: string
  readonly location: string
  readonly entry: McpServerEntry
  readonly change: LaunchDifference
}

/** The servers of the index whose launches changed since somebody agreed to start them. Starts nothing. */
export async function changedLaunches(context: Context): Promise<readonly ChangedLaunch[]> {
  const audition = await context.audition()
  const [states, launchOf] = await Promise.all([
    audition.sources().catch((error: unknown) => {
      if (error instanceof NoIndexError) return []
      throw error
    }),
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
