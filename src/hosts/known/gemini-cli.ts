import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type Dialect, mapAt, reference, textsIn, withTexts, readHostEntry } from '../entry.ts'
import {
  type Host,
  plainEntry,
  projectFile,
  under,
  userFile,
  type FindRejections,
  noRejections,
  unreadableSettings,
  atMost,
} from '../host.ts'
import { settingsAt } from '../config-text.ts'
import { type HostUser, joinOf } from '../surroundings.ts'

const isSettings = (path: string): boolean => /[\\/]\.gemini[\\/]settings\.json$/i.test(path)

const inFolder = (user: HostUser, name: string): string =>
  joinOf(user)(user.env.GEMINI_CLI_HOME || user.home, '.gemini', name)

/** `mcpServers` with `$NAME` beside `${NAME}`, and lists beside it of the servers that may and may not be started. */
const geminiDialect: Dialect = {
  isUsedIn: (config, path) => isSettings(path) && isJsonObject(config.mcpServers),
  maps: (config) => mapAt(config, ['mcpServers'], isOffIn(config)),
  readEntry: (entry) =>
    readHostEntry(
      withTexts(entry, (text) => text.replace(/\$([A-Za-z_]\w*)/g, (_, name) => reference(name))),
    ),
}

function isOffIn({ mcp }: JsonObject): (name: string) => boolean {
  const lists = isJsonObject(mcp) ? mcp : {}
  const [allowed, excluded] = [lists.allowed, lists.excluded].map((list) => textsIn(list).map(normalised))
  return (name) =>
    excluded!.includes(normalised(name)) || (allowed!.length > 0 && !allowed!.includes(normalised(name)))
}

/** As Gemini CLI compares the names of servers. */
const normalised = (name: string): string => name.toLowerCase().trim()

/** `gemini mcp disable` keeps its choices in a file of the user's, whatever configuration names the server. */
const rejections: FindRejections = (config, user) => {
  if (!isSettings(config) || user === undefined) return noRejections
  const path = inFolder(user, 'mcp-server-enablement.json')
  const settings = settingsAt(path)
  if (settings.kind === 'missing') return noRejections
  if (settings.kind === 'broken')
    return { ...noRejections, problems: [unreadableSettings(path, 'Gemini CLI', settings)] }
  const off = Object.entries(settings.config).flatMap(([name, chosen]) =>
    isJsonObject(chosen) && chosen.enabled === false ? [normalised(name)] : [],
  )
  return { fileThatRejects: (server) => (off.includes(normalised(server)) ? path : undefined), problems: [] }
}

/** Names: `formatMcpToolName` in packages/core/src/tools/mcp-tool.ts of google-gemini/gemini-cli, which cuts the middle out of those beyond 63. */
export const geminiCli: Host = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  files: [
    projectFile('settings', '.gemini', 'settings.json'),
    userFile('settings', (user) => inFolder(user, 'settings.json')),
  ],
  format: 'json',
  dialect: geminiDialect,
  rejections,
  writing: {
    key: under('mcpServers'),
    entry: plainEntry,
    variable: reference,
    addressKey: 'httpUrl',
    usual: 'user',
  },
  clients: ['gemini-cli'],
  toolName: atMost(63, (server, tool) => `mcp_${server}_${tool}`.replace(/[^\w.-]/g, '_')),
  isDesktop: false,
}
