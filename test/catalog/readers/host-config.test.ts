import { describe, expect, test } from 'vitest'
import { unknownFormat } from '../../../src/catalog/readers.ts'
import { hostConfig } from '../../../src/catalog/readers/host-config.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

/** `${name}`, as configurations write what is to be filled in. */
const filledIn = (name: string) => `\${${name}}`
const documentOf = (config: unknown, path = '/home/ada/.mcp.json') =>
  documentFromText(path, typeof config === 'string' ? config : JSON.stringify(config), '.mcp.json')
const read = (config: unknown, path?: string) => hostConfig.read(documentOf(config, path))

const local = { command: 'npx', args: ['-y', 'notes@1'], env: { NOTES_TOKEN: filledIn('NOTES_TOKEN:-none') } }
const localLaunch = { transport: 'stdio', ...local }
const remote = {
  type: 'http',
  url: 'https://notes.test/mcp',
  headers: { Authorization: `Bearer ${filledIn('input:token')}` },
}
const remoteLaunch = { transport: 'http', url: remote.url, headers: remote.headers }

describe('a configuration', () => {
  test.each([
    { host: 'Claude, Cursor', config: { mcpServers: { notes: local, web: remote } } },
    {
      host: 'VS Code',
      config: { inputs: [{ id: 'token', type: 'promptString' }], servers: { notes: local, web: remote } },
    },
    {
      host: "VS Code's settings",
      config: { 'editor.fontSize': 12, mcp: { servers: { notes: local, web: remote } } },
    },
    { host: "VS Code's settings with dots", config: { 'mcp.servers': { notes: local, web: remote } } },
    { host: 'a plugin, without a wrapper', config: { notes: local, web: remote } },
    {
      host: 'anyone who writes comments',
      config: `// mine\n{ "mcpServers": { "notes": ${JSON.stringify(local)}, "web": ${JSON.stringify(remote)}, }, }`,
    },
  ])('of $host gives its servers with values unexpanded', ({ config }) => {
    expect(hostConfig.recognises(documentOf(config, '/home/ada/settings.json'))).toBe(true)
    const { servers, cards, problems } = read(config)
    expect(problems).toEqual([])
    expect(cards).toEqual([])
    expect(servers).toEqual([
      { name: 'notes', config: '/home/ada/.mcp.json', disabled: false, launch: localLaunch },
      { name: 'web', config: '/home/ada/.mcp.json', disabled: false, launch: remoteLaunch },
    ])
  })

  test.each([
    {
      why: 'an address alone means HTTP',
      entry: { url: 'https://a.test' },
      launch: { transport: 'http', url: 'https://a.test', headers: {} },
    },
    {
      why: 'sse is sse',
      entry: { type: 'sse', url: 'https://a.test' },
      launch: { transport: 'sse', url: 'https://a.test', headers: {} },
    },
    {
      why: 'streamable-http is HTTP',
      entry: { type: 'streamable-http', url: 'https://a.test' },
      launch: { transport: 'http' },
    },
    {
      why: 'streamableHttp is HTTP',
      entry: { type: 'streamableHttp', url: 'https://a.test' },
      launch: { transport: 'http' },
    },
    {
      why: 'some write httpUrl',
      entry: { httpUrl: 'https://a.test' },
      launch: { transport: 'http', url: 'https://a.test' },
    },
    {
      why: 'some write serverUrl',
      entry: { serverUrl: 'https://a.test' },
      launch: { transport: 'http', url: 'https://a.test' },
    },
    {
      why: 'the address may be a variable',
      entry: { url: filledIn('NOTES_URL') },
      launch: { url: filledIn('NOTES_URL') },
    },
    {
      why: 'a command alone is stdio',
      entry: { command: 'notes' },
      launch: { transport: 'stdio', command: 'notes', args: [], env: {} },
    },
    {
      why: 'a folder is kept',
      entry: { command: 'notes', cwd: filledIn('workspaceFolder') },
      launch: { cwd: filledIn('workspaceFolder') },
    },
    {
      why: 'numbers are texts',
      entry: { command: 'n', args: [1], env: { PORT: 80, ON: true, OFF: null } },
      launch: { args: ['1'], env: { PORT: '80', ON: 'true' } },
    },
  ])('knows that $why', ({ entry, launch }) => {
    const { servers, problems } = read({ mcpServers: { notes: entry } })
    expect(problems).toEqual([])
    expect(servers).toMatchObject([{ name: 'notes', launch }])
  })

  test.each([{ disabled: true }, { enabled: false }])('keeps a server with %j as switched off', (off) => {
    expect(read({ mcpServers: { notes: { ...local, ...off } } }).servers).toMatchObject([{ disabled: true }])
  })
})

describe("Claude Code's configuration of the user", () => {
  const config = {
    numStartups: 4,
    mcpServers: { notes: local },
    projects: {
      '/home/ada/garden': {
        mcpServers: { notes: local, beds: { command: 'beds' } },
        disabledMcpServers: ['beds'],
      },
      '/home/ada/house': { mcpServers: { notes: { command: 'other' }, beds: { command: 'beds' } } },
      'C:\\work\\attic': { mcpServers: { tidy: { command: './tidy.sh' } } },
      '/home/ada/attic': { mcpServers: { tidy: { command: './tidy.sh' } } },
      '/home/ada/empty': { mcpServers: {} },
    },
  }

  test('gives each server once, under a name of its own, in the folder of its project', () => {
    const { servers, problems } = read(config)
    expect(problems).toEqual([])
    expect(
      servers.map(({ name, disabled, launch }) => [name, disabled, 'cwd' in launch ? launch.cwd : undefined]),
    ).toEqual([
      ['notes', false, undefined],
      ['beds', true, '/home/ada/garden'],
      ['notes@house', false, '/home/ada/house'],
      ['beds@house', false, '/home/ada/house'],
      ['tidy', false, 'C:\\work\\attic'],
      ['tidy@attic', false, '/home/ada/attic'],
    ])
  })

  test('says in which project an entry is malformed', () => {
    const { problems } = read({ projects: { '/p': { mcpServers: { beds: {} } } } })
    expect(problems.map(({ field }) => field)).toEqual(['projects./p.mcpServers.beds'])
  })
})

describe('a malformed entry', () => {
  test.each([
    { entry: 'npx notes', field: 'mcpServers.bad' },
    { entry: {}, field: 'mcpServers.bad' },
    { entry: { command: 7 }, field: 'mcpServers.bad.command' },
    { entry: { type: 'stdio', url: 'https://a.test' }, field: 'mcpServers.bad.command' },
    { entry: { command: 'x', args: '-y notes' }, field: 'mcpServers.bad.args' },
    { entry: { command: 'x', args: ['-y', {}] }, field: 'mcpServers.bad.args[1]' },
    { entry: { command: 'x', env: ['A=1'] }, field: 'mcpServers.bad.env' },
    { entry: { command: 'x', env: { A: { B: 1 } } }, field: 'mcpServers.bad.env.A' },
    { entry: { type: 'http', url: '' }, field: 'mcpServers.bad.url' },
    { entry: { type: 'sse' }, field: 'mcpServers.bad.url' },
    { entry: { url: 'file:///etc/passwd' }, field: 'mcpServers.bad.url' },
    { entry: { httpUrl: 'notes' }, field: 'mcpServers.bad.httpUrl' },
    { entry: { url: 'https://a.test', headers: ['Authorization: x'] }, field: 'mcpServers.bad.headers' },
    { entry: { type: 'carrier-pigeon', url: 'https://a.test' }, field: 'mcpServers.bad.type' },
  ])('$entry is reported at $field while others are read', ({ entry, field }) => {
    const { servers, problems } = read({ mcpServers: { bad: entry, notes: local } })
    expect(servers.map(({ name }) => name)).toEqual(['notes'])
    expect(problems).toMatchObject([
      {
        severity: 'error',
        file: '.mcp.json',
        field,
        message: expect.any(String),
        remedy: expect.stringMatching(/\.$/),
      },
    ])
  })

  test('is reported without repeating any value', () => {
    const secret = 'sk-live-4815162342'
    const entries = {
      a: { command: secret, env: [secret] },
      b: { url: secret },
      c: { url: 'https://x.test', headers: secret },
      d: { type: secret },
      e: secret,
      f: { command: 'x', envFile: `.${secret}` },
    }
    const { problems } = read({ mcpServers: entries })
    expect(problems).toHaveLength(6)
    expect(JSON.stringify(problems)).not.toContain(secret)
  })
})

test('an environment file is a warning, and the server is kept', () => {
  const { servers, problems } = read({ servers: { notes: { ...local, envFile: '.env' } } })
  expect(servers).toHaveLength(1)
  expect(problems).toMatchObject([{ severity: 'warning', field: 'servers.notes.envFile' }])
})

test.each([
  { what: 'a bare map of addresses', json: { search: { url: 'https://a.test' } } },
  { what: 'a map of language servers', json: { servers: { python: { command: 'pyright' } } } },
  { what: 'a list of web servers', json: { servers: [{ url: 'https://a.test' }] } },
  { what: 'a package manifest', json: { name: 'x', scripts: { command: 'x' } } },
  { what: 'an empty object', json: {} },
])('$what is not taken for MCP servers: it would be started', ({ json }) => {
  expect(hostConfig.recognises(documentOf(json, '/home/ada/sites.json'))).toBe(false)
})

test('a file that is named after MCP needs no more proof', () => {
  expect(
    hostConfig.recognises(documentOf({ servers: { notes: { command: 'notes' } } }, '/p/.vscode/mcp.json')),
  ).toBe(true)
  expect(hostConfig.recognises(documentOf({ notes: { url: 'https://a.test' } }, '/p/.mcp.json'))).toBe(true)
})

test('a configuration in TOML that is broken says where', () => {
  const document = documentFromText(
    '/home/ada/.codex/config.toml',
    'model = "x"\n[mcp_servers.a\n',
    'config.toml',
  )
  expect(hostConfig.recognises(document)).toBe(false)
  expect(unknownFormat(document)).toMatchObject({
    severity: 'error',
    file: 'config.toml',
    field: 'line 2',
    message: expect.stringContaining('the TOML is broken at line 2: '),
  })
})
