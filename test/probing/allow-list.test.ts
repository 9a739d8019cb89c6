import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Runtime } from '../../src/domain/runtime.ts'
import { permitKinds } from '../../src/compose/runtimes.ts'
import { allowList, namesHost, patternMistake } from '../../src/probing/settings/grants.ts'
import { agentCard } from '../fakes/fake-audition.ts'

const catalog = '/opt/audition/catalog'
const profile = (file: string): Runtime => ({ kind: 'profile', file })
const cardWith = (runtime: Runtime) => agentCard('team/a', { runtime })
const launch = (permit: string, needs: readonly string[] = []) => ({
  permit,
  needs,
  display: permit,
  host: null,
})

test.each([
  { why: 'the exact line', patterns: ['command:/bin/a x'], permit: 'command:/bin/a x', missing: [] },
  {
    why: 'a longer line is another one',
    patterns: ['command:/bin/a x'],
    permit: 'command:/bin/a x y',
    missing: ['command:/bin/a x y'],
  },
  {
    why: 'a prefix with a star',
    patterns: ['mcp:/home/me/.mcp.json#*'],
    permit: 'mcp:/home/me/.mcp.json#github',
    missing: [],
  },
  {
    why: 'half a host stands for no other one',
    patterns: ['a2a:https://x.example*'],
    permit: 'a2a:https://x.example.evil',
    missing: ['a2a:https://x.example.evil'],
  },
  {
    why: 'any port of a host',
    patterns: ['a2a:http://localhost:*'],
    permit: 'a2a:http://localhost:8080',
    missing: [],
  },
  {
    why: 'a star is no star in the middle',
    patterns: ['a2a:*x'],
    permit: 'a2a:https://x',
    missing: ['a2a:https://x'],
  },
  {
    why: 'a prefix never follows a path that leads up',
    patterns: ['command:/bin/node /safe/*'],
    permit: 'command:/bin/node /safe/../evil.js',
    missing: ['command:/bin/node /safe/../evil.js'],
  },
  {
    why: 'nothing is allowed by nothing',
    patterns: [],
    permit: 'command:/bin/a',
    missing: ['command:/bin/a'],
  },
  { why: 'a permit of another kind', patterns: ['mcp:/a#x'], permit: 'a2a:/a#x', missing: ['a2a:/a#x'] },
])('$why', ({ patterns, permit, missing }) => {
  const card = cardWith(profile('/home/someone/a.yaml'))
  expect(allowList(patterns, catalog).missing(card, launch(permit))).toEqual(missing)
})

test('every need must be allowed as well, and each is told once', () => {
  const card = cardWith(profile('/home/someone/a.yaml'))
  const needs = ['mcp:/x#s', 'chat:https://m.example', 'mcp:/x#s']
  expect(allowList(['profile:*'], catalog).missing(card, launch('profile:/a', needs))).toEqual([
    'mcp:/x#s',
    'chat:https://m.example',
  ])
})

test.each([
  {
    why: 'a command agent of the catalog',
    runtime: profile(`${catalog}/demo/profiles/tally-north.yaml`),
    permit: 'command:/usr/bin/node /opt/audition/dist/bundled/demo/agents/tally-north.js',
    isAllowed: true,
  },
  {
    why: 'a tool of a bundled server',
    runtime: {
      kind: 'mcp',
      transport: 'stdio',
      config: `${catalog}/mcp.json`,
      server: 'calendar',
      display: 'node',
    } as const,
    permit: `mcp:${catalog}/mcp.json#calendar`,
    isAllowed: true,
  },
  {
    why: 'a profile elsewhere that starts a bundled program',
    runtime: profile('/home/someone/evil.yaml'),
    permit: 'command:/tmp/node /opt/audition/dist/bundled/demo/agents/tally-north.js',
    isAllowed: false,
  },
  {
    why: 'a path that leads out of the catalog',
    runtime: profile(`${catalog}/../evil.yaml`),
    permit: 'command:/bin/sh',
    isAllowed: false,
  },
  {
    why: 'a folder that begins like the catalog',
    runtime: profile(`${catalog}-of-others/evil.yaml`),
    permit: 'command:/bin/sh',
    isAllowed: false,
  },
  {
    why: 'an agent on the network, whatever its card says',
    runtime: { kind: 'a2a', url: 'https://x.example', binding: 'JSONRPC', protocolVersion: '1.0' } as const,
    permit: 'a2a:https://x.example',
    isAllowed: false,
  },
])('"bundled" allows $why: $isAllowed', ({ runtime, permit, isAllowed }) => {
  const missing = allowList(['bundled'], catalog).missing(cardWith(runtime), launch(permit))
  expect(missing).toEqual(isAllowed ? [] : [permit])
})

test('"bundled" follows links: what a link in the catalog leads to elsewhere is not ours, and the catalog may be reached by one', () => {
  const root = mkdtempSync(join(tmpdir(), 'audition-bundled-'))
  const own = join(root, 'catalog')
  mkdirSync(own)
  writeFileSync(join(own, 'a.yaml'), '')
  writeFileSync(join(root, 'evil.yaml'), '')
  symlinkSync(join(root, 'evil.yaml'), join(own, 'link.yaml'))
  symlinkSync(own, join(root, 'installed'))
  const missing = (folder: string, file: string) =>
    allowList(['bundled'], folder).missing(cardWith(profile(file)), launch('command:/bin/sh'))
  expect(missing(own, join(own, 'a.yaml'))).toEqual([])
  expect(missing(own, join(own, 'link.yaml'))).toEqual(['command:/bin/sh'])
  expect(missing(own, join(root, 'installed', 'a.yaml'))).toEqual([])
  expect(missing(join(root, 'installed'), join(own, 'a.yaml'))).toEqual([])
  rmSync(root, { recursive: true })
})

test('"bundled" allows the servers that a bundled profile names, and not the model that it runs on', () => {
  const file = `${catalog}/profiles/mortgage-adviser.yaml`
  const needs = [
    `mcp:${file}#audition-arithmetic`,
    'mcp:/home/someone/mcp.json#other',
    'chat:https://m.example',
  ]
  expect(
    allowList(['bundled'], catalog).missing(cardWith(profile(file)), launch(`profile:${file}`, needs)),
  ).toEqual(['mcp:/home/someone/mcp.json#other', 'chat:https://m.example'])
})

test('without a star, a pattern allows itself and nothing else', () => {
  const permit = fc.string().map((text) => `command:${text.replaceAll('*', '')}`)
  const card = cardWith(profile('/home/someone/a.yaml'))
  fc.assert(
    fc.property(permit, permit, (one, other) => {
      const missing = allowList([one], catalog).missing(card, launch(other))
      expect(missing).toEqual(one === other ? [] : [other])
    }),
  )
})

test.each([
  { pattern: 'bundled', mistake: null },
  { pattern: 'command:/bin/a "*.txt" *', mistake: null },
  { pattern: 'a2a:https://x.example', mistake: null },
  { pattern: 'a2a:https://x.example*', mistake: /write the whole origin/ },
  { pattern: 'team/a', mistake: /starts with none of command:, mcp:/ },
  { pattern: '*', mistake: /starts with none of/ },
  { pattern: 'mcp:*#server', mistake: /at the end only/ },
])('the pattern $pattern is checked', ({ pattern, mistake }) => {
  if (mistake === null) expect(patternMistake(pattern, permitKinds)).toBeNull()
  else expect(patternMistake(pattern, permitKinds)).toMatch(mistake)
})

test.each([
  { patterns: ['a2a:http://127.0.0.1:7000'], named: true },
  { patterns: ['bundled', 'a2a:http://127.0.0.1:*'], named: true },
  { patterns: ['a2a:http://127.0.0.1:7000/*'], named: false },
  { patterns: ['a2a:http://127.0.0.1:7001'], named: false },
  { patterns: ['a2a:*'], named: false },
  { patterns: ['a2a:http://*'], named: false },
  { patterns: ['a2a:http://127.*'], named: false },
  { patterns: ['chat:http://127.0.0.1:7000'], named: false },
  { patterns: [], named: false },
])('$patterns name the host of an agent on this machine: $named', ({ patterns, named }) => {
  expect(namesHost(patterns, 'a2a:http://127.0.0.1:7000')).toBe(named)
})
