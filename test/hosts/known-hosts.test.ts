import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readHostServers, hostConfig } from '../../src/catalog/readers/host-config.ts'
import { documentFromText, openDocument } from '../../src/catalog/source-document.ts'
import { hostBlock, scopesOf } from '../../src/hosts/block.ts'
import { discover } from '../../src/hosts/discover.ts'
import { hostNamed, hosts } from '../../src/hosts/hosts.ts'
import { isOwnEntry } from '../../src/hosts/own-entry.ts'
import type { Surroundings } from '../../src/hosts/surroundings.ts'
import { HostConfigError, keptConfigsIn } from '../../src/hosts/writing/replace-file.ts'
import { writeHostConfig } from '../../src/hosts/writing/write-config.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

/** `${name}`, as configurations write what is to be filled in. */
const filledIn = (name: string) => `\u0024{${name}}`
const secret = 'sk-live-4815162342'

/** What each configuration below says, however it says it. */
const notes = {
  name: 'notes',
  disabled: false,
  launch: {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'notes@1'],
    env: { NOTES_TOKEN: secret },
  },
}
const web = {
  name: 'web',
  disabled: false,
  launch: { url: 'https://web.test/mcp', headers: { Authorization: `Bearer ${secret}` } },
}
const old = { name: 'old', disabled: true }

const local = `"command": "npx", "args": ["-y", "notes@1"], "env": {"NOTES_TOKEN": "${secret}"}`
const headers = `"headers": {"Authorization": "Bearer ${secret}"}`

/** The words that most hosts share. */
const common = (key: string, off = '"disabled": true') => `{
  // mine
  "${key}": {
    "notes": { ${local} }, /* keep */
    "web": { "type": "http", "url": "https://web.test/mcp", ${headers} },
    "old": { "command": "old", ${off} },
  },
}
`

type Case = {
  readonly host: string
  /** Path of the file on Linux, in the project `app` or in the home folder. */
  readonly file: string
  readonly text: string
  readonly env?: { readonly [name: string]: string }
  /** @defaultValue all three servers above */
  readonly servers?: readonly object[]
  /** Only what a list names may be started. */
  readonly isListed?: true
}

const toml = `# mine
model = "large"

[mcp_servers.notes]
command = "npx"
args = ["-y", "notes@1"]
env = { NOTES_TOKEN = "${secret}" }

[mcp_servers.web]
url = "https://web.test/mcp"
http_headers = { Authorization = "Bearer ${secret}" }

[mcp_servers.old]
command = "old"
enabled = false # for now

[tui]
theme = "dark"
`

const cases: readonly Case[] = [
  { host: 'claude-code', file: 'app/.mcp.json', text: common('mcpServers') },
  { host: 'claude-code', file: 'home/.claude.json', text: common('mcpServers') },
  {
    host: 'claude-desktop',
    file: 'home/.config/Claude/claude_desktop_config.json',
    text: common('mcpServers'),
  },
  { host: 'vscode', file: 'app/.vscode/mcp.json', text: common('servers') },
  { host: 'vscode', file: 'home/.config/Code/User/mcp.json', text: common('servers') },
  { host: 'vscode', file: 'home/.config/VSCodium/User/mcp.json', text: common('servers') },
  { host: 'cursor', file: 'app/.cursor/mcp.json', text: common('mcpServers') },
  { host: 'cursor', file: 'home/.cursor/mcp.json', text: common('mcpServers') },
  { host: 'windsurf', file: 'home/.codeium/windsurf/mcp_config.json', text: common('mcpServers') },
  {
    host: 'windsurf',
    file: 'home/.codeium/windsurf/mcp_config.json',
    text: `{"mcpServers": {"web": {"serverUrl": "https://web.test/mcp", ${headers}}}}`,
    servers: [web],
  },
  { host: 'codex', file: 'app/.codex/config.toml', text: toml },
  { host: 'codex', file: 'home/.codex/config.toml', text: toml },
  { host: 'codex', file: 'codex/config.toml', text: toml, env: { CODEX_HOME: 'codex' } },
  {
    host: 'codex',
    file: 'home/.codex/config.toml',
    text: `[mcp_servers]
notes = { command = "notes", env_vars = ["NOTES_TOKEN", { name = "NOTES_KEY", source = "local" }] }
web.url = "https://web.test/mcp"
web.bearer_token_env_var = "WEB_TOKEN"
web.env_http_headers = { X-Team = "TEAM" }
`,
    servers: [
      {
        name: 'notes',
        launch: { env: { NOTES_TOKEN: filledIn('NOTES_TOKEN:-'), NOTES_KEY: filledIn('NOTES_KEY:-') } },
      },
      {
        name: 'web',
        launch: {
          transport: 'http',
          headers: { Authorization: `Bearer ${filledIn('WEB_TOKEN')}`, 'X-Team': filledIn('TEAM:-') },
        },
      },
    ],
  },
  { host: 'gemini-cli', file: 'app/.gemini/settings.json', text: common('mcpServers') },
  { host: 'gemini-cli', file: 'home/.gemini/settings.json', text: common('mcpServers') },
  {
    host: 'gemini-cli',
    file: 'gemini/.gemini/settings.json',
    env: { GEMINI_CLI_HOME: 'gemini' },
    text: `{"mcp": {"excluded": [" Old "], "allowed": []}, "mcpServers": {
      "notes": {"command": "$HOME/notes", "args": ["${filledIn('LEVEL:-1')}"], "env": {"KEY": "$NOTES_TOKEN"}},
      "web": {"httpUrl": "https://web.test/mcp", ${headers}},
      "old": {"command": "old"}}}`,
    servers: [
      {
        name: 'notes',
        launch: {
          command: `${filledIn('HOME')}/notes`,
          args: [filledIn('LEVEL:-1')],
          env: { KEY: filledIn('NOTES_TOKEN') },
        },
      },
      web,
      old,
    ],
  },
  {
    host: 'gemini-cli',
    file: 'home/.gemini/settings.json',
    text: `{"mcp": {"allowed": ["notes"]}, "mcpServers": {"notes": {${local}}, "old": {"command": "old"}}}`,
    servers: [notes, old],
    isListed: true,
  },
  { host: 'copilot-cli', file: 'app/.github/mcp.json', text: common('mcpServers') },
  { host: 'copilot-cli', file: 'home/.copilot/mcp-config.json', text: common('mcpServers') },
  {
    host: 'copilot-cli',
    file: 'copilot/mcp-config.json',
    env: { COPILOT_HOME: 'copilot' },
    text: `{"mcpServers": {"notes": {"type": "local", ${local}, "tools": ["*"]}}}`,
    servers: [notes],
  },
  { host: 'zed', file: 'app/.zed/settings.json', text: common('context_servers', '"enabled": false') },
  { host: 'zed', file: 'home/.config/zed/settings.json', text: common('context_servers') },
  {
    host: 'zed',
    file: 'xdg/zed/settings.json',
    env: { XDG_CONFIG_HOME: 'xdg' },
    text: `{"theme": "One", "context_servers": {"notes": {"source": "custom",
      "command": {"path": "npx", "args": ["-y", "notes@1"], "env": {"NOTES_TOKEN": "${secret}"}}}}}`,
    servers: [notes],
  },
  { host: 'cline', file: 'home/.cline/data/settings/cline_mcp_settings.json', text: common('mcpServers') },
  {
    host: 'cline',
    file: 'home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    text: common('mcpServers'),
  },
  {
    host: 'cline',
    file: 'cline/settings/cline_mcp_settings.json',
    env: { CLINE_DATA_DIR: 'cline' },
    text: `{"mcpServers": {"notes": {"transport": {"type": "stdio", ${local}}},
      "web": {"transport": {"type": "streamableHttp", "url": "https://web.test/mcp", ${headers}}},
      "old": {"transport": {"type": "stdio", "command": "old"}, "disabled": true}}}`,
  },
  { host: 'roo', file: 'app/.roo/mcp.json', text: common('mcpServers') },
  {
    host: 'roo',
    file: 'home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    text: common('mcpServers').replace('"http"', '"streamable-http"'),
  },
  {
    host: 'roo',
    file: 'home/.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    text: common('mcpServers'),
  },
  { host: 'kiro', file: 'app/.kiro/settings/mcp.json', text: common('mcpServers') },
  { host: 'kiro', file: 'home/.kiro/settings/mcp.json', text: common('mcpServers') },
  ...['app/opencode.json', 'app/.opencode/opencode.jsonc', 'home/.config/opencode/opencode.json'].map(
    (file): Case => ({
      host: 'opencode',
      file,
      text: `{
  "$schema": "https://opencode.test/config.json",
  "mcp": {
    "notes": { "type": "local", "command": ["npx", "-y", "notes@1"], "environment": {"NOTES_TOKEN": "${secret}"} },
    "web": { "type": "remote", "url": "https://web.test/mcp", ${headers} }, // keep
    "old": { "type": "local", "command": ["old"], "enabled": false }
  }
}
`,
    }),
  ),
  {
    host: 'opencode',
    file: 'app/opencode.jsonc',
    text: `{ "mcp": { "timeout": 5000, "servers": {
      "notes": { "type": "local", "command": ["npx", "-y", "notes@1"], "environment": {"NOTES_TOKEN": "{env:TOKEN}"} },
      "old": { "type": "remote", "url": "https://old.test", "disabled": true } } } }`,
    servers: [{ ...notes, launch: { env: { NOTES_TOKEN: filledIn('TOKEN:-') } } }, old],
  },
  { host: 'junie', file: 'app/.junie/mcp/mcp.json', text: common('mcpServers') },
  { host: 'junie', file: 'home/.junie/mcp/mcp.json', text: common('mcpServers') },
]

/** A machine with this one configuration. */
function machineOf({ file, text, env = {} }: Case) {
  const root = temporaryFolder()
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  mkdirSync(join(root, 'app'), { recursive: true })
  writeFileSync(path, text)
  const place: Surroundings = {
    cwd: join(root, 'app'),
    home: join(root, 'home'),
    platform: 'linux',
    env: Object.fromEntries(Object.entries(env).map(([name, folder]) => [name, join(root, folder)])),
  }
  return { root, path, place }
}

const launch = { command: '/opt/node', args: ['/opt/audition/dist/cli/main.js', 'serve'], env: {} }
const read = (path: string, place: Surroundings) => readHostServers(openDocument(path), place)

describe.skipIf(process.platform === 'win32').each(cases)('$host at $file', (one) => {
  const host = hostNamed(one.host)!
  const scope = one.file.startsWith('app/') ? 'project' : 'user'
  const expected = one.servers ?? [notes, web, old]

  test('is found', () => {
    const { root, place } = machineOf(one)
    expect(discover(place).map(({ path, host: found }) => [relative(root, path), found])).toEqual([
      [one.file, host],
    ])
  })

  test('gives its servers', () => {
    const { path, place } = machineOf(one)
    expect(hostConfig.recognises(openDocument(path))).toBe(true)
    const { servers, problems } = read(path, place)
    expect(problems).toEqual([])
    expect(servers).toMatchObject(expected)
  })

  test('takes Audition beside them and keeps every character, once', async () => {
    const { path, place } = machineOf(one)
    const kept = keptConfigsIn(temporaryFolder())
    const block = hostBlock(host, launch, { place, scope })
    expect(block.path).toBe(path)
    expect(await writeHostConfig({ ...block, path }, kept)).toMatchObject({ outcome: 'added', path })
    const text = readFileSync(path, 'utf8')
    expect(isSubsequence(one.text, text)).toBe(true)
    const { servers } = read(path, place)
    expect(servers.filter((entry) => !isOwnEntry(entry))).toMatchObject(expected)
    expect(servers.filter(isOwnEntry)).toEqual([
      {
        name: 'audition',
        config: path,
        disabled: one.isListed === true, // whoever lists what may start has to list it too
        launch: { transport: 'stdio', ...launch },
      },
    ])
    const again = hostBlock(host, launch, { place, scope })
    expect(await writeHostConfig({ ...again, path }, kept)).toEqual({ outcome: 'unchanged', path })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('stays untouched when it is broken', async () => {
    const { path, place } = machineOf(one)
    const broken = `${one.text.slice(0, -3)}{`
    writeFileSync(path, broken)
    const attempt = writeHostConfig(
      { ...hostBlock(host, launch, { place, scope }), path },
      keptConfigsIn(temporaryFolder()),
    )
    await expect(attempt).rejects.toThrow(HostConfigError)
    await expect(attempt).rejects.not.toThrow(secret)
    expect(readFileSync(path, 'utf8')).toBe(broken)
  })

  test('takes the same block when there is no file yet', async () => {
    const { path, place } = machineOf({ ...one, text: '' })
    const block = hostBlock(host, launch, { place, scope })
    await writeHostConfig({ ...block, path }, keptConfigsIn(temporaryFolder()))
    expect(readFileSync(path, 'utf8')).toBe(block.text)
    expect(read(path, place).servers).toMatchObject([{ name: 'audition', launch }])
  })
})

describe('every host', () => {
  test.each(hosts)('$name stands in the table of configurations above for each of its scopes', (host) => {
    const covered = cases.filter((one) => one.host === host.name).map(({ file }) => file.startsWith('app/'))
    expect(scopesOf(host).filter((scope) => !covered.includes(scope === 'project'))).toEqual([])
  })

  test.each(hosts)('$name repeats no value of a malformed entry', (host) => {
    const entries = {
      a: { type: secret },
      b: { command: [secret, { deep: secret }], type: 'local' },
      c: { url: secret },
      d: { url: 'https://x.test', headers: secret },
      e: { command: 'x', env: [secret], environment: secret, args: secret },
      f: secret,
    }
    const [name, ...inner] = host.writing.key({}).toReversed()
    const config = inner.reduce<object>((held, key) => ({ [key]: held }), { [name!]: entries })
    const path = host.files[0]?.ways?.[0]?.join('/') ?? 'mcp.json'
    const { problems, servers } = hostConfig.read(
      documentFromText(
        `/app/${host.format === 'toml' ? 'settings.json' : path}`,
        JSON.stringify(config),
        'config',
      ),
    )
    expect(problems.length).toBeGreaterThan(3)
    expect(JSON.stringify([problems, servers.filter(({ name: one }) => one !== 'b')])).not.toContain(secret)
  })
})

test.each([
  { host: 'claude-desktop', home: 'C:\\Users\\me', path: 'D:\\R\\Claude\\claude_desktop_config.json' },
  { host: 'vscode', home: 'C:\\Users\\me', path: 'D:\\R\\Code\\User\\mcp.json' },
  { host: 'zed', home: 'C:\\Users\\me', path: 'D:\\R\\Zed\\settings.json' },
  { host: 'codex', home: 'C:\\Users\\me', path: 'C:\\Users\\me\\.codex\\config.toml' },
  { host: 'gemini-cli', home: 'C:\\Users\\me', path: 'C:\\Users\\me\\.gemini\\settings.json' },
  { host: 'copilot-cli', home: 'C:\\Users\\me', path: 'C:\\Users\\me\\.copilot\\mcp-config.json' },
  { host: 'opencode', home: 'C:\\Users\\me', path: 'C:\\Users\\me\\.config\\opencode\\opencode.json' },
  {
    host: 'cline',
    home: 'C:\\Users\\me',
    path: 'C:\\Users\\me\\.cline\\data\\settings\\cline_mcp_settings.json',
  },
  {
    host: 'roo',
    home: 'C:\\Users\\me',
    path: 'D:\\R\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json',
  },
  { host: 'windsurf', home: 'C:\\Users\\me', path: 'C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json' },
  {
    host: 'claude-desktop',
    home: '/Users/me',
    path: '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
  },
  {
    host: 'vscode',
    home: '/Users/me',
    path: '/Users/me/Library/Application Support/Code/User/mcp.json',
  },
  { host: 'zed', home: '/Users/me', path: '/Users/me/.config/zed/settings.json' },
  { host: 'opencode', home: '/Users/me', path: '/Users/me/.config/opencode/opencode.json' },
  { host: 'kiro', home: '/Users/me', path: '/Users/me/.kiro/settings/mcp.json' },
])('the user’s file of $host in $home is $path', ({ host, home, path }) => {
  const isWindows = home.includes('\\')
  const place: Surroundings = {
    cwd: home,
    home,
    platform: isWindows ? 'win32' : 'darwin',
    env: isWindows ? { APPDATA: 'D:\\R' } : {},
  }
  expect(hostBlock(hostNamed(host)!, launch, { place, scope: 'user' }).path).toBe(path)
})

test('a host without a file to write says where a person pastes the block', () => {
  const place: Surroundings = { cwd: '/app', home: '/home/me', platform: 'linux', env: {} }
  const block = hostBlock(hostNamed('jetbrains')!, launch, { place })
  expect(block).toMatchObject({ path: null, config: { mcpServers: { audition: { args: launch.args } } } })
  expect(hostNamed('jetbrains')!.writing.paste).toContain('Settings')
})

test.each([
  { host: 'vscode', entry: { type: 'stdio', command: '/opt/node' } },
  // What keeps our tools from being put behind the host's own search of tools.
  { host: 'claude-code', entry: { command: '/opt/node', alwaysLoad: true } },
  { host: 'copilot-cli', entry: { type: 'local', tools: ['*'], deferTools: 'never' } },
  { host: 'zed', entry: { source: 'custom', command: '/opt/node' } },
  {
    host: 'opencode',
    entry: { type: 'local', command: ['/opt/node', ...launch.args], environment: { AUDITION_HOME: '/d' } },
  },
])('the entry of $host is in its own words', ({ host, entry }) => {
  const place: Surroundings = { cwd: '/app', home: '/home/me', platform: 'linux', env: {} }
  const block = hostBlock(hostNamed(host)!, { ...launch, env: { AUDITION_HOME: '/d' } }, { place })
  expect(block.entry).toMatchObject(entry)
})

test('gemini mcp disable counts, whatever file names the server', () => {
  const one = cases.find(({ file }) => file === 'app/.gemini/settings.json')!
  const { root, path, place } = machineOf(one)
  const choices = join(root, 'home/.gemini/mcp-server-enablement.json')
  mkdirSync(dirname(choices), { recursive: true })
  writeFileSync(choices, '{"notes": {"enabled": false}, "web": {"enabled": true}}')
  expect(read(path, place).servers).toMatchObject([
    { name: 'notes', disabled: true, disabledIn: choices },
    { name: 'web', disabled: false },
    { name: 'old', disabled: true },
  ])
})

test.each([
  {
    why: 'an extension of Zed starts it',
    path: '/home/me/.config/zed/settings.json',
    config: { context_servers: { a: { settings: { token: secret } } } },
    severity: 'warning',
  },
  {
    why: 'an entry of opencode only switches another',
    path: '/app/opencode.json',
    config: { mcp: { a: { enabled: false } } },
    severity: 'warning',
  },
  {
    why: 'a value of opencode lies in a file',
    path: '/app/opencode.json',
    config: { mcp: { a: { type: 'remote', url: 'https://a.test', headers: { K: '{file:~/k}' } } } },
    severity: 'error',
  },
])('a server is left out and told when $why', ({ path, config, severity }) => {
  const { servers, problems } = hostConfig.read(documentFromText(path, JSON.stringify(config)))
  expect(servers).toEqual([])
  expect(problems).toMatchObject([{ severity }])
  expect(JSON.stringify(problems)).not.toContain(secret)
})

/** Whether the characters of one text stand in the other in the same order. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (character === part[at]) at++
  return at === part.length
}
