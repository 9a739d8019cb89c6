import { type Host, envReference, plainEntry, projectFile, under, userFile } from '../host.ts'
import { joinOf } from '../surroundings.ts'
import { extensionFolders } from './vscode.ts'

/** Letters, digits, `_` and single dashes; the two dashes between the parts stay the only ones: src/utils/mcp-name.ts of Roo Code. */
function rooName(name: string): string {
  const plain = name
    .replace(/\s+/g, '_')
    .replace(/[^\w-]/g, '')
    .replace(/--+/g, '-')
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
}

export const roo: Host = {
  name: 'roo',
  title: 'Roo Code',
  files: [
    projectFile('servers', '.roo', 'mcp.json'),
    userFile('servers', (user) =>
      extensionFolders(user, 'rooveterinaryinc.roo-cline').map((folder) =>
        joinOf(user)(folder, 'mcp_settings.json'),
      ),
    ),
  ],
  format: 'json',
  writing: {
    key: under('mcpServers'),
    entry: plainEntry,
    variable: envReference,
    remoteType: 'streamable-http',
    usual: 'user',
  },
  clients: ['roo'],
  toolName: (server, tool) => `mcp--${rooName(server)}--${rooName(tool)}`.slice(0, 64),
  isDesktop: true,
}
