import { type Host, plainEntry, projectFile, under, userFile } from '../host.ts'
import { joinOf } from '../surroundings.ts'
import { extensionFolders } from './vscode.ts'

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
  writing: { key: under('mcpServers'), entry: plainEntry, usual: 'user' },
  isDesktop: true,
}
