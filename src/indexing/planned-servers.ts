import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { McpServerEntry } from '../catalog/ports.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import type { SourceReview } from '../store/source-review.ts'
import type { SourceState } from '../store/source-state.ts'
import type { BoundLaunch, LaunchDifference } from '../trust/launches/bound-launch.ts'
import type { OpenSource, SourceSurroundings } from './open-source.ts'
import { openSources } from './open-sources.ts'
import { isEntryDeclined } from './read-source.ts'
import { isOfOtherProject, isOfUser } from './server-sources.ts'
import { launchChange, serverTurn } from './server-turn.ts'
import { distinct } from './source-ids.ts'

/** An MCP server that an index run would start. */
export type PlannedServer = {
  readonly entry: McpServerEntry
  /** Binds what a person says of it to the launch that they saw. */
  readonly digest: string
  /** Whether its configuration is itself among the locations, or lies somewhere in a folder that is. */
  readonly place: 'file' | 'folder'
  /** What was said before: yes to this very launch, no to it, yes to another one, or nothing. */
  readonly said: 'agreed' | 'declined' | 'changed' | 'nothing'
  /** What is not the same since somebody said yes to another launch. */
  readonly change?: LaunchDifference
  /** Whether it stands in a file that only the user's own hosts write. */
  readonly isOfUser: boolean
}

/** What servers are looked for in, and what is known of them. */
type PlanQuestion = {
  readonly locations: readonly string[]
  /** Whether somebody named the locations, or they were found. */
  readonly how: 'named' | 'found'
  readonly cwd: string
  /** Whose choices in hosts count. */
  readonly user: HostUser
  /** What starting one would be. */
  readonly launchOf: (entry: McpServerEntry) => BoundLaunch
  readonly states: readonly SourceState[]
  readonly reviews: readonly SourceReview[]
  readonly refresh: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Told how many of the locations were looked at. */
  readonly onLooked?: (done: number) => void
}

/**
 * The MCP servers that the host configurations at these files and folders name, and that are due: not those that answered or failed a
 * short while ago, nor those of another project. Nothing is started. A file that cannot be read has none here; the index run reports why.
 */
export async function plannedServers(question: PlanQuestion): Promise<readonly PlannedServer[]> {
  const { locations, how, cwd, user, launchOf, states, reviews, signal, onLooked, ...wanted } = question
  const sources: OpenSource[] = []
  for (const [at, location] of locations.entries()) {
    if (/^https?:/iu.test(location) || (await namesNone(location, states))) continue
    // Opening may be work of the processor alone: whoever else waits for it has his turn.
    onLooked?.(at)
    await setImmediate()
    signal.throwIfAborted()
    const opened = await openSources(location, { ...filesOnly, user, launchOf }, signal)
    sources.push(...opened.sources.filter(({ isLive }) => isLive))
  }
  const place = { cwd, user, named: how === 'named' ? locations : [] }
  const files = new Set(locations.map((location) => resolve(location)))
  const request = { ...wanted, harvest: 'agreed', now: new Date() } as const
  return distinct(sources, states).flatMap(({ server: entry, bound, location }): PlannedServer[] => {
    if (entry === undefined || bound === undefined || isOfOtherProject(entry, place)) return []
    const { digest } = bound
    const state = states.find((one) => one.location === location)
    const isDeclined = isEntryDeclined(digest, reviews)
    const turn = serverTurn({ entry, bound }, state, { ...request, isDeclined })
    if (turn.kind === 'wait' || (turn.kind === 'leave' && turn.why === 'unchanged')) return []
    const change = launchChange(state?.asked, bound)
    const said =
      turn.kind === 'ask' ? 'agreed' : isDeclined ? 'declined' : change === undefined ? 'nothing' : 'changed'
    const isFile = files.has(resolve(entry.config)) || files.has(resolve(location))
    const known = { entry, digest, said, isOfUser: isOfUser(entry.config, user) } as const
    return [{ ...known, place: isFile ? 'file' : 'folder', ...(change === undefined ? {} : { change }) }]
  })
}

/** Clocks of file systems may be that coarse, in milliseconds. */
const tickMs = 2_000

/** Whether a file was read without a server in it, and is the same since: by the time that a system keeps of changes, which nobody sets. */
async function namesNone(location: string, states: readonly SourceState[]): Promise<boolean> {
  const of = states.filter(
    (state) => state.location === location || state.location.startsWith(`${location}#`),
  )
  const [state] = of
  if (of.length !== 1 || state?.location !== location || state.isLocationGuessed || state.failure)
    return false
  const file = await stat(location).catch(() => null)
  return file?.isFile() === true && file.ctimeMs + tickMs < Date.parse(state.indexedAt ?? '')
}

/** Reads files and refuses to reach any further. */
export const filesOnly: SourceSurroundings = {
  harvester: { harvest: () => Promise.reject(new Error('no server is started while planning')) },
  fetchDocument: () => Promise.reject(new Error('nothing is fetched while planning')),
  label: (path) => path,
}
