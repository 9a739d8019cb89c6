import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plannedServers } from '../../src/indexing/planned-servers.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const [past, future] = ['2020-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z']

/** A file of tools that the store knows, and a configuration with a server. */
async function planned(known: Partial<SourceState>, told = (): void => {}) {
  const folder = temporaryFolder()
  const [tools, config] = [join(folder, 'tools.json'), join(folder, '.mcp.json')]
  writeFileSync(tools, JSON.stringify({ mcpServers: { late: { command: 'node', args: ['late.mjs'] } } }))
  writeFileSync(config, JSON.stringify({ mcpServers: { desk: { command: 'node', args: ['desk.mjs'] } } }))
  const state = { id: 'tools', location: tools, reader: 'x', tools: 1, agents: 0, problems: [], ...known }
  const looked: number[] = []
  const servers = await plannedServers({
    locations: [tools, config],
    how: 'named',
    cwd: folder,
    refresh: true,
    timeoutMs: 1_000,
    user: { home: folder, platform: 'linux', env: {} },
    launchOf: ({ config: place, name }) =>
      ({ place: `${place}#${name}`, words: [name], digest: name }) as never,
    states: [state as SourceState],
    reviews: [],
    signal: new AbortController().signal,
    onLooked(done) {
      looked.push(done)
      told()
    },
  })
  return { looked, names: servers.map(({ entry }) => entry.name) }
}

test('a file that is the same since it was read without a server is not opened again', async () => {
  expect(await planned({ indexedAt: future })).toEqual({ looked: [1], names: ['desk'] })
})

test.each([
  ['changed since', { indexedAt: past }],
  ['was never read', { indexedAt: null }],
  ['could not be read', { indexedAt: future, failure: 'gone' }],
  ['was guessed to be the place', { indexedAt: future, isLocationGuessed: true }],
] as const)('a file that %s is', async (_, known) => {
  expect(await planned(known)).toEqual({ looked: [0, 1], names: ['late', 'desk'] })
})

test('others have their turn between two places, after it was told how far it is', async () => {
  const turns: string[] = []
  await planned({ indexedAt: past }, () => {
    turns.push('told')
    setImmediate(() => turns.push('another'))
  })
  expect(turns.slice(0, 3)).toEqual(['told', 'another', 'told'])
})
