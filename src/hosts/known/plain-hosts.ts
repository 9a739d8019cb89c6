import { reference } from '../entry.ts'
import {
  envReference,
  type Host,
  inHome,
  ofServer,
  plainEntry,
  projectFile,
  under,
  userFile,
} from '../host.ts'
import { joinOf, settingsFolder } from '../surroundings.ts'

/** Desktop programs whose file has a map `mcpServers` of plain entries, called by the name of the server and the tool's. */
const plain = {
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, usual: 'user' },
  toolName: ofServer,
  isDesktop: true,
} as const satisfies Partial<Host>

/** Names as Anthropic's page on authoring Agent Skills has them, under MCP tool references: `ServerName:tool_name`. */
export const claudeDesktop: Host = {
  ...plain,
  name: 'claude-desktop',
  title: 'Claude Desktop',
  files: [
    userFile('servers', (user) => joinOf(user)(settingsFolder(user), 'Claude', 'claude_desktop_config.json')),
  ],
  clients: ['claude-ai'],
  toolName: (server, tool) => `${server}:${tool}`,
}

/**
 * Names changed with its versions: `mcp_<server>_<tool>` (verygoodplugins/mcp-automem, pull request 33), and later one tool that takes the
 * server as `user-<server>` or `project-0-<folder>-<server>` (tirth8205/code-review-graph, issue 304). So the parts are told.
 */
export const cursor: Host = {
  ...plain,
  name: 'cursor',
  title: 'Cursor',
  files: [projectFile('servers', '.cursor', 'mcp.json'), userFile('servers', inHome('.cursor', 'mcp.json'))],
  writing: { ...plain.writing, variable: envReference, usual: 'project' },
  clients: ['cursor'],
}

export const windsurf: Host = {
  ...plain,
  name: 'windsurf',
  title: 'Windsurf',
  files: [userFile('servers', inHome('.codeium', 'windsurf', 'mcp_config.json'))],
  writing: { ...plain.writing, variable: envReference, addressKey: 'serverUrl' },
  clients: ['windsurf', 'codeium'],
}

const kiroFile = ['.kiro', 'settings', 'mcp.json'] as const

/**
 * Its programs differ: the IDE calls tools `mcp_<server>_<tool>` (kirodotdev/Kiro, issue 10518), the command line by their bare names
 * (`process_tool_specs` in tool_manager.rs of aws/amazon-q-developer-cli). `@server/tool` is for its settings. So the parts are told.
 */
export const kiro: Host = {
  ...plain,
  name: 'kiro',
  title: 'Kiro',
  files: [projectFile('servers', ...kiroFile), userFile('servers', inHome(...kiroFile))],
  writing: { ...plain.writing, variable: reference },
  clients: ['kiro', 'q-dev-cli'],
}

const junieFile = ['.junie', 'mcp', 'mcp.json'] as const

/** The agent of JetBrains; it has files of its own, unlike the assistant. */
export const junie: Host = {
  ...plain,
  name: 'junie',
  title: 'Junie',
  files: [projectFile('servers', ...junieFile), userFile('servers', inHome(...junieFile))],
  clients: ['junie'],
}

/** AI Assistant in the IDEs of JetBrains: its servers lie in settings that no other program may write. */
export const jetbrains: Host = {
  ...plain,
  name: 'jetbrains',
  title: 'JetBrains AI Assistant',
  files: [],
  writing: {
    ...plain.writing,
    paste: 'Settings | Tools | AI Assistant | Model Context Protocol (MCP), Add, As JSON',
  },
  clients: ['jetbrains', 'ai assistant'],
}
