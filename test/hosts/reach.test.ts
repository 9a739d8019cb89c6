import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hostNamed } from '../../src/hosts/hosts.ts'
import { hereFor, sourceIsHere } from '../../src/hosts/reach.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const root = mkdtempSync(join(tmpdir(), 'audition-reach-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, value: object): string => {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
  return path
}
const user = { home: join(root, 'home'), platform: 'linux', env: {} } as const
const app = join(root, 'app')
const servers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { command: `${name}-mcp` }]))
const inProject = write('app/.mcp.json', { mcpServers: { ...servers('forge'), off: { command: 'off' } } })
write('app/.claude/settings.json', { disabledMcpjsonServers: ['off'] })
write('app/.git/config', {})
const ofUser = write('home/.claude.json', {
  mcpServers: servers('mail'),
  projects: {
    [app]: { mcpServers: servers('notes', 'twice') },
    [join(root, 'else')]: { mcpServers: { ...servers('far'), twice: { command: 'another' } } },
  },
})
const elsewhere = write('home/elsewhere.json', { mcpServers: { 'my-forge': { command: 'forge-mcp' } } })

const asker = (project: string | null) => ({ host: hostNamed('claude-code')!, user, project })
const cardOf = (config: string, server: string) =>
  toolCard(`${server}/work`, {
    runtime: { kind: 'mcp', transport: 'stdio', config, server, display: server },
  })

test.each([
  { why: 'of the project', config: inProject, server: 'forge', inApp: 'mcp__forge__work', atHome: null },
  { why: 'rejected in the project', config: inProject, server: 'off', inApp: null, atHome: null },
  { why: 'of the user', config: ofUser, server: 'mail', inApp: 'mcp__mail__work', atHome: 'mcp__mail__work' },
  {
    why: "of the user's for this project",
    config: ofUser,
    server: 'notes',
    inApp: 'mcp__notes__work',
    atHome: null,
  },
  { why: "of the user's for another project", config: ofUser, server: 'far', inApp: null, atHome: null },
  {
    why: 'of another host, the same program',
    config: elsewhere,
    server: 'my-forge',
    inApp: 'mcp__forge__work',
    atHome: null,
  },
])('a server $why', ({ config, server, inApp, atHome }) => {
  for (const [project, call] of [
    [join(app, 'src', 'deep'), inApp],
    [null, atHome],
  ] as const) {
    mkdirSync(join(app, 'src', 'deep'), { recursive: true })
    const here = hereFor(asker(project))(cardOf(config, server))
    expect(here).toEqual(call === null ? { kind: 'not-here' } : { kind: 'here', call })
    expect(sourceIsHere(asker(project))(`${config}#${server}`)).toBe(call !== null)
  }
})

test('a server whose key another one has keeps its own key in the name to call', () => {
  const there = { ...asker(join(root, 'else')) }
  mkdirSync(join(root, 'else'), { recursive: true })
  expect(hereFor(there)(cardOf(ofUser, 'twice@else'))).toEqual({ kind: 'here', call: 'mcp__twice__work' })
})

test('a configuration that changes is read again', () => {
  const path = write('app/.mcp.json', { mcpServers: servers('forge', 'fresh', 'new-one') })
  expect(hereFor(asker(app))(cardOf(path, 'fresh'))).toMatchObject({ kind: 'here' })
})
