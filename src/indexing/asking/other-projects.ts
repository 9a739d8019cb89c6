import { hosts } from '../../hosts/hosts.ts'
import { projectFolderOf } from '../../hosts/project-folder.ts'
import type { HostUser } from '../../hosts/surroundings.ts'
import { contains } from '../../domain/paths.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'

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
