import {
  type Host,
  type HostFolder,
  plainEntry,
  projectFile,
  under,
  userFile,
  type FindRejections,
  noRejections,
  unreadableSettings,
  inWords,
} from '../host.ts'
import { claudeFolder, claudePluginList, claudeUserConfig, joinOf } from '../surroundings.ts'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { Problem } from '../../domain/problem.ts'
import { reference, textsIn } from '../entry.ts'
import { settingsAt } from '../config-text.ts'

const folders: readonly HostFolder[] = (
  [
    ['agents', 'subagent'],
    ['skills', 'skill'],
    ['commands', undefined],
  ] as const
).flatMap(([name, takes]) => [
  {
    scope: 'project',
    at: (place) => joinOf(place)(place.cwd, '.claude', name),
    what: `Claude Code ${name}`,
    ...(takes === undefined ? {} : { takes }),
  },
  {
    scope: 'user',
    at: (place) => joinOf(place)(claudeFolder(place), name),
    what: `Claude Code ${name}`,
    ...(takes === undefined ? {} : { takes }),
  },
])

/**
 * The servers of a project's `.mcp.json` that were rejected in Claude Code: by `disabledMcpjsonServers` in the settings
 * of the project or of the user, where one file is enough and no approval undoes it, or for this project in the user's
 * `.claude.json`. Other configurations have none.
 */
const claudeRejections: FindRejections = (config, user) => {
  if (basename(config) !== '.mcp.json') return noRejections
  const project = dirname(resolve(config))
  const places: readonly Place[] = [
    { path: join(project, '.claude', 'settings.json'), rejected },
    { path: join(project, '.claude', 'settings.local.json'), rejected },
    ...(user === undefined
      ? []
      : [
          { path: join(claudeFolder(user), 'settings.json'), rejected },
          { path: claudeUserConfig(user), rejected: rejectedIn(project) },
        ]),
  ]
  const files = new Map<string, string>()
  const problems: Problem[] = []
  for (const place of places) {
    const settings = settingsAt(place.path)
    if (settings.kind === 'broken') problems.push(unreadableSettings(place.path, 'Claude Code', settings))
    if (settings.kind === 'read')
      for (const name of place.rejected(settings.config)) files.set(name, place.path)
  }
  return { fileThatRejects: (server) => files.get(server), problems }
}

/** A file, and the names that its fields reject. */
type Place = {
  readonly path: string
  readonly rejected: (fields: JsonObject) => readonly string[]
}

const rejected = ({ disabledMcpjsonServers }: JsonObject): readonly string[] =>
  textsIn(disabledMcpjsonServers)

/** `.claude.json` has the choices of each project under its folder, those made by `/mcp` for servers of any place too. */
function rejectedIn(project: string): Place['rejected'] {
  // Claude Code writes the folder as it is without links.
  const names = [project, existsSync(project) ? realpathSync(project) : project]
  return ({ projects }) =>
    Object.entries(isJsonObject(projects) ? projects : {}).flatMap(([folder, chosen]) =>
      isJsonObject(chosen) && names.includes(resolve(folder))
        ? [...rejected(chosen), ...textsIn(chosen.disabledMcpServers)]
        : [],
    )
}

/** Claude Code: `.mcp.json` of a project, `~/.claude.json` of the user, where servers of projects stand too. */
export const claudeCode: Host = {
  name: 'claude-code',
  title: 'Claude Code',
  files: [
    projectFile('servers', '.mcp.json'),
    userFile('settings', claudeUserConfig),
    userFile('plugins', claudePluginList),
  ],
  folders,
  format: 'json',
  rejections: claudeRejections,
  writing: {
    key: under('mcpServers'),
    // Its own tool search would put ours behind it, and a first turn does not wait for servers without this.
    entry: (launch) => ({ ...plainEntry(launch), alwaysLoad: true }),
    variable: reference,
    remoteType: 'http',
    usual: 'project',
  },
  clients: ['claude-code'],
  toolName: (server, tool) => `mcp__${inWords(server)}__${inWords(tool)}`,
  loading: 'ToolSearch {"query":"select:<call>"}',
  agents: {
    subagent: (name) => `Agent tool, subagent_type ${JSON.stringify(name)}`,
    skill: (name) => `Skill tool, skill ${JSON.stringify(name)}`,
  },
  isDesktop: false,
}
