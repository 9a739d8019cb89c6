import type { AgentCard, Card } from '../domain/card.ts'
import { contains } from '../domain/paths.ts'
import type { McpRuntime, McpServerEntry } from '../domain/runtime.ts'
import { projectFolders } from './discover.ts'
import type { Host } from './host.ts'
import { startsSame } from './read-servers.ts'
import { serversAt } from './servers-at.ts'
import type { HostUser } from './surroundings.ts'

/** Who asks: a host, and the project that it works in. */
export type Asker = {
  readonly host: Host
  readonly user: HostUser
  /** Absolute folder of the project; null when nobody says which, or it is the user's home. */
  readonly project: string | null
}

/** Whether a card can be used from where somebody asks. */
export type Here =
  /** @param call - what the host's model does: the exact name of a tool, or a call that runs an agent */
  | { readonly kind: 'here'; readonly call: string }
  | { readonly kind: 'not-here' }
  /** The host runs no such agents, wherever they lie. */
  | { readonly kind: 'never' }

/** How cards are reached by one asker, as its configurations are now; undefined for what no host runs or starts by itself. */
export function hereFor(asker: Asker): (card: Card) => Here | undefined {
  const servers = serversOfAsker(asker)
  return (card) => {
    const { runtime } = card
    if (card.kind === 'agent' && isOfHosts(card)) return agentHere(card, asker)
    if (runtime?.kind !== 'mcp') return undefined
    const server = sameServer(runtime, servers, asker.user)
    if (server === undefined) return { kind: 'not-here' }
    const name = server.key ?? server.name
    return { kind: 'here', call: asker.host.toolName(name, card.kind === 'tool' ? card.name : '*') }
  }
}

/** The names by which an asker's host has its servers. */
export const serverNamesOf = (asker: Asker): readonly string[] =>
  serversOfAsker(asker).map(({ key, name }) => key ?? name)

/** Whether a source of this location holds cards that an asker's host has. */
export function sourceIsHere(asker: Asker): (location: string) => boolean {
  const servers = serversOfAsker(asker)
  const folders = foldersOf(asker)
  return (location) => {
    const hash = location.lastIndexOf('#')
    const runtime = { config: location.slice(0, hash), server: location.slice(hash + 1) }
    return hash > 0 && !/^[a-z][a-z\d+.-]+:\/\//i.test(location)
      ? sameServer(runtime, servers, asker.user) !== undefined
      : folders.some((folder) => contains({ folder, path: location }))
  }
}

/** Sub-agents and skills are prompts for a host: each host reads its own folders. */
const isOfHosts = ({ agentKind }: AgentCard): boolean => agentKind === 'subagent' || agentKind === 'skill'

function agentHere({ agentKind, name, provenance }: AgentCard, asker: Asker): Here {
  const use = asker.host.agents?.[agentKind as 'subagent' | 'skill']
  if (use === undefined) return { kind: 'never' }
  const isIn = foldersOf(asker).some((folder) => contains({ folder, path: provenance.location }))
  return isIn ? { kind: 'here', call: use(name) } : { kind: 'not-here' }
}

/** The server of the asker's host that starts or reaches what a card's runtime names. */
function sameServer(
  { config, server }: Pick<McpRuntime, 'config' | 'server'>,
  servers: readonly McpServerEntry[],
  user: HostUser,
): McpServerEntry | undefined {
  const own = servers.find((one) => one.config === config && one.name === server)
  if (own !== undefined) return own
  const indexed = serversAt(config, user).find(({ name }) => name === server)
  return indexed && servers.find((one) => startsSame(one, indexed))
}

/** The folders of the project, nearest first, and null for what is the user's everywhere. */
const foldersAround = ({ user, project }: Asker): readonly (string | null)[] =>
  project === null ? [null] : [...projectFolders({ ...user, cwd: project }), null]

/** The servers that the asker's host starts there: those of the project first, as in hosts. */
function serversOfAsker(asker: Asker): readonly McpServerEntry[] {
  const { host, user } = asker
  const paths = foldersAround(asker).flatMap((cwd) =>
    host.files
      .filter(({ scope }) => (scope === 'user') === (cwd === null))
      .flatMap((file) => file.at({ ...user, cwd: cwd ?? user.home })),
  )
  return [...new Set(paths)]
    .flatMap((path) => serversAt(path, user))
    .filter((entry) => !entry.disabled && isOfProject(entry, asker.project))
}

const isOfProject = ({ projects }: McpServerEntry, project: string | null): boolean =>
  projects === undefined ||
  (project !== null && projects.some((folder) => contains({ folder, path: project })))

const foldersOf = (asker: Asker): readonly string[] =>
  foldersAround(asker).flatMap((cwd) =>
    (asker.host.folders ?? [])
      .filter(({ scope }) => (scope === 'user') === (cwd === null))
      .map(({ at }) => at({ ...asker.user, cwd: cwd ?? asker.user.home })),
  )
