import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type IndexOptions, openAudition } from '../../src/compose/app.ts'
import type { SourceState } from '../../src/store/source-state.ts'
import { configFrom } from '../../src/config.ts'
import { keepCurrent } from '../../src/server/jobs/background.ts'
import { folderWith } from '../catalog/temporary-folder.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const hour = 3_600_000
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

const source = (id: string, location: string, parts: Partial<SourceState> = {}): SourceState => ({
  id,
  location,
  reader: 'claude-subagent',
  indexedAt: ago(-hour),
  tools: 0,
  agents: 1,
  problems: [],
  ...parts,
})

const server = (id: string, parts: Partial<SourceState>): SourceState =>
  source(id, `/home/ann/.mcp.json#${id}`, { reader: 'mcp-server', asked: { entry: 'e' }, ...parts })

const failed = { times: 1, message: 'died', remedy: 'Mend it.' }

/** Keeps an index current whose runs are noted. */
function keeping(
  sources: readonly SourceState[],
  index: (options: IndexOptions) => Promise<void> = async () => {},
) {
  const runs: IndexOptions[] = []
  const lines: string[] = []
  let looks = 0
  const audition = scriptedAudition({
    sources: async () => {
      looks += 1
      return sources
    },
    index: async (options) => {
      runs.push(options)
      await index(options)
      return { sources: [], problems: [], tools: 0, agents: 0, seconds: 0 }
    },
  })
  const kept = keepCurrent(audition, { delayMs: 10, everyMs: 50, tell: (line) => lines.push(line) })
  onTestFinished(() => kept.close())
  /** It follows the sources, and has looked at them again. */
  const follows = () => vi.waitFor(() => expect(looks).toBeGreaterThan(1), { timeout: 20_000 })
  return { runs, lines, kept, follows }
}

test('a file that changes in an indexed folder is read again, and nothing is started for it', async () => {
  const folder = folderWith({ 'agents/a.md': 'a', 'other/b.md': 'b' })
  const agents = join(folder, 'agents')
  const { runs, follows } = keeping([source('mine', agents), source('other', join(folder, 'other'))])
  await follows()
  expect(runs).toEqual([])
  writeFileSync(join(agents, 'c.md'), 'c')
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 5_000 })
  expect(runs[0]).toMatchObject({ locations: [agents], found: [agents], harvest: 'unwanted' })
})

test('what changed before it began is read at the start', async () => {
  const folder = folderWith({ 'agents/a.md': 'a', 'same/b.md': 'b' })
  const agents = join(folder, 'agents')
  const { runs } = keeping([
    source('mine', agents, { indexedAt: ago(hour) }),
    source('same', join(folder, 'same')),
  ])
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 5_000 })
  expect(runs[0]?.locations).toEqual([agents])
})

test('servers whose listing is old, or whose pause is over, are asked by what was agreed to; each once', async () => {
  const { runs } = keeping([
    server('old', { indexedAt: ago(25 * hour) }),
    server('fresh', { indexedAt: ago(hour) }),
    server('over', { asked: { entry: 'e', failed: { ...failed, again: ago(1) } } }),
    server('resting', { asked: { entry: 'e', failed: { ...failed, again: ago(-hour) } } }),
    source('unasked', '/home/ann/.mcp.json#unasked', { reader: 'mcp-server', indexedAt: ago(25 * hour) }),
    source('address', 'https://agents.example/card.json', { indexedAt: ago(25 * hour) }),
    source('ours', 'bundled:profiles', { indexedAt: ago(25 * hour) }),
    server('our-server', { location: 'bundled:servers#text', indexedAt: ago(25 * hour) }),
  ])
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 5_000 })
  const due = ['/home/ann/.mcp.json#old', '/home/ann/.mcp.json#over']
  expect(runs[0]).toMatchObject({ locations: due, found: due, harvest: 'agreed', isBackground: true })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(runs).toHaveLength(1)
})

test('what fails is told once, ends nothing, and is told no more after the end', async () => {
  const folder = folderWith({ 'a.md': 'a' })
  const { runs, lines, kept, follows } = keeping([source('mine', folder)], () =>
    Promise.reject(new Error('read-only')),
  )
  await follows()
  for (const text of ['b', 'c']) {
    const before = runs.length
    writeFileSync(join(folder, 'a.md'), text)
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(before), { timeout: 5_000 })
  }
  expect(lines).toEqual(['the index is not brought up to date: read-only'])
  await kept.close()
  const before = runs.length
  writeFileSync(join(folder, 'a.md'), 'd')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(runs).toHaveLength(before)
})

test('its end stops the run that is under way', async () => {
  const folder = folderWith({ 'a.md': 'a' })
  let aborted = false
  const { runs, lines, kept, follows } = keeping(
    [source('mine', folder, { indexedAt: null })],
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted = true
          reject(signal.reason)
        })
      }),
  )
  await follows()
  writeFileSync(join(folder, 'a.md'), 'b')
  await vi.waitFor(() => expect(runs).toHaveLength(1), { timeout: 5_000 })
  await kept.close()
  expect([aborted, lines]).toEqual([true, []])
})

test('what changes behind a link that is followed is in the next search', async () => {
  const agent = (text: string): string => `---\nname: clerk\ndescription: ${text}\n---\nYou work.\n`
  const folder = folderWith({
    'agents/own.md': agent('Sorts letters'),
    'shared/clerk.md': agent('Keeps bees'),
    'settings.yaml': '',
  })
  writeFileSync(join(folder, 'settings.yaml'), `followLinks: [${JSON.stringify(join(folder, 'shared'))}]\n`)
  symlinkSync(join(folder, 'shared', 'clerk.md'), join(folder, 'agents', 'clerk.md'))
  const app = openAudition(
    configFrom({
      PATH: process.env.PATH,
      HOME: folder,
      AUDITION_READER: 'none',
      AUDITION_HOME: join(folder, 'store'),
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
      AUDITION_MODEL: 'none',
    }),
  )
  onTestFinished(() => app.close())
  await app.index({ locations: [join(folder, 'agents')], harvest: 'unwanted' })
  const kept = keepCurrent(app, { delayMs: 10, everyMs: 50, tell: () => {} })
  onTestFinished(() => kept.close())
  await wait(1_000)
  writeFileSync(join(folder, 'shared', 'clerk.md'), agent('Paints portraits'))
  await vi.waitFor(
    async () =>
      expect(JSON.stringify(await app.cards(await app.completeIds('', 9, 'agent')))).toContain(
        'Paints portraits',
      ),
    { timeout: 15_000, interval: 200 },
  )
})

test('a catalog file that comes to be in a folder that was named is in the next search, and one that is gone in none', async () => {
  const tool = (name: string): string =>
    JSON.stringify([{ type: 'function', function: { name, description: `Does ${name}`, parameters: {} } }])
  const folder = folderWith({ 'tools/a.json': tool('weigh'), 'tools/b.json': tool('wrap') })
  const app = openAudition(
    configFrom({
      PATH: process.env.PATH,
      HOME: folder,
      AUDITION_HOME: join(folder, 'store'),
      AUDITION_READER: 'none',
      AUDITION_MODEL: 'none',
    }),
  )
  onTestFinished(() => app.close())
  await app.index({ locations: [join(folder, 'tools')], harvest: 'unwanted' })
  const kept = keepCurrent(app, { delayMs: 10, everyMs: 50, tell: () => {} })
  onTestFinished(() => kept.close())
  await wait(1_000)
  writeFileSync(join(folder, 'tools/c.json'), tool('sort'))
  rmSync(join(folder, 'tools/b.json'))
  await vi.waitFor(async () => expect(await app.completeIds('', 9, 'tool')).toEqual(['a/weigh', 'c/sort']), {
    timeout: 15_000,
    interval: 200,
  })
})
