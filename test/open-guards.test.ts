import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultChildLimits } from '../src/adapters/processes/child-limits.ts'
import { configFrom } from '../src/config.ts'
import { guardsOf } from '../src/open-guards.ts'
import { defaultSettings } from '../src/probing/settings.ts'
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
