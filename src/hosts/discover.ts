import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { isFile } from '../domain/paths.ts'
import { isJsonObject } from '../domain/json.ts'
import { readConfig, contentsOf, settingsAt } from './config-text.ts'
import type { Host, HostFile, HostFolder, Scope } from './host.ts'
import { hosts } from './hosts.ts'
import { dialectOf } from './read-servers.ts'
import { joinOf, type Surroundings } from './surroundings.ts'

/** Something a developer has already that can be indexed. */
export type Discovery = {
  /** Absolute path of a file or folder that exists. */
  readonly path: string
  /** What it is, for people, for example "MCP servers of VS Code". */
  readonly what: string
  readonly scope: 'project' | 'home'
  /** The host that keeps it. */
  readonly host: Host
  readonly kind: 'config' | 'folder'
}

/**
 * Host configurations and folders of agents and skills that exist: of the project (from the working folder up to the
 * root of its repository, nearest first), then of the user. A path comes once, under links too. Nothing is started,
 * and what cannot be read is passed over.
 */
export function discover(surroundings: Surroundings): Discovery[] {
  const found = [
    ...projectFolders(surroundings).flatMap((cwd) => foundIn('project', { ...surroundings, cwd })),
    ...foundIn('user', surroundings),
  ]
  const seen = new Set<string>()
  return found.filter(({ path }) => {
    const real = realpathSync(path)
    return seen.has(real) ? false : seen.add(real)
  })
}

const foundIn = (scope: Scope, place: Surroundings): readonly Discovery[] =>
  hosts.flatMap((host) => [
    ...host.files.filter((file) => file.scope === scope).flatMap((file) => configsAt(host, file, place)),
    ...(host.folders ?? [])
      .filter((folder) => folder.scope === scope)
      .flatMap((folder) => folderAt(host, folder, place)),
  ])

function configsAt(host: Host, file: HostFile, place: Surroundings): readonly Discovery[] {
  const what = {
    servers: `MCP servers of ${host.title}`,
    settings: `MCP servers in the settings of ${host.title}`,
    plugins: `plugins of ${host.title}`,
  }[file.holds]
  const counts = { servers: isFile, settings: namesServers, plugins: listsPlugins }[file.holds]
  return file.at(place).flatMap((path): Discovery[] => {
    if (!counts(path)) return []
    return [{ path, what, scope: seenAs(file.scope), host, kind: 'config' }]
  })
}

function folderAt(host: Host, { at, what, scope }: HostFolder, place: Surroundings): readonly Discovery[] {
  const path = at(place)
  return isFilledFolder(path) ? [{ path, what, scope: seenAs(scope), host, kind: 'folder' }] : []
}

const seenAs = (scope: Scope): Discovery['scope'] => (scope === 'user' ? 'home' : 'project')

/**
 * The working folder and those above it up to the repository's root; without a repository, the working folder alone.
 * The home folder is no project.
 */
export function projectFolders(surroundings: Surroundings): string[] {
  const join = joinOf(surroundings)
  const { cwd, home } = surroundings
  const folders: string[] = []
  for (let folder = cwd; ; folder = join(folder, '..')) {
    if (folder !== join(home)) folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (join(folder, '..') === folder) return cwd === home ? [] : [cwd]
  }
}

function isFilledFolder(path: string): boolean {
  try {
    return readdirSync(path).length > 0
  } catch {
    return false
  }
}

function listsPlugins(path: string): boolean {
  const list = settingsAt(path)
  return (
    list.kind === 'read' && isJsonObject(list.config.plugins) && Object.keys(list.config.plugins).length > 0
  )
}

/** Settings hold much else; they are worth reading when a server is in them. */
function namesServers(path: string): boolean {
  const contents = contentsOf(path)
  if (contents.kind !== 'text' || !/mcp|context_servers/i.test(contents.text)) return false
  const read = readConfig(path, contents.text)
  if (read.kind === 'broken') return false
  const maps = dialectOf({ config: read.config, path })?.maps(read.config, path) ?? []
  return maps.some(({ servers }) => Object.keys(servers).length > 0)
}
