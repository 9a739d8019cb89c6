import { type Host, plainEntry, under, userFile } from '../host.ts'
import { joinOf, settingsFolder } from '../surroundings.ts'

/** Names as Anthropic's page on authoring Agent Skills has them, under MCP tool references: `ServerName:tool_name`. */
export const claudeDesktop: Host = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  files: [
    userFile('servers', (user) => joinOf(user)(settingsFolder(user), 'Claude', 'claude_desktop_config.json')),
  ],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, usual: 'user' },
  clients: ['claude-ai'],
  toolName: (server, tool) => `${server}:${tool}`,
  isDesktop: true,
}
