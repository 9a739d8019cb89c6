import { reference } from '../entry.ts'
import { type Host, inHome, plainEntry, projectFile, under, userFile, inWords } from '../host.ts'
import { type HostUser, joinOf } from '../surroundings.ts'

const folder = (user: HostUser): string => user.env.COPILOT_HOME || inHome('.copilot')(user)

/**
 * GitHub Copilot CLI; a project's `.mcp.json`, which it reads too, is found for Claude Code already. Names: `<server>-<tool>`
 * (github/copilot-sdk, issues 861 and 869).
 */
export const copilotCli: Host = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  files: [
    projectFile('servers', '.github', 'mcp.json'),
    userFile('servers', (user) => joinOf(user)(folder(user), 'mcp-config.json')),
  ],
  folders: [
    {
      scope: 'project',
      at: (place) => joinOf(place)(place.cwd, '.github', 'agents'),
      what: 'Copilot agents',
    },
    { scope: 'user', at: (place) => joinOf(place)(folder(place), 'agents'), what: 'Copilot agents' },
  ],
  format: 'json',
  writing: {
    key: under('mcpServers'),
    // Its own tool search would put ours behind it.
    entry: (launch) => ({ type: 'local', ...plainEntry(launch), tools: ['*'], deferTools: 'never' }),
    variable: reference,
    remoteType: 'http',
    usual: 'user',
  },
  clients: ['github-copilot', 'copilot'],
  toolName: (server, tool) => `${inWords(server)}-${inWords(tool)}`,
  agents: { subagent: (name) => `task tool, agent_type ${JSON.stringify(name)}` },
  isDesktop: false,
}
