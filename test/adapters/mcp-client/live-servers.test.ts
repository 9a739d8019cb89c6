import { expect, onTestFinished, test } from 'vitest'
import { liveServers } from '../../../src/adapters/mcp-client/live-servers.ts'
import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { mcpRuntime } from '../../../src/adapters/mcp-client/mcp-runtime.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import type { LiveServer } from '../../../src/probing/calls/ports.ts'
import { defaultSettings } from '../../../src/probing/settings/settings.ts'
import { memoryPins } from '../../fakes/memory-pins.ts'
import { processesWith } from '../command/agents.ts'
import { never, until } from './servers.ts'
import { serverOf } from './tools.ts'

const surroundings = { catalogFolder: '/opt/audition/catalog', environment: process.env, version: '0.0.0' }
function kept(options: { readonly idleMs?: number; readonly most?: number } = {}) {
  const servers = liveServers({ pinned: memoryPins(), surroundings: () => surroundings, ...options })
  onTestFinished(() => servers.close())
  const executor = executorOf(mcpRuntime, surroundings)
  return {
    servers,
    open: async <T>(card: ToolCard, use: (server: LiveServer) => Promise<T>, signal = never): Promise<T> => {
      const launch = await executor.plan(card)
      return servers.open({ card, launch, settings: defaultSettings, settingsFile: '/none', signal }, use)
    },
  }
}

const said = async (server: LiveServer): Promise<unknown> =>
  (await server.call('work', { text: 'hay' }, { seconds: 20, signal: never })).content

const hay = [{ type: 'text', text: 'Worked on: hay' }]

test('calls that come together start a server once, and those that follow use it again', async () => {
  const { card, mark } = serverOf('echo')
  const { open, servers } = kept()
  expect(await Promise.all([1, 2, 3, 4].map(() => open(card, said)))).toEqual([hay, hay, hay, hay])
  expect(processesWith(mark)).toHaveLength(1)
  expect(await servers.reuse(card, '/none', said)).toEqual(hay)
  expect(await servers.reuse(card, process.execPath, said)).toBeNull()
})

test('a server that nobody calls is ended, and started again by the next call', async () => {
  const { card, mark } = serverOf('echo')
  const { open, servers } = kept({ idleMs: 30 })
  await open(card, said)
  await until(() => processesWith(mark).length === 0)
  expect(await servers.reuse(card, '/none', said)).toBeNull()
  expect(await open(card, said)).toEqual(hay)
})

test('beyond the most that may be open, the one that was idle longest is ended', async () => {
  const [first, second, third] = [serverOf('echo'), serverOf('echo'), serverOf('echo')]
  const { open } = kept({ most: 2 })
  for (const { card } of [first, second, third]) await open(card, said)
  await until(() => processesWith(first.mark).length === 0)
  expect([second, third].map(({ mark }) => processesWith(mark).length)).toEqual([1, 1])
})

test('a caller who gives up while a server starts waits no more', async () => {
  const { card } = serverOf('never-shake')
  const { open } = kept()
  const giveUp = new AbortController()
  const waiting = open(card, said, giveUp.signal)
  giveUp.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('what a server sends for one call is bounded, and the next call finds a new one', async () => {
  const flooding = serverOf('flood')
  const { open } = kept()
  await expect(open(flooding.card, said)).rejects.toThrow(/sent more than/)
  await until(() => processesWith(flooding.mark).length === 0)
})
