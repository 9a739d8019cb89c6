import { reference } from '../entry.ts'
import { type Host, inHome, ofServer, plainEntry, projectFile, under, userFile } from '../host.ts'

const parts = ['.kiro', 'settings', 'mcp.json'] as const

/**
 * Its programs differ: the IDE calls tools `mcp_<server>_<tool>` (kirodotdev/Kiro, issue 10518), the command line by their bare names
 * (`process_tool_specs` in tool_manager.rs of aws/amazon-q-developer-cli). `@server/tool` is for its settings. So the parts are told.
 */
export const kiro: Host = {
  name: 'kiro',
  title: 'Kiro',
  files: [projectFile('servers', ...parts), userFile('servers', inHome(...parts))],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, variable: reference, usual: 'user' },
  clients: ['kiro', 'q-dev-cli'],
  toolName: ofServer,
  isDesktop: true,
}
