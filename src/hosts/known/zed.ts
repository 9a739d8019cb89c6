import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type Dialect, mapAt, type ReadEntry, readHostEntry } from '../entry.ts'
import { type Host, plainEntry, projectFile, under, userFile } from '../host.ts'
import { dotConfigFolder, joinOf, settingsFolder } from '../surroundings.ts'

/** `context_servers` in the settings. Some are started by an extension, of which the settings hold options alone. */
const zedDialect: Dialect = {
  isUsedIn: ({ context_servers }) => isJsonObject(context_servers),
  maps: (config) => mapAt(config, ['context_servers']),
  readEntry,
}

function readEntry(entry: JsonObject): ReadEntry {
  if (entry.command === undefined && entry.url === undefined) {
    return {
      kind: 'elsewhere',
      message: 'an extension of Zed starts this server, and its settings do not say how',
      remedy: 'Give the entry a "command" to find its tools here.',
    }
  }
  // Until 2025 the command was an object with its path, arguments and environment.
  const { command, ...rest } = entry
  const { path, ...older } = isJsonObject(command) ? command : {}
  const { source: _, ...common } = path === undefined ? entry : { ...rest, ...older, command: path }
  return readHostEntry(common)
}

/** Tools by their bare names, cut at 64; of two servers that share one, each before it: `enabled_tools` in crates/agent/src/thread.rs of Zed. */
export const zed: Host = {
  name: 'zed',
  title: 'Zed',
  files: [
    projectFile('settings', '.zed', 'settings.json'),
    userFile('settings', (user) =>
      user.platform === 'win32'
        ? joinOf(user)(settingsFolder(user), 'Zed', 'settings.json')
        : joinOf(user)(dotConfigFolder(user), 'zed', 'settings.json'),
    ),
  ],
  format: 'json',
  dialect: zedDialect,
  writing: {
    key: under('context_servers'),
    entry: (launch) => ({ source: 'custom', ...plainEntry(launch) }),
    usual: 'user',
  },
  clients: ['zed'],
  toolName: (_server, tool) => tool.slice(0, 64),
  isDesktop: true,
}
