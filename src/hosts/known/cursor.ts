import { type Host, inHome, envReference, plainEntry, projectFile, under, userFile } from '../host.ts'

export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  files: [projectFile('servers', '.cursor', 'mcp.json'), userFile('servers', inHome('.cursor', 'mcp.json'))],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, variable: envReference, usual: 'project' },
  clients: ['cursor'],
  toolName: (server, tool) => `mcp_${server}_${tool}`,
  isDesktop: true,
}
