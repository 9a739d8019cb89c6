import { EventEmitter } from 'node:events'
import fs, { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type WatchOptions, watchPlaces } from '../../../src/indexing/watching/watch-places.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'

/** Watches places, and keeps what is told of them. */
async function watching(places: readonly string[], options: Partial<WatchOptions> = {}) {
  const told: string[][] = []
  const faults: string[] = []
  const places_ = watchPlaces({
    onChange: async (changed) => void told.push([...changed]),
    onFault: (place, reason) => void faults.push(`${place}: ${reason}`),
    quietMs: 40,
    ...options,
  })
  onTestFinished(() => places_.close())
  await places_.follow(places)
  /** Waits until something was told, and then until nothing is any more. */
  const next = async (): Promise<readonly string[]> => {
    await vi.waitFor(() => expect(told.length).toBeGreaterThan(0), { timeout: 10_000 })
    for (let seen = -1; seen !== told.length; ) {
      seen = told.length
      await wait(300)
    }
    return [...new Set(told.splice(0).flat())]
  }
  return { next, told, faults, watch: places_ }
}

test('a file that is written, replaced, renamed or removed in a folder or below is told', async () => {
  const folder = folderWith({ 'a.md': 'a', 'deep/er/b.md': 'b' })
  const { next } = await watching([folder])
  writeFileSync(join(folder, 'c.md'), 'c')
  expect(await next()).toEqual([folder])
  writeFileSync(join(folder, 'deep/er/b.md'), 'more')
  expect(await next()).toEqual([folder])
  writeFileSync(join(folder, '.a.tmp'), 'new')
  renameSync(join(folder, '.a.tmp'), join(folder, 'a.md'))
  expect(await next()).toEqual([folder])
  rmSync(join(folder, 'c.md'))
  expect(await next()).toEqual([folder])
})

test('a series of changes is told once, and files that nobody reads are not', async () => {
  const folder = folderWith({ 'a.md': 'a' })
  const { next, told } = await watching([folder], { quietMs: 150 })
  for (let file = 0; file < 20; file += 1) {
    writeFileSync(join(folder, `${file}.md`), 'x')
    await wait(5)
  }
  await vi.waitFor(() => expect(told).toHaveLength(1))
  await next()
  writeFileSync(join(folder, 'run.log'), 'x')
  mkdirSync(join(folder, 'node_modules'))
  await wait(400)
  expect(told.length).toBeLessThanOrEqual(1)
})

test('what is written into new folders at once is told, and later changes there too', async () => {
  const folder = folderWith({ 'a.md': 'a' })
  const { next } = await watching([folder])
  mkdirSync(join(folder, 'skills/one/two'), { recursive: true })
  writeFileSync(join(folder, 'skills/one/two/SKILL.md'), 'x')
  expect(await next()).toEqual([folder])
  writeFileSync(join(folder, 'skills/one/two/SKILL.md'), 'y')
  expect(await next()).toEqual([folder])
})

test('a folder that vanishes is told of nothing, and is told when it is back, and watched again', async () => {
  const folder = folderWith({ 'home/agents/a.md': 'a' })
  const agents = join(folder, 'home/agents')
  const { next, told, faults } = await watching([agents])
  rmSync(join(folder, 'home'), { recursive: true })
  await wait(400)
  expect(told).toEqual([])
  mkdirSync(agents, { recursive: true })
  writeFileSync(join(agents, 'b.md'), 'b')
  expect(await next()).toEqual([agents])
  writeFileSync(join(agents, 'c.md'), 'c')
  expect(await next()).toEqual([agents])
  expect(faults).toEqual([])
})

test('of two places only the one that changed is told; a file is told by itself', async () => {
  const folder = folderWith({ 'one/a.md': 'a', 'two/tools.json': '[]', 'two/other.json': '[]' })
  const [one, tools] = [join(folder, 'one'), join(folder, 'two/tools.json')]
  const { next, told } = await watching([one, tools])
  writeFileSync(join(folder, 'two/other.json'), '[1]')
  await wait(300)
  expect(told).toEqual([])
  writeFileSync(tools, '[2]')
  expect(await next()).toEqual([tools])
  writeFileSync(join(one, 'a.md'), 'b')
  expect(await next()).toEqual([one])
})

test('what the system does not watch for us is told once, and looked at', async () => {
  const folder = folderWith({ 'a/a.md': 'a', 'b/b.md': 'b' })
  const { next, faults } = await watching([folder], { mostFolders: 2, lookMs: 50 })
  expect(faults).toEqual([`${folder}: it has more than 2 folders`])
  writeFileSync(join(folder, 'b/b.md'), 'more')
  expect(await next()).toEqual([folder])
  writeFileSync(join(folder, 'a/c.md'), 'c')
  expect(await next()).toEqual([folder])
  expect(faults).toHaveLength(1)
})

test('changes that come while some are taken in are told after them', async () => {
  const folder = folderWith({ 'a.md': 'a' })
  let running = 0
  let most = 0
  const told: number[] = []
  await watching([folder], {
    async onChange() {
      running += 1
      most = Math.max(most, running)
      if (told.length === 0) writeFileSync(join(folder, 'b.md'), 'b')
      await wait(100)
      told.push(Date.now())
      running -= 1
    },
  })
  writeFileSync(join(folder, 'c.md'), 'c')
  await vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(2), { timeout: 10_000 })
  expect(most).toBe(1)
})

test('a place that is watched and tells nothing, as drives of other machines do, is looked at too', async () => {
  const folder = folderWith({ 'a.md': 'a' })
  const silent = () =>
    Object.assign(new EventEmitter(), { close: () => undefined }) as unknown as fs.FSWatcher
  vi.spyOn(fs, 'watch').mockImplementation(silent)
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  syncBuiltinESMExports()
  const { next, faults } = await watching([folder], { lookMs: 10 })
  writeFileSync(join(folder, 'a.md'), 'more')
  expect(await next()).toEqual([folder])
  expect(faults).toEqual([])
})

test('what lies behind links that are followed is watched where it lies, and nothing behind others', async () => {
  const shared = folderWith({ 'one.md': 'a', 'team/deep/two.md': 'b', 'other/three.md': 'c' })
  const stranger = folderWith({ 'four.md': 'd' })
  const folder = folderWith({ 'own.md': 'x' })
  symlinkSync(join(shared, 'one.md'), join(folder, 'one.md'))
  symlinkSync(join(shared, 'team'), join(folder, 'linked'))
  symlinkSync(stranger, join(folder, 'stranger'))
  const { next, told } = await watching([folder], { linksTo: async () => [shared] })
  writeFileSync(join(shared, 'one.md'), 'changed')
  expect(await next()).toEqual([folder])
  writeFileSync(join(shared, 'team/deep/two.md'), 'changed')
  expect(await next()).toEqual([folder])
  writeFileSync(join(shared, 'team/five.md'), 'new')
  expect(await next()).toEqual([folder])
  writeFileSync(join(shared, 'other/three.md'), 'changed')
  writeFileSync(join(stranger, 'four.md'), 'changed')
  await wait(400)
  expect(told).toEqual([])
})

test('a file that is a link is watched where it leads too', async () => {
  const shared = folderWith({ 'real.json': '{}' })
  const link = join(folderWith({ 'x.md': 'x' }), 'mcp.json')
  symlinkSync(join(shared, 'real.json'), link)
  const { next } = await watching([link])
  writeFileSync(join(shared, 'real.json'), '{"mcpServers":{}}')
  expect(await next()).toEqual([link])
})

test('what is behind followed links is looked at from time to time where nothing is watched', async () => {
  const shared = folderWith({ 'one.md': 'a' })
  const folder = folderWith({ 'own.md': 'x' })
  symlinkSync(join(shared, 'one.md'), join(folder, 'one.md'))
  const linksTo = async () => [shared]
  const { next } = await watching([folder], { linksTo, mostFolders: 0, lookMs: 50 })
  writeFileSync(join(shared, 'one.md'), 'changed and longer')
  expect(await next()).toEqual([folder])
})
