import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { graceMs } from '../../../src/adapters/lancedb/commit/retired.ts'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { diskCache } from '../../../src/adapters/lancedb/replica/disk-cache.ts'
import type { CatalogReader } from '../../../src/retrieval/ports.ts'
import { stateOf } from '../../contracts/catalog.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { type FaultyWay, faultyWay, noFaults } from '../../fixtures/faulty-way.ts'
import { type ObjectStorage, objectStorage } from '../../fixtures/object-storage.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { outcomeOf } from './some-outcomes.ts'
import { commit } from './stores.ts'

let storage: ObjectStorage
let way: FaultyWay
beforeAll(async () => {
  storage = await objectStorage('honoured')
  way = await faultyWay(storage.environment.AWS_ENDPOINT!)
  for (const [name, value] of Object.entries({ ...storage.environment, AWS_ENDPOINT: way.endpoint }))
    vi.stubEnv(name, value)
  vi.stubEnv('AWS_MAX_RETRIES', '0')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  way.close()
  await storage.close()
})

const everyMs = 40
const cardOf = (edition: number) => toolCard('a/one', { description: `Edition ${edition}` })
const write = (home: string, edition: number) =>
  commit(home, { put: [cardOf(edition)], sources: [stateOf('a')] })

async function storeWith(edition: number): Promise<string> {
  const home = storage.store(randomUUID())
  await commit(home, { put: [cardOf(edition), agentCard('b/helper')], sources: [stateOf('a')] })
  return home
}

type Replica = { readonly reader: CatalogReader; readonly told: readonly string[] }

async function withReplica(
  home: string,
  folder: string,
  use: (replica: Replica) => Promise<void>,
): Promise<void> {
  const told: string[] = []
  const reader = lanceReader(home, {
    recheckMs: everyMs,
    replica: { folder, tell: (line) => told.push(line) },
  })
  try {
    await use({ reader, told })
  } finally {
    way.meet(noFaults)
    await reader.close()
  }
}

const edition = async (reader: CatalogReader): Promise<string | undefined> =>
  (await (await reader.snapshot()).cards(['a/one']))[0]?.description

const sum = ({ parts: _, faults: __, ...kinds }: ReturnType<FaultyWay['take']>): number =>
  Object.values(kinds).reduce((all, one) => all + one, 0)

describe('a replica of a store in object storage', () => {
  test('asks nothing for a search, one list for a look, and follows', async () => {
    const home = await storeWith(1)
    await withReplica(home, temporaryFolder(), async ({ reader, told }) => {
      const snapshot = await reader.snapshot()
      way.take()
      expect((await snapshot.cards(['b/helper', 'a/one'])).map(({ id }) => id)).toEqual(['b/helper', 'a/one'])
      expect([...(await snapshot.hashes(['a/one'])).keys()]).toEqual(['a/one'])
      const { LIST, ...others } = way.take()
      expect({ ...others, LIST: LIST <= 2 }).toMatchObject({ GET: 0, HEAD: 0, PUT: 0, LIST: true })
      await vi.waitFor(() => expect(way.take()).toMatchObject({ LIST: 1, GET: 0, HEAD: 0 }), { interval: 15 })
      await write(home, 2)
      await vi.waitFor(async () => expect(await edition(reader)).toBe('Edition 2'), { timeout: 10_000 })
      expect((await snapshot.cards(['a/one']))[0]?.description, 'an open snapshot stays').toBe('Edition 1')
      expect(told).toEqual([])
    })
  })

  test('answers by what it has while the store does not, and says so', async () => {
    const home = await storeWith(1)
    await withReplica(home, temporaryFolder(), async ({ reader, told }) => {
      await edition(reader)
      const states = await reader.sources()
      way.meet({ ...noFaults, isStorm: true })
      await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 60_000 })
      for (let search = 0; search < 20; search += 1) expect(await edition(reader)).toBe('Edition 1')
      expect(await reader.sources()).toEqual(states)
      expect(told[0]).toMatch(/cannot be read: .*Searches answer by generation 1, which was the newest at 20/)
      expect(reader.age?.()).toMatchObject({ generation: 1, failing: { since: expect.any(Date) } })
      way.meet(noFaults)
      await write(home, 2)
      await vi.waitFor(async () => expect(await edition(reader)).toBe('Edition 2'), { timeout: 30_000 })
      expect(told[1]).toMatch(/is read again, after \d+ s\. Searches answer by generation [12]\./)
      expect(told).toHaveLength(2)
      expect(reader.age?.()).not.toHaveProperty('failing')
    })
  })

  test('starts by what the disk has while the store does not answer', async () => {
    const [home, folder] = [await storeWith(1), temporaryFolder()]
    await withReplica(home, folder, async ({ reader }) => {
      await edition(reader)
    })
    await withReplica(home, folder, async ({ reader, told }) => {
      way.meet({ ...noFaults, isStorm: true })
      expect(await edition(reader)).toBe('Edition 1')
      expect((await reader.sources()).map(({ id }) => id)).toEqual(['a'])
      expect(reader.age?.()).toMatchObject({ seen: expect.any(Date), failing: { since: expect.any(Date) } })
      expect(told).toEqual([
        expect.stringMatching(/Searches answer by generation 1, which was the newest at 20/),
      ])
      way.meet(noFaults)
      await write(home, 2)
      await vi.waitFor(async () => expect(await edition(reader)).toBe('Edition 2'), { timeout: 30_000 })
    })
    await withReplica(home, temporaryFolder(), async ({ reader }) => {
      way.meet({ ...noFaults, isStorm: true })
      await expect(edition(reader)).rejects.toThrow('cannot be read')
    })
  })

  test('answers by a snapshot that the store has long forgotten', async () => {
    const home = await storeWith(1)
    await withReplica(home, temporaryFolder(), async ({ reader }) => {
      const snapshot = await reader.snapshot()
      vi.useFakeTimers({ toFake: ['Date'] })
      for (const next of [2, 3]) {
        vi.setSystemTime(Date.now() + graceMs + 60_000)
        await write(home, next)
      }
      vi.useRealTimers()
      expect((await snapshot.cards(['a/one']))[0]?.description).toBe('Edition 1')
    })
  })

  test('reads from its disk what is there, and anew what was damaged there', async () => {
    const [home, folder] = [await storeWith(1), temporaryFolder()]
    await withReplica(home, folder, async ({ reader }) => {
      expect(await edition(reader)).toBe('Edition 1')
    })
    const cold = sum(way.take())
    const copies = readdirSync(folder)
    expect(copies, 'images by digest, cards by table, and the head').toHaveLength(5)
    await withReplica(home, folder, async ({ reader }) => {
      expect(await edition(reader)).toBe('Edition 1')
    })
    expect(sum(way.take())).toBeLessThan(cold / 2)
    for (const name of copies) {
      const bytes = readFileSync(join(folder, name))
      writeFileSync(join(folder, name), bytes.fill(bytes.at(-1)! ^ 1, bytes.length - 1))
    }
    await withReplica(home, folder, async ({ reader }) => {
      expect(await edition(reader)).toBe('Edition 1')
      for (const name of copies) rmSync(join(folder, name))
      expect((await (await reader.snapshot()).cards(['a/one']))[0]?.id, 'of the store').toBe('a/one')
    })
  })

  test('reads a kind no second time when a commit changes the other', async () => {
    const home = await storeWith(1)
    await withReplica(home, temporaryFolder(), async ({ reader }) => {
      const before = await reader.snapshot()
      await write(home, 2)
      const after = await reader.snapshot('now')
      expect(after.indexes.agent).toBe(before.indexes.agent)
      expect(after.indexes.tool).not.toBe(before.indexes.tool)
    })
  })

  test('ranks without the record until it can be read', async () => {
    const home = storage.store(randomUUID())
    let now = 0
    const told: string[] = []
    const options = {
      embed: async () => null,
      beside: (line: string) => told.push(line),
      stopwatch: () => now,
    }
    const [writer, reader] = [lanceTrackRecord(home, options), lanceTrackRecord(home, options)]
    await writer.add([outcomeOf()])
    way.meet({ ...noFaults, isStorm: true })
    for (let search = 0; search < 3; search += 1) expect((await reader.index()).size).toBe(0)
    expect(told).toEqual([
      expect.stringMatching(/^The track record.* Until it is read, searches rank without it\.$/),
    ])
    way.meet(noFaults)
    now += 60_000
    await vi.waitFor(async () => expect((await reader.index()).size).toBe(1), { timeout: 10_000 })
    await Promise.all([writer.close(), reader.close()])
  })

  test('has a record whose searches do not fail with the store', async () => {
    const home = storage.store(randomUUID())
    let now = 0
    const options = { embed: async () => null, beside: () => undefined, stopwatch: () => now }
    const [writer, reader] = [lanceTrackRecord(home, options), lanceTrackRecord(home, options)]
    await writer.add([outcomeOf()])
    expect((await reader.index()).size).toBe(1)
    await writer.add([outcomeOf()])
    now += 60_000
    await reader.index()
    await vi.waitFor(async () => expect((await reader.index()).size).toBe(2), { timeout: 10_000 })
    now += 60_000
    way.meet({ ...noFaults, isStorm: true })
    expect((await reader.index()).size).toBe(2)
    way.meet(noFaults)
    await Promise.all([writer.close(), reader.close()])
  })
})

describe('the cache on the disk', () => {
  const bytesOf = async (cache: ReturnType<typeof diskCache>, name: string) => {
    const read: number[] = []
    const digest = await cache.read(name, () => (piece) => read.push(...piece))
    return digest === null ? null : Buffer.from(read).toString()
  }
  const text = (words: string) => [Buffer.from(words)]

  test('gives what was written, and nothing of what was changed, cut or never written', async () => {
    const folder = join(temporaryFolder(), 'made')
    const cache = diskCache(folder)
    const digest = await cache.write('one', [Buffer.from('some '), Buffer.from('words')])
    expect(await bytesOf(cache, 'one')).toBe('some words')
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(Buffer.from(await cache.part('one', 5, 10)).toString()).toBe('words')
    await expect(cache.part('one', 5, 11)).rejects.toThrow('shorter')
    expect(await bytesOf(cache, 'two')).toBeNull()
    writeFileSync(join(folder, 'one'), readFileSync(join(folder, 'one')).subarray(0, -1))
    expect(await bytesOf(cache, 'one')).toBeNull()
    expect(readdirSync(folder), 'and removes it').toEqual([])
  })

  test('keeps within its bound, what was unused for longest going first, and nothing that is in use', async () => {
    const folder = temporaryFolder()
    const cache = diskCache(folder, 150)
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      await cache.write(name, text('x'.repeat(40)))
      const then = new Date(Date.now() - (10 - at) * 3_600_000)
      utimesSync(join(folder, name), then, then)
    }
    await cache.tidy(['a'])
    expect(readdirSync(folder).sort()).toEqual(['a', 'd'])
    expect(statSync(join(folder, 'a')).size, 'with its digest').toBe(72)
  })

  test('says that a disk does not take it, and passes on what the pieces meet', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, '')
    expect(await diskCache(folder).write('one', text('x'))).toBeNull()
    const cache = diskCache(temporaryFolder())
    const failing = (async function* () {
      yield Buffer.from('x')
      throw new Error('the store is gone')
    })()
    await expect(cache.write('one', failing)).rejects.toThrow('the store is gone')
    expect(readdirSync(cache.folder)).toEqual([])
  })
})
