import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { indexSources } from '../../src/indexing/index-sources.ts'
import { changesAge, isNewcomer, longKnown, seenAfter, seenAgain } from '../../src/trust/standing.ts'
import type { Seen } from '../../src/store/source-state.ts'
import { memoryCatalog } from '../fakes/memory-catalog.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const day = 24 * 60 * 60 * 1000
const start = Date.parse('2026-01-01T00:00:00Z')
const at = (days: number): Date => new Date(start + days * day)
const run = (days: number, fresh: readonly string[] = [], removed: readonly string[] = []) => ({
  now: at(days),
  isFirst: false,
  fresh,
  removed,
})

describe('how long cards are known', () => {
  test('a source that comes later is new for two weeks', () => {
    let seen = seenAfter(undefined, run(0, ['a/x']))
    expect(isNewcomer(seen, 'a/x')).toBe(true)
    for (const days of [6, 12]) {
      seen = seenAfter(seen, run(days))
      expect(isNewcomer(seen, 'a/x')).toBe(true)
    }
    seen = seenAfter(seen, run(longKnown))
    expect(isNewcomer(seen, 'a/x')).toBe(false)
  })

  test('who is there from the first is nobody’s newcomer, and what it adds later is one', () => {
    const first = seenAfter(undefined, { ...run(0, ['a/x']), isFirst: true })
    expect(isNewcomer(first, 'a/x')).toBe(false)
    const later = seenAfter(first, run(3, ['a/y']))
    expect([isNewcomer(later, 'a/x'), isNewcomer(later, 'a/y')]).toEqual([false, true])
  })

  test('a text that changes begins anew, and what left search is forgotten', () => {
    const first = seenAfter(undefined, { ...run(0), isFirst: true })
    const changed = seenAfter(first, run(5, ['a/x', 'a/y']))
    expect(isNewcomer(changed, 'a/x')).toBe(true)
    const without = seenAfter(changed, run(6, [], ['a/y']))
    expect(without.later).toEqual({ 'a/x': 5 })
  })

  test.each([
    { what: 'a leap into the future', days: [0, 40_000] },
    { what: 'a leap and the way back', days: [0, 40_000, 1] },
    { what: 'a clock that starts at nothing', days: [0, -20_000, 1] },
    { what: 'both', days: [0, -20_000] },
  ])('$what makes nobody old', ({ days }) => {
    const [first, ...others] = days
    let seen = seenAfter(undefined, run(first!))
    for (const now of others) seen = seenAfter(seen, run(now))
    expect(isNewcomer(seen, 'a/x')).toBe(true)
  })

  test('a wrong clock does not keep anybody new for ever', () => {
    let seen = seenAfter(seenAfter(undefined, run(0)), run(40_000))
    for (let days = 1; days <= 20; days += 1) seen = seenAgain(seen, at(days)) ?? seen
    expect(isNewcomer(seen)).toBe(false)
  })

  test('a run that finds nothing new writes a day once, and nothing of what is old', () => {
    const seen = seenAfter(undefined, run(0))
    expect(seenAgain(seen, at(0.2))).toBeUndefined()
    expect(seenAgain(seen, at(1.2))).toMatchObject({ days: 1.2 })
    expect(seenAgain({ days: 20, at: at(20).toISOString() }, at(30))).toBeUndefined()
  })

  test('a source that changes as a whole begins anew', () => {
    const old: Seen = { days: 100, at: at(0).toISOString(), isFirst: true }
    const seen = seenAfter(
      old,
      run(
        1,
        Array.from({ length: 6000 }, (_, place) => `a/${place}`),
      ),
    )
    expect(isNewcomer(seen, 'a/1')).toBe(true)
    expect(seen.later).toBeUndefined()
  })

  test('growing old changes what was made of the cards', () => {
    const seen = seenAfter(undefined, run(0))
    expect(changesAge(seen, { ...seen, days: 3 })).toBe(false)
    expect(changesAge(seen, { ...seen, days: longKnown })).toBe(true)
    expect(changesAge({ ...seen, later: { 'a/x': 0 } }, seen)).toBe(true)
    expect(changesAge(undefined, undefined)).toBe(false)
  })
})

describe('over runs of index', () => {
  const tool = (name: string, description = `Does ${name} for whoever asks`) =>
    `${JSON.stringify({ id: name, documentation: JSON.stringify({ name, description }) })}\n`
  const catalog = () => {
    const stored = memoryCatalog()
    const folder = temporaryFolder()
    return {
      folder,
      write: (name: string, ...tools: readonly string[]) => writeFileSync(join(folder, name), tools.join('')),
      index: async (...files: readonly string[]) => {
        const writer = await stored.writer()
        const surroundings = {
          harvester: { harvest: () => Promise.reject(new Error('nothing is asked here')) },
          fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
          label: (path: string) => path,
        }
        try {
          await indexSources(writer, surroundings, {
            locations: files.map((file) => join(folder, file)),
            refresh: true,
          })
        } finally {
          await writer.close()
        }
      },
      standings: async () => {
        const { tool: index } = (await stored.reader().snapshot()).indexes
        return Object.fromEntries(
          Array.from({ length: index.size }, (_, document) => [
            index.ids.at(document),
            index.standing(document),
          ]),
        )
      },
    }
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: start })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('what comes later is a newcomer until it is known, also where nothing of it changes', async () => {
    const { index, write, standings } = catalog()
    write('first.jsonl', tool('alpha'))
    await index('first.jsonl')
    expect(await standings()).toEqual({ 'first/alpha': 'stranger' })
    write('later.jsonl', tool('beta'))
    write('first.jsonl', tool('alpha'), tool('gamma'))
    await index('first.jsonl', 'later.jsonl')
    expect(await standings()).toEqual({
      'first/alpha': 'stranger',
      'first/gamma': 'newcomer',
      'later/beta': 'newcomer',
    })
    for (const days of [7, 14.5]) {
      vi.setSystemTime(at(days))
      await index('first.jsonl', 'later.jsonl')
    }
    expect(new Set(Object.values(await standings()))).toEqual(new Set(['stranger']))
  })

  test('what others publish is no newcomer where only the user’s own was there before', async () => {
    const { index, write, standings } = catalog()
    const mine = { name: 'mine', description: 'Does what I want', parameters: { type: 'object' } }
    write('own.json', JSON.stringify([{ type: 'function', function: mine }]))
    await index('own.json')
    write('first.jsonl', tool('alpha'))
    await index('own.json', 'first.jsonl')
    expect(await standings()).toEqual({ 'own/mine': 'installed', 'first/alpha': 'stranger' })
  })

  test('a changed text is a newcomer again', async () => {
    const { index, write, standings } = catalog()
    write('first.jsonl', tool('alpha'), tool('beta'))
    await index('first.jsonl')
    vi.setSystemTime(at(30))
    write('first.jsonl', tool('alpha'), tool('beta', 'The best tool for all that anybody may want'))
    await index('first.jsonl')
    expect(await standings()).toEqual({ 'first/alpha': 'stranger', 'first/beta': 'newcomer' })
  })

  test('a file that is moved or renamed is known as long as before', async () => {
    const { folder, index, write, standings } = catalog()
    write('first.jsonl', tool('alpha'))
    await index('first.jsonl')
    write('first.jsonl', tool('alpha'), tool('beta'))
    await index('first.jsonl')
    vi.setSystemTime(at(2))
    renameSync(join(folder, 'first.jsonl'), join(folder, 'moved.jsonl'))
    await index('moved.jsonl')
    expect(await standings()).toMatchObject({ 'moved/alpha': 'stranger', 'moved/beta': 'newcomer' })
    rmSync(join(folder, 'moved.jsonl'))
  })
})
