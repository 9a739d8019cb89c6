import { expect, test } from 'vitest'
import { hostNamed, hostOfClient, hosts } from '../../src/hosts/hosts.ts'

const long = 'x'.repeat(70)

test.each([
  { host: 'claude-code', server: 'slack', tool: 'post_message', name: 'mcp__slack__post_message' },
  { host: 'claude-code', server: 'claude.ai Mail', tool: 'send', name: 'mcp__claude_ai_Mail__send' },
  { host: 'claude-desktop', server: 'files', tool: 'read_file', name: 'files:read_file' },
  { host: 'vscode', server: 'github', tool: 'list_issues', name: 'github/list_issues' },
  { host: 'cursor', server: 'github', tool: 'list_issues', name: 'list_issues (server github)' },
  { host: 'windsurf', server: 'github', tool: 'list_issues', name: 'list_issues (server github)' },
  { host: 'codex', server: 'my-server', tool: 'run.all', name: 'mcp__my_server__run_all' },
  { host: 'codex', server: 's', tool: long, name: `${long} (server s)` },
  { host: 'gemini-cli', server: 'notes', tool: 'find', name: 'mcp_notes_find' },
  { host: 'gemini-cli', server: 'notes', tool: long, name: `${long} (server notes)` },
  { host: 'copilot-cli', server: 'github', tool: 'list_issues', name: 'github-list_issues' },
  { host: 'zed', server: 'github', tool: 'list_issues', name: 'list_issues' },
  { host: 'zed', server: 's', tool: long, name: long.slice(0, 64) },
  { host: 'cline', server: 'a', tool: 'b', name: 'b (server a)' },
  { host: 'roo', server: 'my server', tool: 'get--it!', name: 'mcp--my_server--get-it' },
  { host: 'roo', server: '7zip', tool: 'pack', name: 'mcp--_7zip--pack' },
  { host: 'opencode', server: 'my-server', tool: 'do', name: 'my-server_do' },
  { host: 'kiro', server: 'git', tool: 'log', name: 'log (server git)' },
  { host: 'opencode', server: 'my.server', tool: 'do it', name: 'my_server_do_it' },
  { host: 'junie', server: 'git', tool: 'log', name: 'log (server git)' },
  { host: 'jetbrains', server: 'git', tool: 'log', name: 'log (server git)' },
])('$host calls $tool of $server by $name', ({ host, server, tool, name }) => {
  expect(hostNamed(host)?.toolName(server, tool)).toBe(name)
})

test('no two hosts answer to one name', () => {
  for (const { name, clients } of hosts)
    for (const client of clients) expect(hostOfClient(client)?.name, client).toBe(name)
})

test.each([
  { client: 'claude-code', host: 'claude-code' },
  { client: 'claude-ai', host: 'claude-desktop' },
  { client: 'claude-ai (via mcp-remote 0.1.37)', host: 'claude-desktop' },
  { client: 'Visual Studio Code - Insiders', host: 'vscode' },
  { client: 'cursor-vscode', host: 'cursor' },
  { client: 'codex-mcp-client', host: 'codex' },
  { client: 'gemini-cli-mcp-client', host: 'gemini-cli' },
  { client: 'Roo Code', host: 'roo' },
  { client: 'opencode', host: 'opencode' },
  { client: 'mcp-inspector', host: undefined },
])('$client is $host', ({ client, host }) => {
  expect(hostOfClient(client)?.name).toBe(host)
})
