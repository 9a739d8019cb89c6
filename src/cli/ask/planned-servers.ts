import { resolve } from 'node:path'
import { displayOf } from '../../catalog/server-entries.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import { askLine } from './ask.ts'
import { tableLines } from '../render/table.ts'
import type { Output, Terminal } from '../terminal.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { launchChange, serverTurn } from '../../indexing/server-turn.ts'
import type { BoundLaunch, LaunchDifference } from '../../trust/launches/bound-launch.ts'
import { isEntryDeclined } from '../../indexing/read-source.ts'
import { openSources } from '../../indexing/open-sources.ts'
import type { OpenSource, Surroundings } from '../../indexing/open-source.ts'
import { isOfOtherProject, isOfUser } from '../../indexing/server-sources.ts'
import type { SourceState } from '../../store/source-state.ts'
import type { SourceReview } from '../../store/source-review.ts'
import { distinct } from '../../indexing/source-ids.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { HostUser } from '../../hosts/surroundings.ts'

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
}

/**
 * The MCP servers that the host configurations at these files and folders name, and that are due: not those that answered or failed a
 * short while ago, nor those of another project. Nothing is started. A file that cannot be read has none here; the index run reports why.
 */
export async function plannedServers(question: PlanQuestion): Promise<readonly PlannedServer[]> {
  const { locations, how, cwd, user, launchOf, states, reviews, signal, ...wanted } = question
  const sources: OpenSource[] = []
  for (const location of locations) {
    if (/^https?:/iu.test(location)) continue
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

/** Reads files and refuses to reach any further. */
export const filesOnly: Surroundings = {
  harvester: { harvest: () => Promise.reject(new Error('no server is started while planning')) },
  fetchDocument: () => Promise.reject(new Error('nothing is fetched while planning')),
  label: (path) => path,
}

/**
 * Servers as a table: name, what is started or reached (secrets masked), and the configuration that says so, numbered where a person
 * chooses among them. Nothing is cut: a person decides by it.
 */
export function serverTable(
  servers: readonly PlannedServer[],
  output: Output,
  { numbered }: { readonly numbered: boolean } = { numbered: false },
): readonly string[] {
  const columns = [
    ...(numbered ? [{ title: '#', align: 'right' } as const] : []),
    { title: 'server', paint: output.paint.cyan },
    { title: 'starts', least: 16, overflow: 'wrap' },
    { title: 'configured in', least: 16, overflow: 'wrap' },
  ] as const
  const rows = servers.map(({ entry: { name, launch, config } }, index) =>
    [...(numbered ? [String(index + 1)] : []), name, displayOf(launch), config].map(printableLine),
  )
  return tableLines(columns, rows, output)
}

/** What a person chose; null when nobody could be asked. */
type ServerChoice = {
  readonly start: readonly PlannedServer[]
  /** What they left out when they chose one by one: that is remembered. */
  readonly leave: readonly PlannedServer[]
} | null

/** Wrong answers after which nothing is started. */
const mostTries = 3

/**
 * Asks which of these servers may be started: all, none, or those of some numbers or names. An empty answer is none, and what was
 * not chosen from all is only not started now; what was left out one by one is said no to.
 */
export async function chooseServers(
  servers: readonly PlannedServer[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ServerChoice> {
  const question =
    servers.length === 1
      ? 'Start it now? yes / no [y/N]'
      : `Start ${countOf(servers.length, 'MCP server')} now? all / none / choose [a/N/c]`
  let answer = await askLine(question, terminal, signal)
  if (answer === null) return null
  for (let tried = 1; tried <= mostTries; tried += 1) {
    const word = answer.toLowerCase()
    if (word === '' || isWord(word, 'none') || isWord(word, 'no')) break
    if (isWord(word, 'all') || isWord(word, 'yes')) return { start: servers, leave: [] }
    if (!isWord(word, 'choose')) {
      const chosen = chosenOf(answer, servers)
      if ('chosen' in chosen) {
        const { chosen: start } = chosen
        return { start, leave: servers.filter((server) => !start.includes(server)) }
      }
      terminal.stderr.write(`There is no ${chosen.unknown}.\n`)
    }
    answer = (await askLine('Which ones? Numbers or names, as in 1 3-5 github:', terminal, signal)) ?? ''
  }
  return { start: [], leave: [] }
}

/** Whether it is the word, or how it begins. */
const isWord = (typed: string, word: string): boolean => typed !== '' && word.startsWith(typed)

/** The servers of `1 3-5 github`: numbers of the table, ranges of them, names. */
function chosenOf(
  answer: string,
  servers: readonly PlannedServer[],
): { readonly chosen: readonly PlannedServer[] } | { readonly unknown: string } {
  const chosen = new Set<PlannedServer>()
  for (const word of answer.split(/[\s,;]+/).filter((one) => one !== '')) {
    const named = servers.filter(({ entry }) => entry.name.toLowerCase() === word.toLowerCase())
    const [, from = '', to = from] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? []
    const numbered = from === '' ? [] : servers.slice(Number(from) - 1, Number(to))
    const isThere = Number(from) >= 1 && Number(to) <= servers.length && numbered.length > 0
    const found = named.length > 0 ? named : isThere ? numbered : []
    if (found.length === 0) return { unknown: word }
    for (const server of found) chosen.add(server)
  }
  return { chosen: servers.filter((server) => chosen.has(server)) }
}
