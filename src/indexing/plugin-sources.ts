import { statSync } from 'node:fs'
import type { Problem, Reader, SourceDocument } from '../catalog/ports.ts'
import { claudeCommand } from '../catalog/readers/claude-command.ts'
import { claudePlugin } from '../catalog/readers/claude-plugin.ts'
import { claudeSkill } from '../catalog/readers/claude-skill.ts'
import { claudeSubagent } from '../catalog/readers/claude-subagent.ts'
import { readHostServers } from '../catalog/readers/host-config.ts'
import { DocumentError, openDocument } from '../catalog/source-document.ts'
import { isJsonObject } from '../domain/json.ts'
import { type ClaudePlugin, manifestPath, placesOf, pluginParts, pluginsIn } from '../hosts/claude-plugins.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import type { DocumentSources, OpenSource, SourceSurroundings, Unread } from './open-source.ts'
import { serverSources } from './server-sources.ts'
import { walkFolder } from './walk-folder.ts'

/** A file of a plugin, and who reads it. */
type PluginFile = { readonly document: SourceDocument; readonly reader: Reader }

export type MakeSource = (
  location: string,
  files: readonly PluginFile[],
  unread: readonly Unread[],
) => OpenSource

const readers: { readonly [part in (typeof pluginParts)[number]]: Reader } = {
  agents: claudeSubagent,
  skills: claudeSkill,
  commands: claudeCommand,
}

/** The plugin itself: many have a command or an agent of their own name. */
const manifest: Reader = {
  ...claudePlugin,
  read(document) {
    const result = claudePlugin.read(document)
    return { ...result, cards: result.cards.map((card) => ({ ...card, key: 'plugin' })) }
  },
}

/**
 * The installed plugins of Claude Code: of each its agents, skills and commands as one source, and its MCP servers. They
 * are named by the list (`installed_plugins.json#name@marketplace`), since the folder is another with every version.
 */
export async function pluginSources(
  document: SourceDocument,
  user: HostUser,
  {
    surroundings,
    makeSource,
    signal,
  }: {
    readonly surroundings: SourceSurroundings
    readonly makeSource: MakeSource
    readonly signal: AbortSignal
  },
): Promise<DocumentSources> {
  const list = document.json()
  const plugins = isJsonObject(list) ? pluginsIn(list, user) : []
  const sources: OpenSource[] = []
  const problems: Problem[] = []
  for (const plugin of plugins) {
    const problem = whyNotRead(plugin, document)
    if (problem !== undefined) problems.push(problem)
    else sources.push(...(await sourceOf(plugin, { document, surroundings, makeSource, signal })))
  }
  const { servers, ...rest } = readHostServers(document, user)
  // A plugin that is switched off was told above, once for all of its servers.
  const enabled = servers.filter(({ disabled, disabledIn }) => !(disabled && disabledIn !== undefined))
  const found = serverSources(document, { ...rest, servers: enabled }, surroundings)
  return {
    sources: [...sources, ...found.sources],
    problems: [...problems, ...found.problems],
    configs: found.configs,
    isEmpty: plugins.length === 0,
  }
}

function whyNotRead({ id, folder, disabledIn }: ClaudePlugin, document: SourceDocument): Problem | undefined {
  const about = { severity: 'warning', file: document.label, field: id } as const
  if (disabledIn !== undefined) {
    const message = `plugin "${id}" is switched off in ${disabledIn}; it was not read`
    return { ...about, message, remedy: 'Switch it on there to find what it has here.' }
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return undefined
  const message = `plugin "${id}" is not at ${folder}`
  return { ...about, message, remedy: 'Install it again in Claude Code, or uninstall it there.' }
}

async function sourceOf(
  plugin: ClaudePlugin,
  {
    document,
    surroundings,
    makeSource,
    signal,
  }: {
    readonly document: SourceDocument
    readonly surroundings: SourceSurroundings
    readonly makeSource: MakeSource
    readonly signal: AbortSignal
  },
): Promise<readonly OpenSource[]> {
  const files: PluginFile[] = []
  const unread: Unread[] = []
  const open = (path: string, reader: Reader): void => {
    try {
      const opened = openDocument(path, surroundings.label(path))
      if (reader === claudeCommand || reader.recognises(opened)) files.push({ document: opened, reader })
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      unread.push({ path, problem: error.problem })
    }
  }
  if (isThere(manifestPath(plugin.folder))) open(manifestPath(plugin.folder), manifest)
  for (const part of pluginParts) {
    for (const place of placesOf(plugin, part)) {
      for (const path of await markdownAt(place, signal)) open(path, readers[part])
    }
  }
  if (files.length + unread.length === 0) return []
  const source = makeSource(`${document.path}#${plugin.id}`, files, unread)
  return [{ ...source, wantedId: plugin.name }]
}

/** The Markdown files at a place: itself, or all in the folder and below. */
async function markdownAt(place: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!isThere(place)) return []
  if (!statSync(place).isDirectory()) return /\.md$/i.test(place) ? [place] : []
  const { files } = await walkFolder(place, signal)
  return files.filter((file) => /\.md$/i.test(file) && !/^readme\.md$/i.test(file.split(/[\\/]/).at(-1)!))
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
