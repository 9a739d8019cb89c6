import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { defaultChildLimits } from '../src/adapters/processes/child-limits.ts'
import { startContained } from '../src/adapters/processes/contained-child.ts'
import { bubblewrap } from '../src/adapters/processes/sandbox/bubblewrap.ts'
import { configFrom } from '../src/config.ts'
import { guardsOf } from '../src/compose/open-guards.ts'
import { defaultSettings } from '../src/probing/settings/settings.ts'
import { unusedOrigin } from './fakes/unused-origin.ts'

const config = configFrom({ HOME: '/home/me', AUDITION_HOME: '/srv/store', PATH: '/usr/bin:/bin' })
const withSandbox = (sandbox: Partial<(typeof defaultSettings)['sandbox']>) =>
  guardsOf(config, { ...defaultSettings, sandbox: { ...defaultSettings.sandbox, ...sandbox } }).containment

test('the limits of the settings are those of programs, and the same by default', () => {
  expect(defaultSettings.children).toEqual(defaultChildLimits)
  const children = { ...defaultChildLimits, processes: 3 }
  expect(guardsOf(config, { ...defaultSettings, children }).containment.limits).toBe(children)
})

test.each(['none', 'bubblewrap', 'container'] as const)(
  'the sandbox is the one that is asked for: %s',
  (kind) => {
    expect(withSandbox({ kind }).sandbox.name).toBe(kind)
  },
)

test.each([
  { network: false, permit: 'mcp:/a.json#b', opens: false },
  { network: true, permit: 'mcp:/a.json#b', opens: true },
  { network: ['mcp:/a.json#b'], permit: 'mcp:/a.json#b', opens: true },
  { network: ['mcp:/a.json#*'], permit: 'mcp:/a.json#b', opens: true },
  { network: ['mcp:/a.json#'], permit: 'mcp:/a.json#b', opens: false },
  { network: ['command:/bin/x'], permit: 'mcp:/a.json#b', opens: false },
  { network: ['command:/bin/node /safe/*'], permit: 'command:/bin/node /safe/../x.js', opens: false },
])('network $network opens it for $permit: $opens', ({ network, permit, opens }) => {
  expect(withSandbox({ network }).opening(permit).network).toBe(opens)
})

test('the home folder may be written as ~', () => {
  const { readable, writable } = withSandbox({ readable: ['~/books', '/srv'], writable: ['~/.npm'] }).opening(
    'x',
  )
  expect(readable).toEqual([join('/home/me', 'books'), '/srv'])
  expect(writable).toEqual([join('/home/me', '.npm')])
})

test('a request of a card to this machine is refused unless the settings list the host', async () => {
  const origin = await unusedOrigin()
  const { guard } = guardsOf(config, defaultSettings)
  await expect(guard.fetch('card')(origin)).rejects.toThrow('not contacted')
  const listed = guardsOf(config, { ...defaultSettings, privateHosts: [new URL(origin).host] }).guard
  await expect(listed.fetch('card')(origin)).rejects.not.toThrow('not contacted')
})

const bubblewrapFault = await bubblewrap({ home: '/nonexistent', hidden: [] }).fault()

describe.skipIf(bubblewrapFault !== null)('inside bubblewrap, with the settings in a project', () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'audition-guards-')))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  const at = (...names: readonly string[]): string => join(project, ...names)
  mkdirSync(at('agents'))
  mkdirSync(at('own', 'audition'), { recursive: true })
  writeFileSync(at('package.json'), '{}')
  writeFileSync(at('agents', 'answer.js'), 'module.exports = 42')
  for (const file of [
    at('settings.yaml'),
    at('own', 'audition', 'settings.yaml'),
    at('own', 'audition', 'notes'),
  ])
    writeFileSync(file, 'hunter2')
  writeFileSync(
    at('agents', 'agent.js'),
    `const read = (file) => { try { return require('fs').readFileSync(file, 'utf8') } catch (error) { return error.code } }
console.log(require('./answer.js'), ...process.argv.slice(2).map(read))`,
  )

  /** What an agent of the project says that reads these files. */
  async function said(cwd: string, settings: string, files: readonly string[]): Promise<string> {
    vi.stubEnv('XDG_CONFIG_HOME', at('own'))
    const surroundings = configFrom({
      HOME: '/home/me',
      AUDITION_HOME: '/srv/store',
      AUDITION_SETTINGS: settings,
      PATH: process.env.PATH,
    })
    vi.unstubAllEnvs()
    const sandbox = { ...defaultSettings.sandbox, kind: 'bubblewrap' } as const
    const { containment } = guardsOf(surroundings, { ...defaultSettings, sandbox })
    const child = await startContained(
      {
        command: process.execPath,
        args: [at('agents', 'agent.js'), ...files],
        cwd,
        env: { PATH: process.env.PATH ?? '' },
      },
      { containment, permit: 'command:test', onExceeded: () => {} },
    )
    let out = ''
    child.process.stdout.on('data', (chunk: Buffer) => (out += chunk))
    child.process.stderr.on('data', (chunk: Buffer) => (out += chunk))
    child.process.stdin.end()
    await once(child.process, 'close')
    await child.stop('now')
    return out.trim()
  }

  test.each([
    { why: 'runs in the folder of the settings file', cwd: project, settings: at('settings.yaml') },
    { why: 'lies below the folder of the settings file', cwd: '/usr', settings: at('settings.yaml') },
    { why: 'runs where there is no settings file yet', cwd: project, settings: at('absent.yaml') },
  ])('a program that $why starts, and does not read it', async ({ cwd, settings }) => {
    expect(await said(cwd, settings, [settings])).toMatch(/^42 (?:EACCES|ENOENT)$/)
  })

  test.each([
    { why: 'that holds the settings', settings: '' },
    { why: 'when the settings lie elsewhere', settings: at('settings.yaml') },
  ])("Audition's own folder of settings stays hidden $why", async ({ settings }) => {
    const own = ['settings.yaml', 'notes'].map((name) => at('own', 'audition', name))
    expect(await said(project, settings, own)).toMatch(/^42 (?:EACCES|ENOENT) ENOENT$/)
  })
})
