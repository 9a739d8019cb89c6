import { envReference, type Host, plainEntry, projectFile, under, userFile } from '../host.ts'
import { type HostUser, joinOf, settingsFolder } from '../surroundings.ts'

const products = ['Code', 'Code - Insiders', 'VSCodium']

/** Where VS Code and its siblings keep a user's settings; most do not exist. */
const userFolders = (user: HostUser): readonly string[] =>
  products.map((product) => joinOf(user)(settingsFolder(user), product, 'User'))

const inUserFolders = (name: string) => (user: HostUser) =>
  userFolders(user).map((folder) => joinOf(user)(folder, name))

/** VS Code: `servers` of its own files, and `mcp.servers` of the settings, where it kept them first. */
export const vscode: Host = {
  name: 'vscode',
  title: 'VS Code',
  files: [
    projectFile('servers', '.vscode', 'mcp.json'),
    userFile('servers', inUserFolders('mcp.json')),
    userFile('settings', inUserFolders('settings.json')),
  ],
  format: 'json',
  writing: {
    key: under('servers'),
    entry: (launch) => ({ type: 'stdio', ...plainEntry(launch) }),
    variable: envReference,
    remoteType: 'http',
    usual: 'project',
  },
  clients: ['visual studio code', 'vscode'],
  toolName: (server, tool) => `${server}/${tool}`,
  isDesktop: true,
}

/**
 * Where extensions of VS Code and of the editors made from it keep files of their own, on this machine and where it is
 * the far end of a remote session.
 */
export function extensionFolders(user: HostUser, extension: string): readonly string[] {
  const join = joinOf(user)
  const editors = [...products, 'Cursor', 'Windsurf'].map((product) =>
    join(settingsFolder(user), product, 'User'),
  )
  const remote = ['.vscode-server', '.cursor-server'].map((folder) => join(user.home, folder, 'data', 'User'))
  return [...editors, ...remote].map((folder) => join(folder, 'globalStorage', extension, 'settings'))
}
