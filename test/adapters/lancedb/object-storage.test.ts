import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { diagnoseConditionalPuts } from '../../../src/adapters/lancedb/conditional-puts.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { stemOfName } from '../../../src/adapters/lancedb/pointed-table.ts'
import { graceMs } from '../../../src/adapters/lancedb/commit/retired.ts'
import { connectTo, openMeta } from '../../../src/adapters/lancedb/connection.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { isRemote, StoreError } from '../../../src/adapters/lancedb/store-location.ts'
import { changeOf, idsOf, keepsTheCatalogContract, stateOf } from '../../contracts/catalog.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { type ObjectStorage, objectStorage } from '../../fixtures/object-storage.ts'
import { outcomeOf } from './some-outcomes.ts'
import { catalogIn, commit, freshReader } from './stores.ts'

let honouring: ObjectStorage
let ignoring: ObjectStorage
beforeAll(async () => {
  honouring = await objectStorage('honoured')
  ignoring = await objectStorage('ignored')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([honouring.close(), ignoring.close()])
})

/** An address for a store of its own; LanceDB takes the way there from the environment. */
function storeIn(storage: ObjectStorage): string {
  for (const [name, value] of Object.entries(storage.environment)) vi.stubEnv(name, value)
  return storage.store(randomUUID())
}

/** Tables of a store by what they hold. */
async function tablesOf(home: string): Promise<readonly string[]> {
  const connection = await connectTo(home)
  const names = await connection.tableNames()
  connection.close()
  return names.map(stemOfName).sort()
}

/** Keys of the states of sources, of whatever head. */
async function statesOf(home: string): Promise<readonly string[]> {
  const connection = await connectTo(home)
  const meta = (await openMeta({ location: home, connection }))!
  const rows = (await meta.query().toArray()) as { key: string }[]
  connection.close()
  return rows.map(({ key }) => key).filter((key) => key.includes('source:'))
}

describe('a store in object storage', () =>
  keepsTheCatalogContract(() => catalogIn(storeIn(honouring)), 'race'))

test('a commit counts whose answer was lost on its way', async () => {
  const home = storeIn(honouring)
  await commit(home, { put: [toolCard('a/one')] })
  const writer = await lanceWriter(home, { model: null })
  // The manifest of the table with the head.
  honouring.loseAnswer(/meta-\d[^/]*\.lance\/_versions\/\d+\.manifest/)
  await writer.commit(changeOf({ put: [toolCard('a/two')] }))
  await writer.commit(changeOf({ put: [toolCard('a/three')] }))
  await writer.close()
  expect(idsOf(await freshReader(home).snapshot(), 'tool')).toEqual(['a/one', 'a/three', 'a/two'])
})

describe('what a commit replaces', () => {
  afterEach(() => vi.useRealTimers())

  test('is kept for its readers, and forgotten a day later', async () => {
    const home = storeIn(honouring)
    await commit(home, { put: [toolCard('a/one')], sources: [stateOf('a')] })
    const first = await statesOf(home)
    expect(first).toHaveLength(1)
    const reader = freshReader(home)
    const old = await reader.snapshot()
    await commit(home, { put: [toolCard('a/two')], remove: ['a/one'], sources: [stateOf('a')] })
    expect((await old.cards(['a/one'])).map(({ id }) => id)).toEqual(['a/one'])
    expect(await tablesOf(home)).toEqual([
      'agents',
      'images',
      'images',
      'meta',
      'meta-root',
      'tools',
      'tools',
    ])

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + graceMs + 60_000 })
    await commit(home, { sources: [stateOf('b')] })
    expect(await tablesOf(home)).toEqual(['agents', 'images', 'meta', 'meta-root', 'tools'])
    expect(idsOf(await reader.snapshot('now'), 'tool')).toEqual(['a/two'])
    expect((await reader.sources()).map(({ id }) => id)).toEqual(['a', 'b'])
    // What one commit cannot tidy, say because a request failed, the next one does.
    await vi.waitFor(
      async () => {
        const rows = await statesOf(home)
        if (rows.some((key) => first.includes(key))) await commit(home, { sources: [stateOf('b')] })
        expect(rows.filter((key) => first.includes(key))).toEqual([])
      },
      { timeout: 20_000 },
    )
  })

  test('stays as long when a process was killed before its head named it', async () => {
    const home = storeIn(honouring)
    await commit(home, { put: [toolCard('a/one')] })
    const connection = await connectTo(home)
    await connection.createTable('tools-20200101T000000Z-0123456789ab', [{ id: 'x' }])
    await connection.createTable('notes-20200101T000000Z-0123456789ab', [{ id: 'x' }])
    connection.close()
    await commit(home, { put: [toolCard('a/two')] })
    // Not every commit looks for what nobody ever named.
    for (let more = 0; more < 8; more += 1) await commit(home, { sources: [stateOf('b')] })
    expect(await tablesOf(home), "ours is gone, somebody else's stays").toEqual([
      'agents',
      'images',
      'images',
      'meta',
      'meta-root',
      'notes',
      'tools',
      'tools',
    ])
  })
})

describe('a server that ignores the condition of a put', () => {
  test('is found out', async () => {
    expect(await diagnoseConditionalPuts(storeIn(honouring))).toMatchObject({ outcome: 'honoured' })
    const home = storeIn(ignoring)
    expect(await diagnoseConditionalPuts(home)).toMatchObject({
      outcome: 'ignored',
      detail: expect.stringMatching(/of 4 writers that made the same object at once, \d were told/),
      remedy: expect.stringContaining('s3+ddb://'),
    })
    expect(await tablesOf(home), 'what it was tried with is removed').toEqual([])
  })

  test('takes no commit and no outcome', async () => {
    const home = storeIn(ignoring)
    await expect(commit(home, { put: [toolCard('a/one')] })).rejects.toMatchObject({
      message: expect.stringContaining('ignores conditional puts (If-None-Match)'),
      remedy: expect.stringContaining('s3+ddb://'),
    })
    const record = lanceTrackRecord(home, { embed: async () => null })
    await expect(record.add([outcomeOf({ task: 'any' })])).rejects.toThrow(StoreError)
    await record.close()
    expect(await tablesOf(home)).toEqual([])
  })

  test('is asked once, and again where the same store is reached over another server', async () => {
    const home = storeIn(honouring)
    await commit(home, { put: [toolCard('a/one')] })
    const rows = async () => {
      const meta = (await openMeta({ location: home, connection: await connectTo(home) }))!
      return meta.countRows("starts_with(key, 'conditional-puts:')")
    }
    await commit(home, { put: [toolCard('a/two')] })
    expect(await rows()).toBe(1)
    vi.stubEnv('AWS_ENDPOINT', honouring.environment.AWS_ENDPOINT!.replace('127.0.0.1', 'localhost'))
    await commit(home, { put: [toolCard('a/three')] })
    expect(await rows()).toBe(2)
  })

  test('cannot be told from one that does not answer', async () => {
    const home = storeIn(honouring)
    vi.stubEnv('AWS_ENDPOINT', 'http://127.0.0.1:9')
    vi.stubEnv('AWS_MAX_RETRIES', '0')
    expect(await diagnoseConditionalPuts(home)).toMatchObject({ outcome: 'failed' })
  })
})

test.each([
  { location: 's3://bucket/store', is: true },
  { location: 's3+ddb://bucket/store?ddbTableName=commits', is: true },
  { location: 'gs://bucket', is: true },
  { location: '/home/me/s3:/x', is: false },
  { location: 'C:\\Users\\me', is: false },
])('$location is an address: $is', ({ location, is }) => {
  expect(isRemote(location)).toBe(is)
})
