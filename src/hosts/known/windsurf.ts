import { type Host, inHome, envReference, plainEntry, under, userFile, ofServer } from '../host.ts'

export const windsurf: Host = {
  name: 'windsurf',
  title: 'Windsurf',
  files: [userFile('servers', inHome('.codeium', 'windsurf', 'mcp_config.json'))],
  format: 'json',
  writing: {
    key: under('mcpServers'),
    entry: plainEntry,
    variable: envReference,
    addressKey: 'serverUrl',
    usual: 'user',
  },
  clients: ['windsurf', 'codeium'],
  toolName: ofServer,
  isDesktop: true,
}
