import { type Host, type HostFolder, plainEntry, projectFile, under, userFile } from '../host.ts'
import { claudeRejections } from './claude-rejections.ts'
import { claudeFolder, claudePluginList, claudeUserConfig, joinOf } from '../surroundings.ts'

const folders: readonly HostFolder[] = (['agents', 'skills', 'commands'] as const).flatMap((name) => [
  {
    scope: 'project',
    at: (place) => joinOf(place)(place.cwd, '.claude', name),
    what: `Claude Code ${name}`,
  },
  { scope: 'user', at: (place) => joinOf(place)(claudeFolder(place), name), what: `Claude Code ${name}` },
])

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
    usual: 'project',
  },
  isDesktop: false,
}
