import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { lancedb } from '../../../src/adapters/lancedb/native.ts'
import {
  lanceTrackRecord,
  type TrackRecordOptions,
} from '../../../src/adapters/lancedb/record/track-record.ts'

import { briefOutcome, type Outcome } from '../../../src/domain/outcome.ts'
import { hashedWordsModel } from '../../fakes/hashed-words-model.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { graded, outcomeOf } from './some-outcomes.ts'

const open = (home = temporaryFolder(), options: Partial<TrackRecordOptions> = {}) => ({
  home,
  record: lanceTrackRecord(home, { embed: async () => null, recheckMs: 0, ...options }),
})

const ids = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ id }) => id)

describe('a track record', () => {
  test('of a store that was never written is empty, and looking makes no folder', async () => {
    const home = join(temporaryFolder(), 'absent')
    const { record } = open(home)
    expect(await record.list()).toEqual([])
    expect(await record.forget({})).toBe(0)
    expect((await record.index()).size).toBe(0)
    await record.close()
    expect(existsSync(home)).toBe(false)
  })

  test('gives back what was added, field by field, newest first', async () => {
    const { home, record } = open()
    const older = outcomeOf({ time: '2026-03-01T10:00:00.000Z', verdict: null, tokens: 12, cost: 0.003 })
    const newer = outcomeOf({
      time: '2026-03-01T12:30:00+02:00',
      task: "it's «quoted» \u0000 ✓",
      ending: 'limit',
      verdict: { refusal: 'nothing to go by', judge: 'reference' },
    })
    await record.add([older, newer])
    await record.close()
    const { record: again } = open(home)
    expect(await again.list()).toEqual([newer, older])
    await again.close()
  })

  test('takes an outcome once, in one addition or in many', async () => {
    const { record } = open()
    const [a, b] = [outcomeOf(), outcomeOf()]
    expect(await record.merge([a, a, b])).toBe(2)
    expect(await record.merge([a, outcomeOf({ id: b.id, seconds: 9 })])).toBe(0)
    expect(new Set(ids(await record.list()))).toEqual(new Set([a.id, b.id]))
    expect((await record.list()).every(({ seconds }) => seconds === 1.5)).toBe(true)
    await record.close()
  })

  test('lets go of a table after some writes, since LanceDB keeps memory for each commit of an open one', async () => {
    const connect = vi.spyOn(lancedb, 'connect')
    onTestFinished(() => connect.mockRestore())
    const { record } = open()
    for (let write = 0; write < 66; write += 1) await Promise.all([record.add([outcomeOf()]), record.list()])
    expect(await record.list()).toHaveLength(66)
    expect(connect.mock.calls.length).toBeGreaterThanOrEqual(3)
    expect(connect.mock.calls.length).toBeLessThan(8)
    await record.close()
  })

  test('lists and forgets by what a filter says, joined by "and"', async () => {
    const { record } = open()
    const rows = {
      early: outcomeOf({ card: "o'hara/post", time: '2026-01-01T00:00:00.000Z' }),
      run: outcomeOf({ card: 'b/agent', kind: 'agent', origin: 'run', time: '2026-02-01T00:00:00.000Z' }),
      late: outcomeOf({ card: "o'hara/post", time: '2026-03-01T00:00:00.000Z' }),
    }
    await record.add(Object.values(rows))
    expect(ids(await record.list({ cards: ["o'hara/post"] }))).toEqual([rows.late.id, rows.early.id])
    expect(ids(await record.list({ kind: 'agent' }))).toEqual([rows.run.id])
    expect(ids(await record.list({ before: '2026-02-01T01:00:00+01:00' }))).toEqual([rows.early.id])
    expect(ids(await record.list({ origin: 'probe', limit: 1 }))).toEqual([rows.late.id])
    expect(await record.list({ cards: [] })).toEqual([])
    expect(await record.forget({ cards: [] })).toBe(0)
    expect(await record.forget({ cards: ["o'hara/post"], before: '2026-02-15T00:00:00Z' })).toBe(1)
    expect(await record.forget({ limit: 1 })).toBe(1)
    expect(ids(await record.list())).toEqual([rows.run.id])
    expect(await record.forget({})).toBe(1)
    expect(await record.list()).toEqual([])
    await record.close()
  })

  test('lists what a filter in plain code would, for any rows and filter', async () => {
    const { record } = open()
    const cards = ['a/x', 'a/y', 'b/x']
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
    const all = fc
      .sample(
        fc.record({
          card: fc.constantFrom(...cards),
          time: fc.constantFrom(...times),
          origin: fc.constantFrom('probe', 'run', 'imported', 'use'),
          use: fc.constantFrom('worked', 'empty'),
          verdict: fc.constantFrom(null, graded(2), graded(5)),
          kind: fc.constantFrom('tool', 'agent'),
        }),
        60,
      )
      .map((parts) => outcomeOf(parts as Partial<Outcome>))
    await record.add(all)
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            cards: fc.subarray(cards),
            kind: fc.constantFrom('tool' as const, 'agent' as const),
            before: fc.constantFrom(...times),
            origin: fc.constantFrom('probe' as const, 'run' as const, 'imported' as const),
          },
          { requiredKeys: [] },
        ),
        async (filter) => {
          const expected = all.filter(
            ({ card, kind, time, origin }) =>
              (filter.cards?.includes(card) ?? true) &&
              (filter.kind ?? kind) === kind &&
              (filter.origin ?? origin) === origin &&
              (filter.before === undefined || time < filter.before),
          )
          const listed = await record.list(filter)
          expect(new Set(ids(listed))).toEqual(new Set(ids(expected)))
          expect(await record.brief(filter)).toEqual(listed.map(briefOutcome))
        },
      ),
      { numRuns: 25 },
    )
    await record.close()
  })

  test('goes on when its folder was taken away', async () => {
    const { home, record } = open()
    await record.add([outcomeOf()])
    rmSync(home, { recursive: true })
    const fresh = outcomeOf()
    await record.add([fresh])
    expect(ids(await record.list())).toEqual([fresh.id])
    await record.close()
  })

  test('says where, what and what to do when the table is damaged', async () => {
    const { home, record } = open()
    await record.add([outcomeOf()])
    await record.close()
    rmSync(join(home, 'track_record.lance', 'data'), { recursive: true })
    const { record: again } = open(home)
    await expect(again.list()).rejects.toMatchObject({
      message: expect.stringMatching(/track record in .* cannot be read: /),
      remedy: expect.stringContaining('AUDITION_HOME'),
    })
  })

  test('that can be read and not written says so before anything is added, and when something is forgotten', async () => {
    const { home, record } = open()
    const outcome = outcomeOf()
    await record.requireWritable()
    await record.add([outcome])
    await record.requireWritable()
    await record.close()
    const transactions = join(home, 'track_record.lance', '_transactions')
    rmSync(transactions, { recursive: true })
    writeFileSync(transactions, 'a file where a folder should be')
    const { record: again } = open(home)
    const refusal = {
      message: expect.stringMatching(/^The track record in .* cannot be written: /),
      remedy: expect.stringMatching(/Check the folder's permissions.*AUDITION_HOME/),
    }
    await expect(again.requireWritable()).rejects.toMatchObject(refusal)
    await expect(again.forget({})).rejects.toMatchObject(refusal)
    expect(ids(await again.list())).toEqual([outcome.id])
    await again.close()
  })

  test('merges the fragments of many additions and keeps every row', async () => {
    const { home, record } = open()
    const all = Array.from({ length: 90 }, () => outcomeOf())
    for (const outcome of all) await record.add([outcome])
    await record.close()
    const table = await (await connectTo(home)).openTable('track_record')
    expect((await table.stats()).fragmentStats.numFragments).toBeLessThan(64)
    expect(new Set(ids(await record.list()))).toEqual(new Set(ids(all)))
    await record.close()
  })
})

describe('the index of a track record', () => {
  test('grows with what this and another process add, and is the same object', async () => {
    const { home, record } = open()
    await record.add([outcomeOf()])
    const index = await record.index()
    const other = open(home).record
    await other.add([outcomeOf({ verdict: graded(1) })])
    expect(await record.index()).toBe(index)
    expect(index.counts('post/send_email')).toMatchObject({ weight: 2, successes: 1 })
    await Promise.all([record.close(), other.close()])
  })

  test('forgets what another process forgot', async () => {
    const { home, record } = open()
    await record.add([outcomeOf({ card: 'a/x' }), outcomeOf({ card: 'b/y' })])
    expect((await record.index()).has('a/x')).toBe(true)
    const other = open(home).record
    await other.forget({ cards: ['a/x'] })
    const index = await record.index()
    expect([index.has('a/x'), index.has('b/y'), index.size]).toEqual([false, true, 1])
    await Promise.all([record.close(), other.close()])
  })

  const bytesOf = (home: string): string => {
    const folder = join(home, 'track_record.lance', 'data')
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
  }
  const versionsOf = (home: string): readonly string[] => {
    const folder = join(home, 'track_record.lance', '_versions')
    const manifests = readdirSync(folder).filter((name) => name.endsWith('.manifest'))
    // Counted down: the newest first.
    return manifests.sort().map((name) => join(folder, name))
  }
  const someAdded = async (): Promise<string> => {
    const { home, record } = open()
    for (const task of ['errand-1.', 'errand-2.', 'errand-3.']) await record.add([outcomeOf({ task })])
    await record.close()
    return home
  }

  test.each([
    { list: 'is damaged', damage: (file: string) => writeFileSync(file, 'x'.repeat(200)) },
    { list: 'is gone', damage: (file: string) => rmSync(file) },
  ])(
    'leaves nothing on the disk where a manifest of an older version is damaged and the list of checksums $list',
    async ({ damage }) => {
      const home = await someAdded()
      damage(join(home, 'checksums.jsonl'))
      writeFileSync(versionsOf(home).at(-1)!, 'zeroed')
      const { record } = open(home)
      expect(await record.forget({})).toBe(3)
      await record.close()
      expect(bytesOf(home)).not.toContain('errand-')
    },
  )

  test('says so where what was forgotten stays on the disk, and takes it off when it is asked again', async () => {
    const home = await someAdded()
    const table = await (await lancedb.connect(home)).openTable('track_record')
    const full = vi.spyOn(Object.getPrototypeOf(table), 'optimize').mockRejectedValue(new Error('disk full'))
    onTestFinished(() => full.mockRestore())
    const { record } = open(home)
    await expect(record.forget({})).rejects.toMatchObject({
      message: expect.stringMatching(/what was forgotten or masked stays in the files.*disk full/),
      remedy: expect.stringContaining('then the same command again'),
    })
    expect(await record.list()).toEqual([])
    full.mockRestore()
    expect(await record.forget({})).toBe(0)
    await record.close()
    expect(bytesOf(home)).not.toContain('errand-')
  })

  test('leaves nothing on the disk of one outcome of many that was forgotten or replaced', async () => {
    const { home, record } = open()
    const outcomes = Array.from({ length: 40 }, (_, at) => outcomeOf({ task: `errand-${at}.` }))
    await record.add(outcomes)
    await record.replace([{ ...outcomes[7]!, task: 'masked' }])
    await record.forget({ limit: 1, cards: ['post/send_email'] })
    const left = await record.list()
    await record.close()
    const bytes = bytesOf(home)
    const tasks = outcomes.map(({ task }) => task).filter((task) => bytes.includes(task))
    expect(left).toHaveLength(39)
    expect(tasks.sort()).toEqual(
      left
        .map(({ task }) => task)
        .filter((task) => task !== 'masked')
        .sort(),
    )
  })

  test('goes on when everything was forgotten, and takes what comes after', async () => {
    const { home, record } = open()
    await record.add([outcomeOf()])
    expect((await record.index()).size).toBe(1)
    const other = open(home).record
    await other.forget({})
    expect((await record.index()).size).toBe(0)
    await other.add([outcomeOf({ card: 'a/x' })])
    const index = await record.index()
    expect([index.has('a/x'), index.size]).toEqual([true, 1])
    await Promise.all([record.close(), other.close()])
  })

  test('takes rows of a writer whose clock is years behind', async () => {
    const { home, record } = open()
    await record.add([outcomeOf()])
    await record.index()
    const other = open(home, { clock: () => 1 }).record
    await other.add([outcomeOf()])
    expect((await record.index()).size).toBe(2)
    await Promise.all([record.close(), other.close()])
  })

  test('looks again only after a while, or after a change of its own', async () => {
    let now = 1e12
    const home = temporaryFolder()
    const record = open(home, { recheckMs: 1000, stopwatch: () => now }).record
    await record.add([outcomeOf()])
    const index = await record.index()
    const other = open(home).record
    await other.add([outcomeOf()])
    expect([(await record.index()).size, index.size]).toEqual([1, 1])
    now += 1001
    expect((await record.index()).size).toBe(2)
    await record.add([outcomeOf()])
    expect((await record.index()).size).toBe(3)
    await Promise.all([record.close(), other.close()])
  })

  test('has vectors of the tasks by the model that wrote them, without embedding them again', async () => {
    const home = temporaryFolder()
    const writer = open(home, { embed: async () => hashedWordsModel() }).record
    await writer.add([outcomeOf({ task: 'send an email' })])
    await writer.close()
    const model = hashedWordsModel()
    const { record } = open(home, { embed: async () => model })
    const index = await record.index()
    expect([index.model, model.embedded.length]).toEqual(['hashed-words', 0])
    const [vector] = await model.embed(['send an email now'], 'query')
    const cosine = index.tasks.cosines({ texts: ['send an email now'], vectors: [vector!] })
    expect(cosine([0])[0]).toBeCloseTo(3 / Math.sqrt(12), 1)
    await record.close()
  })

  test('embeds the tasks of another model, or of none, anew and once', async () => {
    const home = temporaryFolder()
    const without = open(home).record
    await without.add([outcomeOf({ task: 'send an email' }), outcomeOf({ task: 'send an email' })])
    expect((await without.index()).model).toBeNull()
    await without.close()
    const first = hashedWordsModel()
    const { record } = open(home, { embed: async () => first })
    expect((await record.index()).model).toBe('hashed-words')
    expect(first.embedded).toEqual([{ text: 'send an email', role: 'query' }])
    await record.close()
    const second = hashedWordsModel()
    const again = open(home, { embed: async () => second }).record
    expect([(await again.index()).size, second.embedded.length]).toEqual([2, 0])
    const renamed = open(home, { embed: async () => ({ ...hashedWordsModel(), id: 'another' }) }).record
    expect((await renamed.index()).model).toBe('another')
    await Promise.all([again.close(), renamed.close()])
  })

  test('is kept without vectors when the model cannot be had, and loses no outcome', async () => {
    const { record } = open(temporaryFolder(), {
      embed: async () => {
        throw new Error('no such model')
      },
    })
    await record.add([outcomeOf()])
    const index = await record.index()
    expect([index.model, index.size]).toEqual([null, 1])
    await record.close()
  })
})
