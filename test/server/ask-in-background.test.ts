import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { keepCurrent } from '../../src/server/jobs/background.ts'
import { serverFolder } from '../adapters/mcp-client/servers.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A real store over one server that answers once three are noted to have started. */
async function indexed() {
  const folder = temporaryFolder()
  const [log, config] = [join(folder, 'log'), join(folder, 'mcp.json')]
  const write = (...more: readonly string[]) => {
    const args = [join(serverFolder, 'counted.mjs'), log, 'mail', 'gate:3', ...more]
    writeFileSync(config, JSON.stringify({ mcpServers: { mail: { command: process.execPath, args } } }))
  }
  write()
  const env = { PATH: process.env.PATH, HOME: folder, AUDITION_HOME: join(folder, 'store') }
  const audition = openAudition(configFrom({ ...env, AUDITION_MODEL: 'none' }))
  onTestFinished(() => audition.close())
  const open = () => writeFileSync(log, `${starts().join('\n')}\nstart x\nstart y\n`)
  const starts = (): readonly string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line === 'start mail')
  writeFileSync(log, '')
  open()
  const report = await audition.index({ locations: [config] })
  expect(report.sources[0]).toMatchObject({ source: 'mail', added: 2 })
  writeFileSync(log, '')
  const readAt = async () => (await audition.sources())[0]?.indexedAt ?? ''
  return { audition, open, starts, readAt, write }
}

const keep = (audition: Awaited<ReturnType<typeof indexed>>['audition'], lines: string[]) => {
  const kept = keepCurrent(audition, { delayMs: 1, everyMs: 50, tell: (line) => lines.push(line) })
  onTestFinished(() => kept.close())
  return kept
}

const oneDay = 25 * 3_600_000

test('a listing that is older than a day is asked for again, and no search waits for it', async () => {
  const { audition, open, starts, readAt } = await indexed()
  const before = await readAt()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + oneDay })
  const lines: string[] = []
  keep(audition, lines)
  await vi.waitFor(() => expect(starts()).toHaveLength(1), { timeout: 20_000 })
  const { candidates } = await audition.search({ kind: 'tool', query: 'search mail', k: 3 })
  expect(candidates.map(({ card }) => card.id)).toEqual(['mail/mail_search'])
  expect(await readAt()).toBe(before)
  open()
  await vi.waitFor(async () => expect((await readAt()) > before).toBe(true), { timeout: 20_000 })
  expect([lines, starts().length]).toEqual([[], 1])
})

test('one whose entry is another now is not started: nobody agreed to that', async () => {
  const { audition, starts, write } = await indexed()
  write('--changed')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + oneDay })
  const runs = vi.spyOn(audition, 'index')
  keep(audition, [])
  await vi.waitFor(() => expect(runs).toHaveBeenCalled(), { timeout: 10_000 })
  await runs.mock.results[0]?.value
  expect(starts()).toEqual([])
  expect((await audition.counts()).tools).toBe(1)
})

test('the end of serving ends a server that is being asked', async () => {
  const { audition, starts } = await indexed()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + oneDay })
  const lines: string[] = []
  const kept = keep(audition, lines)
  await vi.waitFor(() => expect(starts()).toHaveLength(1), { timeout: 20_000 })
  const closing = performance.now()
  await kept.close()
  expect(performance.now() - closing).toBeLessThan(5_000)
  expect(lines).toEqual([])
})
