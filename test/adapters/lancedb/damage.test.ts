import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import { lancedb } from '../../../src/adapters/lancedb/native.ts'
import { metaSchema, storeLayout } from '../../../src/adapters/lancedb/schemas.ts'
import { StoreError } from '../../../src/adapters/lancedb/store-location.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { parseSealed } from '../../../src/domain/text/sealed-json.ts'
import { NoIndexError } from '../../../src/retrieval/ports.ts'
import { idsOf } from '../../contracts/catalog.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { nearestCards } from '../../fakes/nearest-cards.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { repaired } from './damaged-stores.ts'
import { outcomeOf } from './some-outcomes.ts'
import { commit, commitSeries, expectWholeSeries, freshReader, listing, storeFolder } from './stores.ts'

const model = scatteredModel()

/** A store with vectors. */
async function store(): Promise<string> {
  const home = storeFolder()
  await commitSeries(home, { tool: 1, agent: 1 })
  return home
}

const filesOf = (folder: string): readonly string[] => readdirSync(folder).map((name) => join(folder, name))

/** Cuts files off in the middle, as a full disk or a torn copy does. */
const halve = (files: readonly string[]): void => {
  for (const file of files) truncateSync(file, Math.floor(statSync(file).size / 2))
}

/** All that a search asks of a store. */
async function readAll(home: string): Promise<void> {
  const reader = lanceReader(home)
  try {
    const snapshot = await reader.snapshot()
    const [vector] = await model.embed(['anything'], 'query')
    for (const kind of ['tool', 'agent'] as const) {
      await snapshot.cards(idsOf(snapshot, kind))
      nearestCards(snapshot.indexes[kind], vector!, 5, null)
    }
    await reader.sources()
  } finally {
    await reader.close()
  }
}

/** Writes a row of the meta table, as another Audition or a mishap would. */
async function setHead(home: string, change: (head: Record<string, unknown>) => string): Promise<void> {
  const connection = await connectTo(home)
  const meta = await connection.openTable('meta')
  const [row] = (await meta.query().where("key = 'head'").toArray()) as { value: string }[]
  const value = change(parseSealed(row!.value) as Record<string, unknown>)
  const rows = lancedb.makeArrowTable([{ key: 'head', value }], { schema: metaSchema })
  await meta.mergeInsert('key').whenMatchedUpdateAll().execute(rows)
  connection.close()
}

describe('a damaged store is said to be one, and is left as it is', () => {
  test.each([
    { what: 'cards', damage: (home: string) => halve(filesOf(join(home, 'tools.lance/data'))) },
    {
      what: 'agents that are gone',
      damage: (home: string) => rmSync(join(home, 'agents.lance/data'), { recursive: true }),
    },
    {
      what: 'a table that is gone',
      damage: (home: string) => rmSync(join(home, 'tools.lance'), { recursive: true }),
    },
    { what: 'search images', damage: (home: string) => halve(filesOf(join(home, 'images.lance/data'))) },
    {
      what: 'the manifest of cards',
      damage: (home: string) => halve(filesOf(join(home, 'tools.lance/_versions'))),
    },
    {
      what: 'the manifest of the meta table',
      damage: (home: string) => halve(filesOf(join(home, 'meta.lance/_versions'))),
    },
    {
      what: 'the rows of the meta table',
      damage: (home: string) => halve(filesOf(join(home, 'meta.lance/data'))),
    },
    { what: 'a head that is no JSON', damage: (home: string) => setHead(home, () => '{"layout":') },
    {
      what: 'a head that names no versions',
      damage: (home: string) => setHead(home, (head) => JSON.stringify({ ...head, versions: {} })),
    },
    {
      what: 'a head that names versions which are gone',
      damage: (home: string) =>
        setHead(home, (head) =>
          JSON.stringify({
            ...head,
            versions: { tools: 900, agents: 900, images: 900, tool_vectors: 900, agent_vectors: 900 },
          }),
        ),
    },
  ])('$what', async ({ damage }) => {
    const home = await store()
    await damage(home)
    const before = listing(home)
    const reading = readAll(home)
    await expect(reading).rejects.toThrow(StoreError)
    await expect(reading).rejects.toMatchObject({
      message: expect.stringMatching(/^The store in \/.* cannot be read: .+\.$/),
      remedy: 'Run `audition doctor --repair`, or set AUDITION_HOME to another one.',
    })
    const error = await reading.catch((thrown: Error) => thrown)
    expect(error?.message).not.toMatch(/\.rs:|registry|Caused by/)
    const diagnosis = await diagnoseStore(home)
    expect(diagnosis).toMatchObject({ state: 'unreadable', location: home })
    expect(diagnosis.detail).toMatch(/\S/)
    expect(diagnosis.detail).not.toMatch(/doctor --repair|\.rs:/)
    expect(listing(home)).toEqual(before)
  })

  test.each([
    { what: 'vectors', damage: (home: string) => halve(filesOf(join(home, 'agent_vectors.lance/data'))) },
    {
      what: 'vectors that are gone',
      damage: (home: string) => rmSync(join(home, 'agent_vectors.lance'), { recursive: true }),
    },
  ])('$what are not needed for a search; the diagnosis and the next index run say it', async ({ damage }) => {
    const home = await store()
    damage(home)
    const before = listing(home)
    await readAll(home)
    expect(await diagnoseStore(home)).toMatchObject({ state: 'unreadable', location: home })
    expect(listing(home)).toEqual(before)
    await expect(commit(home, { put: [agentCard('a/one')] }, { model })).rejects.toThrow(StoreError)
    await readAll(home)
  })

  test.each([
    { what: 'a table of cards', table: 'tools' },
    { what: 'vectors', table: 'tool_vectors' },
    { what: 'search images', table: 'images' },
  ])('an index run does not take $what that are gone for an empty store', async ({ table }) => {
    const home = await store()
    rmSync(join(home, `${table}.lance`), { recursive: true })
    await expect(commit(home, { put: [toolCard('a/one')] }, { model })).rejects.toThrow(StoreError)
    expect(existsSync(join(home, `${table}.lance`))).toBe(false)
    expect(existsSync(join(home, 'index.lock'))).toBe(false)
  })

  test('and its folder, moved away, makes room for a new one under a reader that stays', async () => {
    const home = await store()
    const reader = freshReader(home)
    await reader.snapshot()
    renameSync(home, `${home}-old`)
    await expect(reader.snapshot('now')).rejects.toThrow(NoIndexError)
    await commit(home, { put: [toolCard('new/one')] })
    const snapshot = await reader.snapshot('now')
    expect(idsOf(snapshot, 'tool')).toEqual(['new/one'])
    expect(await snapshot.cards(['new/one'])).toEqual([toolCard('new/one')])
  })
})

test('another store in the same folder is another one, even if its versions bear the same numbers', async () => {
  const [one, other] = [storeFolder(), storeFolder()]
  await commit(one, { put: [toolCard('a/one')] })
  await commit(other, { put: [toolCard('a/two')] })
  const reader = freshReader(one)
  const first = await reader.snapshot()
  rmSync(one, { recursive: true })
  cpSync(other, one, { recursive: true })
  const second = await reader.snapshot('now')
  expect(second.generation).toBe(first.generation)
  expect(second).not.toBe(first)
  expect(await second.cards(idsOf(second, 'tool'))).toEqual([toolCard('a/two')])
})

describe('what is not a store', () => {
  test.each([
    { what: 'a folder that is not there', make: () => undefined },
    { what: 'an empty folder', make: (home: string) => mkdirSync(home, { recursive: true }) },
    {
      what: 'a folder of other things',
      make: (home: string) => mkdirSync(join(home, 'photos'), { recursive: true }),
    },
    {
      what: 'a store whose first commit never began',
      make: (home: string) => mkdirSync(join(home, 'meta.lance/_versions'), { recursive: true }),
    },
  ])('$what holds nothing yet, stays as it is, and can be indexed into', async ({ make }) => {
    const home = storeFolder()
    make(home)
    const before = existsSync(home) && listing(home)
    await expect(readAll(home)).rejects.toThrow(NoIndexError)
    const reader = freshReader(home)
    expect(await reader.sources()).toEqual([])
    expect(await diagnoseStore(home)).toMatchObject({ state: 'absent', tools: 0, agents: 0 })
    expect(existsSync(home) && listing(home)).toEqual(before)
    await commit(home, { put: [agentCard('a/guide')] })
    expect(await diagnoseStore(home)).toMatchObject({ state: 'ready', agents: 1 })
  })

  test.each([
    { what: 'a file', under: '', reason: 'it is a file, not a folder' },
    { what: 'a path through a file', under: 'store', reason: 'a part of its path is a file, not a folder' },
  ])('$what where the store should be is said to be one by every way in', async ({ under, reason }) => {
    const file = storeFolder()
    writeFileSync(file, 'a file')
    const home = join(file, under)
    const message = `The store in ${home} cannot be opened: ${reason}.`
    const remedy = 'Make it a folder that you may read and write, or set AUDITION_HOME to another one.'
    const reader = freshReader(home)
    const record = lanceTrackRecord(home, { embed: async () => null })
    for (const look of [
      () => reader.snapshot(),
      () => reader.sources(),
      () => record.list(),
      () => record.add([outcomeOf({ id: 'a' })]),
      () => commit(home, {}),
      () => lanceWriter(home, { model, intent: 'preview' }),
      () => repaired(home),
      () => repaired(home, { intent: 'look' }),
    ])
      await expect(look()).rejects.toMatchObject({ name: 'StoreError', message, remedy, reason })
    expect(await diagnoseStore(home)).toMatchObject({ state: 'unreadable', detail: reason })
    expect(readFileSync(file, 'utf8')).toBe('a file')
  })

  test('a link that leads to itself is said to be one', async () => {
    const home = storeFolder()
    symlinkSync(home, home)
    await expect(readAll(home)).rejects.toThrow('cannot be opened: its path is a link that leads to itself')
  })
})

describe('a store of a newer Audition', () => {
  test('is refused by readers, writers, previews and the diagnosis, and is left as it is', async () => {
    const home = await store()
    await setHead(home, (head) => JSON.stringify({ ...head, layout: storeLayout + 1 }))
    const before = listing(home)
    const message = `The store was written by a newer Audition (layout ${storeLayout + 1}, this one reads ${storeLayout}).`
    await expect(readAll(home)).rejects.toThrow(message)
    await expect(lanceWriter(home, { model })).rejects.toThrow(message)
    await expect(lanceWriter(home, { model, intent: 'preview' })).rejects.toThrow(message)
    expect(await diagnoseStore(home)).toMatchObject({
      state: 'unreadable',
      detail: `it was written by a newer Audition (layout ${storeLayout + 1}, this one reads ${storeLayout})`,
    })
    expect(listing(home)).toEqual(before)
  })
})

describe('search images of another version', () => {
  test('are made from the cards for a search, and written anew by the next run, whatever it changes', async () => {
    const home = await store()
    const connection = await connectTo(home)
    const images = await connection.openTable('images')
    await images.delete("kind LIKE 'tool %'")
    const version = await images.version()
    connection.close()
    await setHead(home, (head) =>
      JSON.stringify({ ...head, image: 'old', versions: { ...(head.versions as object), images: version } }),
    )
    expect(await expectWholeSeries(home)).toEqual({ tool: 1, agent: 1 })
    const writer = await lanceWriter(home, { model })
    expect(await writer.isCurrent()).toBe(false)
    await writer.commit({ put: [], remove: [], sources: [], removeSources: [] })
    expect(await writer.isCurrent()).toBe(true)
    await writer.close()
    const after = await connectTo(home)
    expect(await (await after.openTable('images')).countRows()).toBe(2)
    expect(await expectWholeSeries(home)).toEqual({ tool: 1, agent: 1 })
  })
})
