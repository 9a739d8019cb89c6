import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostLaunch } from '../../src/cli/host-launch.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const nobody = scriptedAudition({})
const emptyFolder = () => mkdtempSync(join(tmpdir(), 'audition-init-'))

describe('audition init', () => {
  test('prints a block that can be piped, and says on standard error where it goes', async () => {
    const cwd = emptyFolder()
    const { code, stdout, stderr } = await runCaptured(['init', 'claude-code'], nobody, { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      mcpServers: { audition: { args: [expect.stringMatching(/main\.js$/), 'serve'] } },
    })
    expect(stderr).toContain(`Save this as ${join(cwd, '.mcp.json')}`)
    expect(existsSync(join(cwd, '.mcp.json'))).toBe(false)
  })

  test('--write creates the file, and writing again changes nothing', async () => {
    const cwd = emptyFolder()
    const first = await runCaptured(['init', 'claude-code', '--write'], nobody, { cwd })
    expect(first.stdout).toContain(`Created ${join(cwd, '.mcp.json')}.`)
    const written = readFileSync(join(cwd, '.mcp.json'), 'utf8')
    const second = await runCaptured(['init', 'claude-code', '--write'], nobody, { cwd })
    expect(second.stdout).toContain('has Audition already')
    expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe(written)
  })

  test('--write leaves the rest of the file, and another entry of the name only with --replace', async () => {
    const cwd = emptyFolder()
    const path = join(cwd, '.mcp.json')
    const others = { mcpServers: { tracker: { command: 'x' }, audition: { command: 'y' } } }
    writeFileSync(path, JSON.stringify(others))
    const refused = await runCaptured(['init', 'claude-code', '--write'], nobody, { cwd })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--replace')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(others)
    const replaced = await runCaptured(['init', 'claude-code', '--write', '--replace', '--json'], nobody, {
      cwd,
    })
    expect(JSON.parse(replaced.stdout)).toMatchObject({ host: 'claude-code', outcome: 'replaced', path })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      mcpServers: { tracker: { command: 'x' }, audition: { args: [expect.any(String), 'serve'] } },
    })
  })

  test('--home is part of the block, as an absolute path', async () => {
    const cwd = emptyFolder()
    const { stdout } = await runCaptured(['init', 'vscode', '--home', 'store', '--json'], nobody, { cwd })
    expect(JSON.parse(stdout).block.servers.audition).toMatchObject({
      type: 'stdio',
      env: { AUDITION_HOME: join(cwd, 'store') },
    })
  })

  test('without a host it lists them and their files', async () => {
    const cwd = emptyFolder()
    const { code, stdout } = await runCaptured(['init'], nobody, { cwd })
    expect(code).toBe(0)
    for (const host of ['claude-code', 'claude-desktop', 'vscode', 'cursor']) expect(stdout).toContain(host)
    expect(stdout).toContain(join(cwd, '.vscode', 'mcp.json'))
  })

  test.each([
    { why: 'an unknown host', argv: ['init', 'emacs'], expected: /Hosts: claude-code/ },
    { why: '--replace alone', argv: ['init', 'cursor', '--replace'], expected: /goes with --write/ },
    { why: '--write without a host', argv: ['init', '--write'], expected: /Say which host/ },
  ])('ends with 2 on $why', async ({ argv, expected }) => {
    const { code, stderr } = await runCaptured(argv, nobody, { cwd: emptyFolder() })
    expect(code).toBe(2)
    expect(stderr).toMatch(expected)
  })
})

describe('hostLaunch', () => {
  const place = { node: '/opt/node/bin/node', cwd: '/work', env: {}, platform: 'linux' } as const

  test.each([
    {
      why: 'a working copy is started by its path',
      host: 'claude-code',
      place: { ...place, root: '/src/audition' },
      expected: { command: 'node', args: ['/src/audition/dist/cli/main.js', 'serve'], env: {} },
    },
    {
      why: 'a desktop application does not know the PATH of a shell',
      host: 'claude-desktop',
      place: { ...place, root: '/src/audition' },
      expected: {
        command: '/opt/node/bin/node',
        args: ['/src/audition/dist/cli/main.js', 'serve'],
        env: {},
      },
    },
    {
      why: 'an installed package is started through npx, on any machine',
      host: 'claude-code',
      place: { ...place, root: '/usr/lib/node_modules/audition-mcp' },
      expected: { command: 'npx', args: ['-y', 'audition-mcp', 'serve'], env: {} },
    },
    {
      why: 'Windows needs a shell to start npx',
      host: 'cursor',
      place: { ...place, root: '/usr/lib/node_modules/audition-mcp', platform: 'win32' },
      expected: { command: 'cmd', args: ['/c', 'npx', '-y', 'audition-mcp', 'serve'], env: {} },
    },
    {
      why: 'a store at an address keeps it',
      host: 'claude-code',
      place: { ...place, root: '/usr/lib/node_modules/audition-mcp', env: { AUDITION_HOME: 's3://cards' } },
      expected: {
        command: 'npx',
        args: ['-y', 'audition-mcp', 'serve'],
        env: { AUDITION_HOME: 's3://cards' },
      },
    },
    {
      why: 'a settings file of the user goes along, whatever folder the host starts in',
      host: 'claude-code',
      place: { ...place, root: '/src/audition', env: { AUDITION_SETTINGS: 'permits.yaml' } },
      expected: {
        command: 'node',
        args: ['/src/audition/dist/cli/main.js', 'serve'],
        env: { AUDITION_SETTINGS: join('/work', 'permits.yaml') },
      },
    },
  ] as const)('$why', ({ host, place: here, expected }) => {
    expect(hostLaunch(host, here)).toEqual(expected)
  })
})
