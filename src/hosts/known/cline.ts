import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { type Dialect, mapAt, readHostEntry } from '../entry.ts'
import { type Host, ofServer, plainEntry, under, userFile } from '../host.ts'
import { type HostUser, joinOf } from '../surroundings.ts'
import { extensionFolders } from './vscode.ts'

const file = 'cline_mcp_settings.json'

/** `mcpServers` whose transport may be an object that holds all the rest. */
const clineDialect: Dialect = {
  isUsedIn: (config, path) => path.endsWith(file) && isJsonObject(config.mcpServers),
  maps: (config) => mapAt(config, ['mcpServers']),
  readEntry: (entry) => readHostEntry(commonEntry(entry)),
}

function commonEntry({ transport, ...entry }: JsonObject): JsonObject {
  if (transport === undefined) return entry
  return isJsonObject(transport) ? { ...entry, ...transport } : { ...entry, transport }
}

/** The extension and the command line share one file; before, the extension had it to itself. */
function places(user: HostUser): readonly string[] {
  const { CLINE_MCP_SETTINGS_PATH, CLINE_DATA_DIR, CLINE_DIR } = user.env
  const join = joinOf(user)
  const data = CLINE_DATA_DIR || join(CLINE_DIR || join(user.home, '.cline'), 'data')
  return [
    CLINE_MCP_SETTINGS_PATH || join(data, 'settings', file),
    ...extensionFolders(user, 'saoudrizwan.claude-dev').map((folder) => join(folder, file)),
  ]
}

/**
 * By the model it is `use_mcp_tool` with the names as arguments, or a function whose name begins with a number of the server
 * (`CLINE_MCP_TOOL_IDENTIFIER` in src/shared/mcp.ts of cline/cline). So the parts are told.
 */
export const cline: Host = {
  name: 'cline',
  title: 'Cline',
  files: [userFile('servers', places)],
  format: 'json',
  dialect: clineDialect,
  writing: { key: under('mcpServers'), entry: plainEntry, remoteType: 'streamableHttp', usual: 'user' },
  clients: ['cline'],
  toolName: ofServer,
  isDesktop: true,
}
