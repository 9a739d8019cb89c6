import { type Host, inHome, plainEntry, under, userFile } from '../host.ts'

export const windsurf: Host = {
  name: 'windsurf',
  title: 'Windsurf',
  files: [userFile('servers', inHome('.codeium', 'windsurf', 'mcp_config.json'))],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, usual: 'user' },
  isDesktop: true,
}
