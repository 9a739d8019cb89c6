import { reference } from '../entry.ts'
import { type Host, inHome, plainEntry, projectFile, under, userFile } from '../host.ts'

const parts = ['.kiro', 'settings', 'mcp.json'] as const

export const kiro: Host = {
  name: 'kiro',
  title: 'Kiro',
  files: [projectFile('servers', ...parts), userFile('servers', inHome(...parts))],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, variable: reference, usual: 'user' },
  clients: ['kiro', 'q-dev-cli'],
  toolName: (server, tool) => `@${server}/${tool}`,
  isDesktop: true,
}
