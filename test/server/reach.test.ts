import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { serveHttp } from '../../src/server/serve-http.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { agentCard, fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { connectInMemory, testClient } from './connect.ts'

/** A user with two hosts: the project's `.mcp.json` has `forge`, Cursor has the same program and `mail`. */
function place() {
  const root = folderWith({})
  const [home, project, other] = ['home', 'app', 'other'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  const write = (path: string, value: unknown): string => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, JSON.stringify(value))
    return path
  }
  const forge = { command: 'forge-mcp', args: ['--all'] }
  const mcp = write(join(project, '.mcp.json'), { mcpServers: { forge } })
  const cursor = write(join(home, '.cursor', 'mcp.json'), {
    mcpServers: { 'forge-copy': forge, mail: { command: 'mail-mcp', env: { MAIL_TOKEN: 's3cret-value-1' } } },
  })
  mkdirSync(other)
  mkdirSync(join(project, '.git'))
  const agents = join(project, '.claude', 'agents')
  mkdirSync(agents, { recursive: true })
  return { mcp, cursor, home, project, other, agents }
}

const ofServer = (id: string, config: string, server: string, description: string) =>
  toolCard(id, {
    description,
    runtime: { kind: 'mcp', transport: 'stdio', config, server, display: displays[server] ?? server },
  })

/** What starts the servers, as it was indexed. */
const displays: { readonly [server: string]: string } = {
  forge: 'forge-mcp --all',
  'forge-copy': 'forge-mcp --all',
  mail: 'mail-mcp',
}

type Given = {
  readonly client: string
  readonly calls?: boolean
  readonly roots?: string
  readonly hostName?: string
}

async function asked(given: Given, tool: string, input: object) {
  const at = place()
  const cards = [
    ofServer('forge/list_issues', at.mcp, 'forge', 'List the open issues'),
    ofServer('copies/list_issues_too', at.cursor, 'forge-copy', 'List the open issues too'),
    ofServer('mail/list_letters', at.cursor, 'mail', 'List the open letters'),
    ...(input && 'query' in input && input.query === 'list the open parcels'
      ? [ofServer('gone/list_parcels', at.cursor, 'gone', 'List the open parcels')]
      : []),
    agentCard('app/reviewer', {
      agentKind: 'subagent',
      description: 'Reviews the open issues',
      provenance: { reader: 'claude-subagent', location: join(at.agents, 'reviewer.md') },
    }),
    agentCard('far/planner', { agentKind: 'a2a', description: 'Plans the open issues' }),
  ]
  const app = fakeAudition(cards)
  const client = testClient(given.roots === undefined ? {} : { capabilities: { roots: {} } }, given.client)
  if (given.roots !== undefined) {
    const uri = pathToFileURL(given.roots === 'app' ? at.project : at.other).href
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri }] }))
  }
  await connectInMemory(app, {
    client,
    surrounded: {
      user: { home: at.home, platform: 'linux', env: {} },
      cwd: given.roots === undefined ? at.project : '/',
      calls: given.calls ?? false,
      ...(given.hostName === undefined ? {} : { hostName: given.hostName }),
    },
  })
  const answer = await client.callTool({ name: tool, arguments: { ...input } })
  await client.close()
  const text = (answer.content[0] as { readonly text: string }).text
  const structured = (answer.structuredContent ?? {}) as {
    readonly candidates?: readonly { readonly id: string; readonly call?: string; readonly reach?: string }[]
    readonly next?: string
    readonly note?: string
  }
  const reaches = (structured.candidates ?? []).map(({ id, call, reach }) => [id, call ?? reach])
  return {
    answer,
    text,
    reaches: Object.fromEntries(reaches),
    order: reaches.map(([id]) => id),
    ...structured,
  }
}

const issues = { query: 'list the open issues' }

test('Claude Code hears the exact name, of the same program under another name too, and what is not here', async () => {
  const { reaches, next, text } = await asked({ client: 'claude-code' }, 'search_tools', issues)
  expect(reaches).toEqual({
    'forge/list_issues': 'mcp__forge__list_issues',
    'copies/list_issues_too': 'mcp__forge__list_issues_too',
    'mail/list_letters': 'not here',
  })
  expect(next).toContain('ToolSearch {"query":"select:<call>"}')
  expect(next).toContain('`audition hire mail/list_letters --into claude-code`')
  expect(text).toContain('by mcp__forge__list_issues')
})

test.each([
  {
    why: 'it can be written there',
    asker: 'claude-code',
    line: 'audition hire mail/list_letters --into claude-code',
  },
  {
    why: 'it has no file that can be written',
    asker: 'jetbrains',
    line: 'audition init jetbrains --add mail/list_letters',
  },
  {
    why: 'it fills in no variables, and the server needs one',
    asker: 'zed',
    line: 'audition init zed --add mail/list_letters',
  },
])('$asker hears `$line`, since $why', async ({ asker, line }) => {
  const { next } = await asked({ client: asker }, 'search_tools', { query: 'list the open letters' })
  expect(next).toContain(`Not here: the user adds it by \`${line}\`.`)
})

test('a sub-agent that is not here is hired too, and a server that nobody names any more is told', async () => {
  const outside = await asked({ client: 'claude-code', roots: 'other' }, 'search_agents', {
    task: 'review the open issues',
  })
  expect(outside.reaches['app/reviewer']).toBe('not here')
  expect(outside.next).toContain('`audition hire app/reviewer --into claude-code`')
  const gone = await asked({ client: 'claude-code' }, 'search_tools', { query: 'list the open parcels' })
  expect(gone.reaches['gone/list_parcels']).toBe('not here')
  expect(gone.next).toContain('no configuration of this machine names its server any more')
})

test('the roots of a client say which project it is in', async () => {
  const inside = await asked({ client: 'claude-code', roots: 'app' }, 'search_tools', issues)
  expect(inside.reaches['forge/list_issues']).toBe('mcp__forge__list_issues')
  const outside = await asked({ client: 'claude-code', roots: 'other' }, 'search_tools', issues)
  expect(outside.reaches['forge/list_issues']).toBe('not here')
})

test('a host that does not say who it is goes by the flag, and nobody known gets no reach', async () => {
  const flagged = await asked({ client: 'something', hostName: 'cursor' }, 'search_tools', issues)
  expect(flagged.reaches['mail/list_letters']).toBe('list_letters (server mail)')
  const unknown = await asked({ client: 'something' }, 'search_tools', issues)
  expect(Object.values(unknown.reaches)).toEqual([undefined, undefined, undefined])
  expect(unknown.next).toBe('Call the chosen one on its server.')
})

test('with --call what is not here is reached through audition', async () => {
  const { reaches, next } = await asked({ client: 'claude-code', calls: true }, 'search_tools', issues)
  expect(reaches['mail/list_letters']).toBe('through audition')
  expect(next).toContain('call_tool')
})

test('of near-equals the one that is here comes first', async () => {
  const query = { query: 'list the open letters, the open issues' }
  const { order } = await asked({ client: 'claude-code' }, 'search_tools', query)
  const anywhere = await asked({ client: 'something' }, 'search_tools', query)
  expect(anywhere.order[0]).toBe('mail/list_letters')
  expect(order[0]).not.toBe('mail/list_letters')
})

test('reach: here narrows, and says when it cannot', async () => {
  const here = await asked({ client: 'claude-code' }, 'search_tools', { ...issues, reach: 'here' })
  expect(here.order).not.toContain('mail/list_letters')
  const unknown = await asked({ client: 'something' }, 'search_tools', { ...issues, reach: 'here' })
  expect(unknown.answer.isError).toBe(true)
  expect(unknown.text).toContain('Which host asks is not known')
})

test('a sub-agent of Claude Code is here for Claude Code, and no candidate for a host that cannot run it', async () => {
  const task = { task: 'review the open issues' }
  const own = await asked({ client: 'claude-code' }, 'search_agents', task)
  expect(own.reaches['app/reviewer']).toBe('Agent tool, subagent_type "reviewer"')
  const other = await asked({ client: 'cursor-vscode' }, 'search_agents', task)
  expect(other.order).toEqual(['far/planner'])
  expect(other.note).toContain('Left out, since Cursor cannot run them: subagent.')
})

test('over HTTP every request of the current revision says who sends it; servers of the user count, of no project', async () => {
  const at = place()
  const cards = [
    ofServer('forge/list_issues', at.mcp, 'forge', 'List the open issues'),
    ofServer('mail/list_letters', at.cursor, 'mail', 'List the open letters'),
  ]
  const surrounded = { user: { home: at.home, platform: 'linux', env: {} }, cwd: null } as const
  const served = await serveHttp(fakeAudition(cards), { port: 0, surrounded })
  onTestFinished(() => served.close())
  const client = testClient({ versionNegotiation: { mode: 'auto' } }, 'cursor-vscode')
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)))
  onTestFinished(() => client.close())
  const { structuredContent } = await client.callTool({ name: 'search_tools', arguments: issues })
  expect(structuredContent).toMatchObject({
    candidates: [
      { id: 'forge/list_issues', call: 'list_issues (server forge-copy)' },
      { call: 'list_letters (server mail)' },
    ],
  })
})
