import { type Host, inHome, plainEntry, projectFile, under, userFile, ofServer } from '../host.ts'

const parts = ['.junie', 'mcp', 'mcp.json'] as const

/** The agent of JetBrains; it has files of its own, unlike the assistant. */
export const junie: Host = {
  name: 'junie',
  title: 'Junie',
  files: [projectFile('servers', ...parts), userFile('servers', inHome(...parts))],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, usual: 'user' },
  clients: ['junie'],
  toolName: ofServer,
  isDesktop: true,
}

/** AI Assistant in the IDEs of JetBrains: its servers lie in settings that no other program may write. */
export const jetbrains: Host = {
  name: 'jetbrains',
  title: 'JetBrains AI Assistant',
  files: [],
  format: 'json',
  writing: {
    key: under('mcpServers'),
    entry: plainEntry,
    usual: 'user',
    paste: 'Settings | Tools | AI Assistant | Model Context Protocol (MCP), Add, As JSON',
  },
  clients: ['jetbrains', 'ai assistant'],
  toolName: ofServer,
  isDesktop: true,
}
