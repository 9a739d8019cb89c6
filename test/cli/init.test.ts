import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { hostLaunch, isShortLived } from '../../src/cli/ask/host-launch.ts'
import { hostNames } from '../../src/hosts/hosts.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { fakeAudition, toolCard } from '../fakes/fake-audition.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const nobody = scriptedAudition({})
const emptyFolder = () => mkdtempSync(join(tmpdir(), 'audition-init-'))

/** A project, a home and a store, and a call of `audition init` among them. */
function machine() {
  const [cwd, home, store] = [emptyFolder(), emptyFolder(), emptyFolder()]
  const init = (...argv: readonly string[]) =>
    runCaptured(['init', ...argv], nobody, { cwd, home, env: { AUDITION_HOME: store } })
  return { cwd, home, store, init }
}

describe('audition init', () => {
  test('prints a block that can be piped, and says on standard error where it goes', async () => {
    const { cwd, init } = machine()
    const { code, stdout, stderr } = await init('claude-code')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      mcpServers: {
        audition: { args: [expect.stringMatching(/main\.js$/), 'serve', '--for', 'claude-code'] },
      },
    })
    expect(stderr).toContain(`Save this as ${join(cwd, '.mcp.json')}`)
    expect(existsSync(join(cwd, '.mcp.json'))).toBe(false)
  })

  test.each(hostNames)('of %s starts this Node.js and this installation by their paths', async (host) => {
    const { stdout } = await machine().init(host, '--json')
    const { block, text } = JSON.parse(stdout)
    const words = JSON.stringify(block)
    expect(words).not.toMatch(/npx|npm|dlx/)
    const { command, args } = Object.values<{ audition: { command: unknown; args?: string[] } }>(block)[0]!
      .audition
    const [program, main] = [command, args ?? []].flat(2) as string[]
    expect(program).toBe(realpathSync(process.execPath))
    expect(isAbsolute(main!)).toBe(true)
    expect(main).toMatch(/[\\/]dist[\\/]cli[\\/]main\.js$/)
    if (text !== undefined) expect(parse(text)).toEqual(block)
  })

  test('--write creates the file, and writing again changes nothing', async () => {
    const { cwd, init } = machine()
    const first = await init('claude-code', '--write')
    expect(first.stdout).toContain(`Created ${join(cwd, '.mcp.json')}.`)
    const written = readFileSync(join(cwd, '.mcp.json'), 'utf8')
    const second = await init('claude-code', '--write')
    expect(second.stdout).toContain('has Audition already')
    expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe(written)
  })

  test('--write leaves the rest of the file, and another entry of the name only with --replace', async () => {
    const { cwd, init } = machine()
    const path = join(cwd, '.mcp.json')
    const others = { mcpServers: { tracker: { command: 'x' }, audition: { command: 'y' } } }
    writeFileSync(path, JSON.stringify(others))
    const refused = await init('claude-code', '--write')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--replace')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(others)
    const replaced = await init('claude-code', '--write', '--replace', '--json')
    expect(JSON.parse(replaced.stdout)).toMatchObject({ host: 'claude-code', outcome: 'replaced', path })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      mcpServers: {
        tracker: { command: 'x' },
        audition: { args: [expect.any(String), 'serve', '--for', expect.any(String)] },
      },
    })
  })

  test('--write leaves nothing beside the file, says where the one of before is kept, and --undo puts it back', async () => {
    const { cwd, store, init } = machine()
    const path = join(cwd, '.mcp.json')
    const text = '{ "mcpServers": {} } // mine\n'
    writeFileSync(path, text)
    const { stdout } = await init('claude-code', '--write')
    expect(readdirSync(cwd)).toEqual(['.mcp.json'])
    expect(stdout).toContain(`is kept, for you alone: ${join(store, 'host-configs')}`)
    expect(stdout).toContain('`audition init claude-code --undo` takes it out again.')
    const undone = await init('claude-code', '--undo')
    expect(undone).toMatchObject({ code: 0, stdout: `${path} is as it was before.\n` })
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(join(store, 'host-configs'))).toEqual([])
  })

  test('--undo of a file that was made takes it away with its folder', async () => {
    const { cwd, init } = machine()
    await init('cursor', '--write')
    const { stdout } = await init('cursor', '--undo')
    expect(stdout).toContain('is gone again')
    expect(readdirSync(cwd)).toEqual([])
    expect((await init('cursor', '--undo')).stdout).toContain('has no entry of Audition')
  })

  test('--scope says whose file, and a project is told whose paths it gets', async () => {
    const { cwd, home, init } = machine()
    const user = await init('claude-code', '--scope', 'user', '--write')
    expect(user.stdout).toContain(`Created ${join(home, '.claude.json')}.`)
    expect(user.stdout).toContain('`audition init claude-code --scope user --undo`')
    expect(user.stdout).not.toContain('of this machine')
    const project = await init('claude-code')
    expect(project.stderr).toContain('Its paths are those of this machine.')
    expect(existsSync(join(cwd, '.mcp.json'))).toBe(false)
    const { code, stderr } = await init('windsurf', '--scope', 'project')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('only "user"') })
  })

  test('a host that was told not to start it is named with the file that says so', async () => {
    const { home, init } = machine()
    const settings = join(home, '.gemini', 'settings.json')
    mkdirSync(dirname(settings))
    writeFileSync(settings, '{"mcp": {"allowed": ["notes"]}}')
    const { stdout } = await init('gemini-cli', '--write')
    expect(stdout).toContain(`Gemini CLI will not start it yet: it is switched off in ${settings}.`)
  })

  test('a host without a file says where to paste the block, and cannot be written', async () => {
    const { init } = machine()
    const { code, stdout, stderr } = await init('jetbrains')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('mcpServers.audition.command')
    expect(stderr).toContain('Paste the block there: Settings')
    for (const argv of [['--write'], ['--undo'], ['--scope', 'user']]) {
      const refused = await init('jetbrains', ...argv)
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('has no file that can be written'),
      })
    }
  })

  test('--home is part of the block, as an absolute path', async () => {
    const { cwd, init } = machine()
    const { stdout } = await init('vscode', '--home', 'store', '--json')
    expect(JSON.parse(stdout).block.servers.audition).toMatchObject({
      type: 'stdio',
      env: { AUDITION_HOME: join(cwd, 'store') },
    })
  })

  test('without a host it lists them and their files', async () => {
    const { cwd, home, init } = machine()
    const { code, stdout } = await init()
    expect(code).toBe(0)
    for (const host of hostNames) expect(stdout).toContain(host)
    expect(stdout).toContain(join(cwd, '.vscode', 'mcp.json'))
    expect(stdout).toContain(join(home, '.codex', 'config.toml'))
    const listed = JSON.parse((await init('--json')).stdout)
    expect(listed).toContainEqual({
      host: 'claude-code',
      scope: 'user',
      path: join(home, '.claude.json'),
      exists: false,
    })
    expect(listed).toContainEqual(expect.objectContaining({ host: 'jetbrains', path: null }))
  })

  test.each([
    { why: 'an unknown host', argv: ['emacs'], expected: /Hosts: claude-code/ },
    { why: '--replace alone', argv: ['cursor', '--replace'], expected: /goes with --write/ },
    { why: '--write without a host', argv: ['--write'], expected: /Say which host/ },
    { why: '--write and --undo', argv: ['cursor', '--write', '--undo'], expected: /one of the two/ },
    { why: 'an unknown scope', argv: ['cursor', '--scope', 'world'], expected: /project, user/ },
  ])('ends with 2 on $why', async ({ argv, expected }) => {
    const { code, stderr } = await machine().init(...argv)
    expect(code).toBe(2)
    expect(stderr).toMatch(expected)
  })
})

describe('hostLaunch', () => {
  const place = { root: '/lib/node_modules/audition-mcp', node: '/opt/node/bin/node', cwd: '/work' }
  const started = {
    command: '/opt/node/bin/node',
    args: [join(place.root, 'dist', 'cli', 'main.js'), 'serve'],
  }

  test.each([
    { why: 'an installed package is started by its path', env: {}, expected: {} },
    {
      why: 'a store in a folder is named by its path',
      env: { AUDITION_HOME: 'store' },
      expected: { AUDITION_HOME: join('/work', 'store') },
    },
    {
      why: 'a store at an address keeps it',
      env: { AUDITION_HOME: 's3://cards' },
      expected: { AUDITION_HOME: 's3://cards' },
    },
    {
      why: 'a settings file of the user goes along, whatever folder the host starts in',
      env: { AUDITION_SETTINGS: 'permits.yaml' },
      expected: { AUDITION_SETTINGS: join('/work', 'permits.yaml') },
    },
    { why: 'keys stay where they are', env: { AUDITION_LLM_KEY: 'sk-1', HOME: '/home/me' }, expected: {} },
  ])('$why', ({ env, expected }) => {
    expect(hostLaunch({ ...place, env })).toEqual({ ...started, env: expected })
  })
})

test.each([
  { root: '/home/me/.npm/_npx/0a1b/node_modules/audition-mcp', expected: true },
  { root: '/home/me/.cache/pnpm/dlx-123/node_modules/audition-mcp', expected: true },
  { root: '/usr/lib/node_modules/audition-mcp', expected: false },
  { root: '/src/audition', expected: false },
])('$root is cleared away by a package runner: $expected', ({ root, expected }) => {
  expect(isShortLived(root)).toBe(expected)
})

test('--add prints the block of the server of a tool, without its secrets, in the words of the host', async () => {
  const { cwd, home } = machine()
  const config = join(home, 'servers.json')
  const servers = {
    mail: { command: 'mail-mcp', args: ['--all'], env: { MAIL_TOKEN: 'tok-1234567890abcdef' } },
    far: { url: 'https://far.example/mcp' },
  }
  writeFileSync(config, JSON.stringify({ mcpServers: servers }))
  const cards = Object.keys(servers).map((server) =>
    toolCard(`${server}/send`, {
      runtime: { kind: 'mcp', transport: 'stdio', config, server, display: server },
    }),
  )
  const add = async (host: string, id: string) =>
    (await runCaptured(['init', host, '--add', id], fakeAudition(cards), { cwd, home, env: {} })).stdout
  expect(JSON.parse(await add('claude-code', 'mail/send'))).toEqual({
    mcpServers: { mail: { command: 'mail-mcp', args: ['--all'], env: { MAIL_TOKEN: `\${MAIL_TOKEN}` } } },
  })
  expect(JSON.parse(await add('windsurf', 'far/send'))).toEqual({
    mcpServers: { far: { serverUrl: 'https://far.example/mcp' } },
  })
  expect(parse(await add('codex', 'mail/send'))).toMatchObject({ mcp_servers: { mail: { args: ['--all'] } } })
})

test('a second init with other rights changes the entry without --replace', async () => {
  const { cwd, init } = machine()
  await init('claude-code', '--write')
  const { code } = await init('claude-code', '--call', '--write')
  expect(code).toBe(0)
  const { mcpServers } = JSON.parse(readFileSync(join(cwd, '.mcp.json'), 'utf8'))
  expect(mcpServers.audition.args.slice(1)).toEqual(['serve', '--for', 'claude-code', '--call'])
})
