import {
  type Host,
  inHome,
  envReference,
  ofServer,
  plainEntry,
  projectFile,
  under,
  userFile,
} from '../host.ts'

/**
 * Names changed with its versions: `mcp_<server>_<tool>` (verygoodplugins/mcp-automem, pull request 33), and later one tool that takes the
 * server as `user-<server>` or `project-0-<folder>-<server>` (tirth8205/code-review-graph, issue 304). So the parts are told.
 */
export const cursor: Host = {
  name: 'cursor',
  title: 'Cursor',
  files: [projectFile('servers', '.cursor', 'mcp.json'), userFile('servers', inHome('.cursor', 'mcp.json'))],
  format: 'json',
  writing: { key: under('mcpServers'), entry: plainEntry, variable: envReference, usual: 'project' },
  clients: ['cursor'],
  toolName: ofServer,
  isDesktop: true,
}
