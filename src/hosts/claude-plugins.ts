import { isAbsolute, join, resolve } from 'node:path'
import { type JsonObject, isJsonObject } from '../domain/json.ts'
import type { McpServerEntry } from '../domain/runtime.ts'
import type { Problem } from '../domain/problem.ts'
import { contains } from '../domain/paths.ts'
import { reference, textsIn, withTexts } from './entry.ts'
import { type ServersOfConfig, serversOf } from './read-servers.ts'
import { settingsAt } from './config-text.ts'
import { type HostUser, claudeFolder, claudePluginList, claudePluginsFolder, joinOf } from './surroundings.ts'

/** A plugin that Claude Code has installed. */
export type ClaudePlugin = {
  /** `name@marketplace`, as the list has it. */
  readonly id: string
  readonly name: string
  /** Absolute path of the version that is installed. */
  readonly folder: string
  /** The project it was installed for; absent: every one. */
  readonly project?: string
  /** The settings that switch it off, or its own manifest. */
  readonly disabledIn?: string
}

/** Whether a file is the user's own list: any other may name any folder of this machine. */
export const isPluginList = (path: string, user: HostUser | undefined): boolean =>
  user !== undefined && resolve(path) === resolve(claudePluginList(user))

/** The installed plugins in the order of the list; of one that is installed more than once, that of the user, else the latest. */
export function pluginsIn(list: JsonObject, user: HostUser): readonly ClaudePlugin[] {
  const { plugins } = list
  return Object.entries(isJsonObject(plugins) ? plugins : {}).flatMap(([id, listed]): ClaudePlugin[] => {
    // The first version of the list had one object, the second has a list of them.
    const entries = [listed].flat().filter(isJsonObject)
    const installed = entries.filter(({ installPath }) => typeof installPath === 'string')
    const entry =
      installed.find(({ scope }) => scope === 'user') ??
      installed.toSorted((a, b) => textOf(a.lastUpdated).localeCompare(textOf(b.lastUpdated))).at(-1)
    const folder = textOf(entry?.installPath)
    if (entry === undefined || !isAbsolute(folder)) return []
    const project = entry.scope === 'user' ? '' : textOf(entry.projectPath)
    const disabledIn = whereDisabled(id, { folder, project }, user)
    return [
      {
        id,
        name: id.replace(/@[^@]*$/, ''),
        folder,
        ...(project === '' ? {} : { project }),
        ...(disabledIn === undefined ? {} : { disabledIn }),
      },
    ]
  })
}

/** The nearest settings that name a plugin decide; without any its manifest does, and by itself it is on. */
function whereDisabled(
  id: string,
  { folder, project }: { readonly folder: string; readonly project: string },
  user: HostUser,
): string | undefined {
  const files = [
    ...(project === ''
      ? []
      : ['settings.local.json', 'settings.json'].map((name) => join(project, '.claude', name))),
    join(claudeFolder(user), 'settings.json'),
  ]
  for (const file of files) {
    const settings = settingsAt(file)
    const chosen = settings.kind === 'read' ? settings.config.enabledPlugins : undefined
    if (isJsonObject(chosen) && chosen[id] !== undefined) return chosen[id] === false ? file : undefined
  }
  return manifestOf(folder).defaultEnabled === false ? manifestPath(folder) : undefined
}

export const manifestPath = (folder: string): string => join(folder, '.claude-plugin', 'plugin.json')

function manifestOf(folder: string): JsonObject {
  const manifest = settingsAt(manifestPath(folder))
  return manifest.kind === 'read' ? manifest.config : {}
}

/** Kinds of files of which a plugin is made. */
export const pluginParts = ['agents', 'skills', 'commands'] as const

/** Where the files of one kind lie in a plugin: files and folders, which need not be there. */
export function placesOf({ folder }: ClaudePlugin, part: (typeof pluginParts)[number]): readonly string[] {
  const named = manifestOf(folder)[part]
  const own = typeof named === 'string' ? [named] : textsIn(named)
  return [...new Set([part, ...own].map((place) => resolve(folder, place)))].filter((path) =>
    contains({ folder, path }),
  )
}

/**
 * The MCP servers of plugins, under the names by which Claude Code tells them apart. They stand in files of the plugins;
 * the list is their configuration, since it stays where it is when a plugin gets another version.
 */
export function serversOfPlugins(path: string, list: JsonObject, user: HostUser): ServersOfConfig {
  const all = pluginsIn(list, user).map((plugin) => serversOfPlugin(path, plugin, user))
  return {
    servers: all.flatMap(({ servers }) => servers),
    problems: all.flatMap(({ problems }) => problems),
  }
}

function serversOfPlugin(list: string, plugin: ClaudePlugin, user: HostUser): ServersOfConfig {
  const servers: McpServerEntry[] = []
  const problems: Problem[] = []
  for (const { path, config } of configsOf(plugin, problems)) {
    const filled = withTexts(config, (text) => withPlaces(text, plugin, user))
    const read = serversOf({ path, label: path, config: filled })
    problems.push(...read.problems)
    for (const entry of read.servers) {
      if (JSON.stringify(entry.launch).includes('${user_config.')) problems.push(asked(path, entry))
      else servers.push(inPlugin(entry, list, plugin))
    }
  }
  return { servers, problems }
}

type PluginConfig = { readonly path: string; readonly config: JsonObject }

/** `.mcp.json`, and what the manifest has under `mcpServers`: files, or the servers themselves. */
function configsOf({ folder }: ClaudePlugin, problems: Problem[]): readonly PluginConfig[] {
  const { mcpServers } = manifestOf(folder)
  const named = [mcpServers].flat()
  const files = ['.mcp.json', ...textsIn(named)].map((file) => resolve(folder, file))
  const inline = named.filter(isJsonObject)
  const read = [...new Set(files)]
    .filter((path) => contains({ folder, path }))
    .flatMap((path) => {
      const settings = settingsAt(path)
      if (settings.kind === 'broken')
        problems.push({ severity: 'error', file: path, message: settings.message, remedy: settings.remedy })
      return settings.kind === 'read' ? [{ path, config: settings.config }] : []
    })
  return [
    ...read,
    ...inline.map((servers) => ({ path: manifestPath(folder), config: { mcpServers: servers } })),
  ]
}

function withPlaces(text: string, { id, folder }: ClaudePlugin, user: HostUser): string {
  const data = joinOf(user)(claudePluginsFolder(user), 'data', id.replace(/[^A-Za-z0-9_-]/g, '-'))
  return text
    .replaceAll(reference('CLAUDE_PLUGIN_ROOT'), () => folder)
    .replaceAll(reference('CLAUDE_PLUGIN_DATA'), () => data)
}

function inPlugin(entry: McpServerEntry, list: string, plugin: ClaudePlugin): McpServerEntry {
  const { launch } = entry
  const { project, disabledIn } = plugin
  const isPlaced = launch.transport !== 'stdio' || launch.cwd !== undefined || project === undefined
  return {
    ...entry,
    name: `plugin_${plugin.name}_${entry.name}`,
    config: list,
    disabled: entry.disabled || disabledIn !== undefined,
    ...(disabledIn === undefined ? {} : { disabledIn }),
    launch: isPlaced ? launch : { ...launch, cwd: project },
  }
}

const asked = (file: string, { name }: McpServerEntry): Problem => ({
  severity: 'warning',
  file,
  field: name,
  message: 'the server needs a value that Claude Code asked its user for',
  remedy: 'Configure the server in a file of yours to find its tools here.',
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
