import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { parse } from 'jsonc-parser'
import { isJsonObject } from '../domain/json.ts'
import {
  claudeDesktopConfig,
  claudeFolder,
  claudeUserConfig,
  joinOf,
  type Surroundings,
  vscodeUserFolders,
} from './host-paths.ts'

/** Something a developer has already that can be indexed. */
export type Discovery = {
  /** Absolute path of a file or folder that exists. */
  readonly path: string
  /** What it is, for people, for example "MCP servers of VS Code". */
  readonly what: string
  readonly scope: 'project' | 'home'
}

/** A place to look at, and how to tell whether what is there is worth indexing. */
type Place = {
  readonly path: string
  readonly what: string
  readonly holds: (path: string) => boolean
}

/**
 * Host configurations and folders of agents and skills that exist: of the project (from the working folder up to the
 * root of its repository, nearest first), then of the user. A path comes once, under links too. Nothing is started,
 * and what cannot be read is passed over.
 */
export function discover(surroundings: Surroundings): Discovery[] {
  const found = [
    ...projectFolders(surroundings).flatMap((folder) =>
      existing(projectPlaces(folder, surroundings), 'project'),
    ),
    ...existing(homePlaces(surroundings), 'home'),
  ]
  const seen = new Set<string>()
  return found.filter(({ path }) => {
    const real = realpathSync(path)
    return seen.has(real) ? false : seen.add(real)
  })
}

const existing = (places: readonly Place[], scope: Discovery['scope']): Discovery[] =>
  places.flatMap(({ path, what, holds }) => (holds(path) ? [{ path, what, scope }] : []))

function projectPlaces(folder: string, surroundings: Surroundings): Place[] {
  const join = joinOf(surroundings)
  return [
    { path: join(folder, '.mcp.json'), what: 'MCP servers of the project', holds: isFile },
    { path: join(folder, '.vscode', 'mcp.json'), what: 'MCP servers of VS Code', holds: isFile },
    { path: join(folder, '.cursor', 'mcp.json'), what: 'MCP servers of Cursor', holds: isFile },
    { path: join(folder, '.claude', 'agents'), what: 'Claude Code agents', holds: isFilledFolder },
    { path: join(folder, '.claude', 'skills'), what: 'Claude Code skills', holds: isFilledFolder },
    { path: join(folder, '.github', 'agents'), what: 'Copilot agents', holds: isFilledFolder },
  ]
}

function homePlaces(surroundings: Surroundings): Place[] {
  const join = joinOf(surroundings)
  const { home } = surroundings
  const claude = claudeFolder(surroundings)
  return [
    { path: claudeDesktopConfig(surroundings), what: 'MCP servers of Claude Desktop', holds: isFile },
    { path: claudeUserConfig(surroundings), what: 'MCP servers of Claude Code', holds: namesServers },
    { path: join(claude, 'agents'), what: 'Claude Code agents', holds: isFilledFolder },
    { path: join(claude, 'skills'), what: 'Claude Code skills', holds: isFilledFolder },
    { path: join(home, '.cursor', 'mcp.json'), what: 'MCP servers of Cursor', holds: isFile },
    {
      path: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      what: 'MCP servers of Windsurf',
      holds: isFile,
    },
    ...vscodeUserFolders(surroundings).flatMap((user) => [
      { path: join(user, 'mcp.json'), what: 'MCP servers of VS Code', holds: isFile },
      {
        path: join(user, 'settings.json'),
        what: 'MCP servers in the settings of VS Code',
        holds: isVscodeSettings,
      },
    ]),
  ]
}

/**
 * The working folder and those above it up to the repository's root; without a repository, the working folder alone.
 * The home folder is no project.
 */
function projectFolders(surroundings: Surroundings): string[] {
  const join = joinOf(surroundings)
  const { cwd, home } = surroundings
  const folders: string[] = []
  for (let folder = cwd; ; folder = join(folder, '..')) {
    if (folder !== join(home)) folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (join(folder, '..') === folder) return cwd === home ? [] : [cwd]
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isFilledFolder(path: string): boolean {
  try {
    return readdirSync(path).length > 0
  } catch {
    return false
  }
}

/** Claude Code's file holds much else; it is worth reading when some project or the user has servers in it. */
const namesServers = (path: string): boolean => /"mcpServers"\s*:\s*\{\s*"/.test(contentsOf(path))

/** Before it had `mcp.json`, VS Code kept servers in its settings, under `mcp.servers`. */
function isVscodeSettings(path: string): boolean {
  const settings: unknown = parse(contentsOf(path))
  if (!isJsonObject(settings)) return false
  const nested = isJsonObject(settings.mcp) ? settings.mcp.servers : undefined
  return isJsonObject(nested) || isJsonObject(settings['mcp.servers'])
}

function contentsOf(path: string): string {
  try {
    return isFile(path) ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}
