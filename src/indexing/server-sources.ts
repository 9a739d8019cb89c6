import { cardsOfHarvest } from '../catalog/harvest-cards.ts'
import type { McpServerEntry, Problem, ReadResult, SourceDocument } from '../catalog/ports.ts'
import { dependsOnFolder } from '../catalog/server-entries.ts'
import { contains } from '../domain/paths.ts'
import { hosts, projectFolderOf } from '../hosts/hosts.ts'
import { isOwnEntry } from '../hosts/own-entry.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import { boundServer } from '../trust/launches/bound-server.ts'
import { launchFacts } from '../trust/review/known-servers.ts'
import type { DocumentSources, OpenSource, SourceSurroundings } from './open-source.ts'

/**
 * The servers of a host configuration, each a source of its own. Audition itself is left out without a word. A
 * configuration that came from the network gives none: whoever wrote it would choose what runs on this machine, and
 * what of its environment is sent where.
 */
export function serverSources(
  document: SourceDocument,
  { servers, problems }: ReadResult,
  surroundings: SourceSurroundings,
): DocumentSources {
  const others = servers.filter((entry) => !isOwnEntry(entry))
  const isForeign = /^https?:/i.test(document.path)
  const refused = others.filter(({ disabled }) => disabled || isForeign)
  return {
    sources: others
      .filter((entry) => !refused.includes(entry))
      .map((entry) => serverSource(entry, surroundings)),
    problems: [
      ...problems,
      ...refused.map((entry) => (isForeign ? fromTheNetwork(entry, document) : switchedOff(entry, document))),
    ],
    configs: [document.path],
    isEmpty: servers.length === 0,
  }
}

function serverSource(
  entry: McpServerEntry,
  { harvester, launchOf = (entry) => boundServer(entry) }: SourceSurroundings,
): OpenSource {
  const location = `${entry.config}#${entry.name}`
  return {
    wantedId: entry.name,
    location,
    identity: JSON.stringify([
      entry.name,
      entry.launch,
      dependsOnFolder(entry) ? projectFolderOf(entry.config) : '',
    ]),
    reader: 'mcp-server',
    fingerprint: null,
    isLive: true,
    server: entry,
    bound: launchOf(entry),
    launch: launchFacts(entry, dependsOnFolder(entry)),
    async read(signal) {
      const harvest = await harvester.harvest(entry, signal)
      const { cards, problems } = cardsOfHarvest(entry, harvest)
      const origin = { reader: 'mcp-server', location }
      const { name, version } = harvest.server
      return { drafts: cards.map((draft) => ({ draft, origin })), problems, server: { name, version } }
    },
  }
}

const switchedOff = (entry: McpServerEntry, document: SourceDocument): Problem => ({
  severity: 'warning',
  file: document.label,
  field: entry.name,
  message: `server "${entry.name}" is switched off in ${entry.disabledIn ?? 'the configuration'}; it was not asked for its tools`,
  remedy: 'Switch it on there to find its tools here.',
})

const fromTheNetwork = (entry: McpServerEntry, document: SourceDocument): Problem => ({
  severity: 'error',
  file: document.label,
  field: entry.name,
  message: `server "${entry.name}" was not asked for its tools: a configuration from the network may start or contact nothing`,
  remedy: 'Download the configuration, review it, and index the file.',
})

/** Where a run is made, and what was named in it. */
type RunPlace = {
  readonly cwd: string
  readonly user: HostUser | undefined
  /** Locations that somebody named. */
  readonly named: readonly string[]
}

/**
 * Whether a server belongs to another project than the one a run is made in: its configuration is a file that a host reads in that
 * project alone, or keeps it for that project. One that was named is no stranger's.
 */
export function isOfOtherProject(entry: McpServerEntry, { cwd, user, named }: RunPlace): boolean {
  const { name, config, projects } = entry
  if (named.includes(`${config}#${name}`)) return false
  const isHere = (folder: string): boolean => contains({ folder, path: cwd })
  if (projects !== undefined) return !projects.some(isHere)
  if (named.some((location) => contains({ folder: location, path: config }))) return false
  return isOfProject(config) && !isOfUser(config, user) && !isHere(projectFolderOf(config))
}

const ofProjects = hosts.flatMap(({ files }) => files.flatMap(({ ways = [] }) => ways))

function isOfProject(config: string): boolean {
  const names = config.split(/[\\/]/)
  return ofProjects.some((way) => way.every((part, at) => names.at(at - way.length) === part))
}

/** Whether a configuration is one that hosts keep for the user, in no project. */
export const isOfUser = (config: string, user: HostUser | undefined): boolean =>
  user !== undefined &&
  hosts.some(({ files }) =>
    files.some(({ scope, at }) => scope === 'user' && at({ ...user, cwd: user.home }).includes(config)),
  )
