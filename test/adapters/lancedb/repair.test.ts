import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { emptyReview } from '../../../src/store/source-review.ts'
import { lancedb } from '../../../src/adapters/lancedb/native.ts'
import { lanceReader } from '../../../src/adapters/lancedb/lance-reader.ts'
import { metaSchema, storeLayout } from '../../../src/adapters/lancedb/schemas.ts'
import { StoreError } from '../../../src/adapters/lancedb/store-location.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { lockStore } from '../../../src/adapters/lancedb/commit/writer-lock.ts'
import type { Card } from '../../../src/domain/card.ts'
import { parseSealed } from '../../../src/domain/text/sealed-json.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import {
  bytesOf,
  copyOf,
  harms,
  makeStore,
  repaired,
  storedCards,
  storedStates,
  tables,
} from './damaged-stores.ts'
import { expectMended } from './expect-mended.ts'
import { useEndings } from '../../../src/domain/outcome.ts'
import { outcomeOf } from './some-outcomes.ts'
import { commit, storeFolder } from './stores.ts'

let model: string
beforeAll(async () => {
  model = join(mkdtempSync(join(tmpdir(), 'audition-repair-test-')), 'store')
  await makeStore(model)
})
afterAll(() => rmSync(dirname(model), { recursive: true }))

const store = (): string => copyOf(model, storeFolder())

const byId = (cards: readonly Card[]): readonly Card[] => [...cards].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Which cards have to be there whatever is done to a table: its own may go, and no others. */
const keptBy = (table: string): readonly Card[] =>
  storedCards.filter(
    ({ kind }) => !(table === 'tools' && kind === 'tool') && !(table === 'agents' && kind === 'agent'),
  )

/** Every harm, each to one table in turn; `npm run attacks -- faults` does more. */
const cases = Object.keys(harms).map((harm, turn) => ({ table: tables[turn % tables.length]!, harm }))

describe('after a repair search works and everything readable is there', () => {
  test.each(cases)('$table: $harm', async ({ table, harm }) => {
    const home = store()
    if (!harms[harm]!(join(home, `${table}.lance`))) return
    const before = bytesOf(home)
    const seen = await repaired(home, { intent: 'look' })
    expect(bytesOf(home)).toEqual(before)

    const { steps, damagedFolder, toReadAgain } = await repaired(home)
    expect(steps).toEqual(seen.steps)
    const cards = await expectMended(home)
    for (const { id } of keptBy(table)) expect(cards.map((card) => card.id)).toContain(id)

    // What is gone is said to be, source by source, and what was damaged is kept as it was.
    const here = new Set(cards.map(({ id }) => id))
    const poorer = new Set(storedCards.filter(({ id }) => !here.has(id)).map(({ source }) => source))
    expect(new Set(toReadAgain.map(({ id }) => id))).toEqual(poorer)
    for (const id of poorer)
      expect(steps).toContainEqual({
        kind: 'lost',
        message: expect.stringContaining(`cards of the source "${id}"`),
        remedy: expect.stringContaining(`audition index /sources/${id}`),
      })
    if (damagedFolder !== null) expect(bytesOf(damagedFolder)).toEqual(before)
    const isNoticed = steps.some(({ kind }) => kind === 'mend')
    expect(isNoticed).toBe(damagedFolder !== null)
    if (harm !== 'indices deleted') expect(isNoticed).toBe(true)
  })

  test('whatever bytes of whatever file change', async () => {
    const files = readdirSync(model, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(model.length + 1))
      .sort()
    const flip = fc.record({
      file: fc.constantFrom(...files),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      length: fc.integer({ min: 1, max: 64 }),
      mask: fc.integer({ min: 1, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 3 }), async (flips) => {
        const home = store()
        for (const { file, at, length, mask } of flips) {
          const bytes = readFileSync(join(home, file))
          const from = Math.floor(at * bytes.length)
          for (let place = from; place < Math.min(bytes.length, from + length); place += 1)
            bytes[place]! ^= mask
          writeFileSync(join(home, file), bytes)
        }
        await repaired(home)
        const cards = await expectMended(home)
        const untouched = storedCards.filter(
          ({ kind }) => !flips.some(({ file }) => file.startsWith(kind === 'tool' ? 'tools' : 'agents')),
        )
        expect(byId(cards)).toEqual(expect.arrayContaining([...byId(untouched)]))
        rmSync(home, { recursive: true })
      }),
      { numRuns: 3 },
    )
  })
})

/** Writes a row of the meta table; that of a state is found by the end of its key. */
async function setRow(home: string, name: string, change: (value: string) => string): Promise<void> {
  const connection = await connectTo(home)
  const meta = await connection.openTable('meta')
  const all = (await meta.query().toArray()) as { key: string; value: string }[]
  const row = all.find((one) => one.key === name || one.key.endsWith(`/${name}`))
  const key = row?.key ?? name
  const rows = lancedb.makeArrowTable([{ key, value: change(row?.value ?? '') }], { schema: metaSchema })
  await meta.mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
  connection.close()
}

const sourcesOf = async (home: string) => {
  const reader = lanceReader(home)
  return reader.sources().finally(() => reader.close())
}

describe('the meta table', () => {
  test.each([
    { what: 'a head that is no JSON', change: () => '{"layout":' },
    {
      what: 'a head that names no versions',
      change: (head: string) => JSON.stringify({ ...(parseSealed(head) as object), versions: {} }),
    },
    {
      what: 'a head that names versions which are gone',
      change: (head: string) =>
        JSON.stringify({
          ...(parseSealed(head) as object),
          versions: { tools: 900, agents: 900, images: 900, tool_vectors: 900, agent_vectors: 900 },
        }),
    },
  ])('$what is written anew, and sources and other rows stay as they were', async ({ change }) => {
    const home = store()
    await setRow(home, 'head', change)
    await setRow(home, 'note:mail', () => '{"key":"mail"}')
    await repaired(home)
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    expect(await sourcesOf(home)).toEqual([...storedStates].sort((a, b) => (a.id < b.id ? -1 : 1)))
    const connection = await connectTo(home)
    const meta = await connection.openTable('meta')
    expect(await meta.query().where("key = 'note:mail'").toArray()).toHaveLength(1)
    connection.close()
  })

  test('what was decided of sources outlives its damage, by the copy beside the tables', async () => {
    const home = store()
    const reviews = [
      { ...emptyReview('mail'), decision: 'trusted' as const },
      { ...emptyReview('chat'), decision: 'untrusted' as const },
    ]
    await commit(home, { reviews }, { model: scatteredModel() })
    await setRow(home, 'review:chat', () => '{"key":')
    const { steps } = await repaired(home)
    expect(steps.map(({ message }) => message).join()).toContain('what is held of "chat"')
    const reader = lanceReader(home)
    expect(await reader.reviews().finally(() => reader.close())).toEqual([reviews[1], reviews[0]])
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
  })

  test('a state of a source that cannot be read is told from its cards', async () => {
    const home = store()
    await setRow(home, 'source:mail', () => '{"id":')
    rmSync(join(home, 'sources.json'))
    const { steps } = await repaired(home)
    expect(steps).toContainEqual(
      expect.objectContaining({ kind: 'lost', message: 'what was known and accepted of sources: mail' }),
    )
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    const mail = (await sourcesOf(home)).find(({ id }) => id === 'mail')
    expect(mail).toMatchObject({ tools: 40, agents: 0, failure: expect.stringContaining('audition index') })
  })

  test('that is gone is made anew from the copy of the states of sources', async () => {
    const home = store()
    rmSync(join(home, 'meta.lance'), { recursive: true })
    const { steps } = await repaired(home)
    expect(steps.map(({ kind }) => kind)).toEqual(['mend'])
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    expect(await sourcesOf(home)).toEqual([...storedStates].sort((a, b) => (a.id < b.id ? -1 : 1)))
  })

  test('and all cards that are gone leave the sources to be read again', async () => {
    const home = store()
    for (const table of tables) rmSync(join(home, `${table}.lance`), { recursive: true })
    writeFileSync(join(home, 'checksums.jsonl'), '')
    mkdirSync(join(home, 'tools.lance'))
    const { steps, toReadAgain } = await repaired(home)
    expect(toReadAgain.map(({ id }) => id).sort()).toEqual(['chat', 'crew', 'mail'])
    expect(steps.filter(({ kind }) => kind === 'lost')).toHaveLength(3)
    expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
    await commit(home, { put: [...storedCards], sources: storedStates }, { model: scatteredModel() })
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
  })

  test('that is gone together with the copy takes the states of sources along, which is said', async () => {
    const home = store()
    rmSync(join(home, 'meta.lance'), { recursive: true })
    rmSync(join(home, 'sources.json'))
    await expect(commit(home, { put: [toolCard('a/one')] })).rejects.toThrow(StoreError)
    const { steps } = await repaired(home)
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    expect(steps).toContainEqual(
      expect.objectContaining({
        kind: 'lost',
        message: expect.stringContaining('what was known of sources'),
      }),
    )
    expect((await sourcesOf(home)).map(({ id, tools, agents }) => [id, tools + agents])).toEqual([
      ['chat', 40],
      ['crew', 30],
      ['mail', 40],
    ])
  })

  test('of a newer Audition is left alone', async () => {
    const home = store()
    await setRow(home, 'head', (head) =>
      JSON.stringify({ ...(parseSealed(head) as object), layout: storeLayout + 1 }),
    )
    const before = bytesOf(home)
    const { steps, damagedFolder } = await repaired(home)
    expect(steps).toEqual([expect.objectContaining({ kind: 'remains', remedy: 'Update Audition.' })])
    expect([damagedFolder, bytesOf(home)]).toEqual([null, before])
  })
})

describe('the track record', () => {
  const outcomes = Array.from({ length: 60 }, (_, at) => outcomeOf({ task: `task ${at}` }))

  async function recordIn(home: string) {
    const record = lanceTrackRecord(home, { embed: async () => scatteredModel() })
    const list = await record.list()
    const { size } = await record.index()
    await record.close()
    return { ids: new Set(list.map(({ id }) => id)), size }
  }

  async function withRecord(): Promise<string> {
    const home = store()
    const record = lanceTrackRecord(home, { embed: async () => scatteredModel() })
    for (const batch of [outcomes.slice(0, 30), outcomes.slice(30)]) await record.add(batch)
    await record.close()
    return home
  }

  test.each(Object.keys(harms).filter((_, turn) => turn % 2 === 0 && turn < 7))(
    '%s: what can be read and what transcripts hold is there again',
    async (harm) => {
      const home = await withRecord()
      harms[harm]!(join(home, 'track_record.lance'))
      const before = bytesOf(home)
      const inTranscripts = outcomes.slice(10, 50)
      const { damagedFolder, steps } = await repaired(home, {}, inTranscripts)
      const { ids, size } = await recordIn(home)
      expect([...ids]).toEqual(expect.arrayContaining(inTranscripts.map(({ id }) => id)))
      expect(size).toBe(ids.size)
      expect(steps).toContainEqual(expect.objectContaining({ kind: 'lost' }))
      expect(before).toEqual(expect.arrayContaining([...bytesOf(damagedFolder!)]))
      const beside = readFileSync(join(damagedFolder!, 'outcomes.jsonl'), 'utf8').trimEnd().split('\n')
      expect(new Set(beside.map((line) => (JSON.parse(line) as { id: string }).id))).toEqual(ids)
      expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    },
  )

  test.each(useEndings)('is whole with a use that came to "%s"', async (use) => {
    const home = store()
    const record = lanceTrackRecord(home, { embed: async () => null })
    await record.add([outcomeOf({ origin: 'use', use, task: '', verdict: null })])
    await record.close()
    expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  })

  test('finds the last write by the checksums of its outcomes when the newest manifest is cut off', async () => {
    const home = await withRecord()
    const versions = join(home, 'track_record.lance', '_versions')
    const [newest] = readdirSync(versions)
      .filter((name) => name.endsWith('.manifest'))
      .sort()
    writeFileSync(join(versions, newest!), 'torn')
    await repaired(home)
    expect((await recordIn(home)).ids).toEqual(new Set(outcomes.map(({ id }) => id)))
  })
})

describe('the ledger of what was only simulated', () => {
  const outcomes = Array.from({ length: 20 }, (_, at) => outcomeOf({ task: `task ${at}` }))

  test('is mended by itself: the track record stays as it is', async () => {
    const home = store()
    const ledgers = ['executed', 'simulated'] as const
    const open = (ledger: (typeof ledgers)[number]) =>
      lanceTrackRecord(home, { ledger, embed: async () => null })
    for (const ledger of ledgers) {
      const record = open(ledger)
      await record.add(ledger === 'executed' ? [outcomeOf()] : outcomes.slice(0, 12))
      await record.add(ledger === 'executed' ? [outcomeOf()] : outcomes.slice(12))
      await record.close()
    }
    const data = join(home, 'simulated_record.lance', 'data')
    const [first] = readdirSync(data).sort()
    writeFileSync(join(data, first!), 'torn')
    const seen = await repaired(home, { intent: 'look' }, outcomes.slice(0, 5))
    expect(seen.steps).toContainEqual(
      expect.objectContaining({ kind: 'mend', message: expect.stringContaining('"simulated_record"') }),
    )
    const { damagedFolder, steps } = await repaired(home, {}, outcomes.slice(0, 5))
    expect(steps).toEqual(seen.steps)
    const listed = new Map<string, readonly string[]>()
    for (const ledger of ledgers) {
      const record = open(ledger)
      listed.set(
        ledger,
        (await record.list()).map(({ id }) => id),
      )
      await record.close()
    }
    expect(listed.get('executed')).toHaveLength(2)
    expect(listed.get('simulated')).toEqual(expect.arrayContaining(outcomes.slice(0, 5).map(({ id }) => id)))
    expect(listed.get('simulated')!.length).toBeGreaterThanOrEqual(13 - 1)
    expect(
      readFileSync(join(damagedFolder!, 'simulated-outcomes.jsonl'), 'utf8').trim().split('\n'),
    ).toHaveLength(listed.get('simulated')!.length)
    expect((await repaired(home)).steps).toEqual([])
  })
})

describe('what killed processes leave', () => {
  test('is removed, and readers see no change', async () => {
    const home = store()
    const connection = await connectTo(home)
    const tools = await connection.openTable('tools')
    await tools.delete("source = 'mail'")
    await tools.add([{ id: 'x/y', source: 'x', hash: 'h', card: '{}' }])
    connection.close()
    writeFileSync(join(home, 'index.lock'), '{"pid":999999999,"host":"')
    mkdirSync(join(home, 'repairing-2020-01-01T00-00-00'))
    const { steps, damagedFolder } = await repaired(home)
    expect(steps.map(({ kind }) => kind)).toEqual(['tidy', 'tidy'])
    expect(damagedFolder).toBeNull()
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    expect(readdirSync(join(home, 'tools.lance', 'data'))).toHaveLength(1)
    expect(readdirSync(home).filter((name) => /lock|repair/.test(name))).toEqual([])
  })

  test('is removed also when it is younger than every version of its table', async () => {
    const home = store()
    const data = join(home, 'tools.lance', 'data')
    const [first] = readdirSync(data)
    copyOf(join(data, first!), join(data, 'copy.lance'))
    expect((await repaired(home)).steps.map(({ kind }) => kind)).toEqual(['tidy'])
    expect(readdirSync(data)).toEqual([first])
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
  })

  test('is not touched while a process holds the store', async () => {
    const home = store()
    const connection = await connectTo(home)
    await (await connection.openTable('tools')).add([{ id: 'x/y', source: 'x', hash: 'h', card: '{}' }])
    connection.close()
    const unlock = await lockStore(home, undefined)
    expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
    unlock()
    expect((await repaired(home, { intent: 'look' })).steps).toHaveLength(1)
  })

  test.each([0, 3, 6])('a repair that was killed after %i tables is finished by the next', async (moved) => {
    const home = store()
    harms['data files cut off']!(join(home, 'images.lance'))
    const other = copyOf(home, storeFolder())
    await repaired(other)
    // As it is in the midst of the exchange: some tables are in place, the others wait.
    const [waiting, away] = [join(home, 'repaired-2026-01-01'), join(home, 'damaged-2026-01-01')]
    const names = ['tools', 'agents', 'tool_vectors', 'agent_vectors', 'images', 'meta']
    for (const folder of [waiting, away]) mkdirSync(folder)
    writeFileSync(join(waiting, 'tables.json'), JSON.stringify(names))
    for (const [at, name] of names.entries()) {
      const table = `${name}.lance`
      if (moved > 0) renameSync(join(home, table), join(away, table))
      copyOf(join(other, table), join(at < moved ? home : waiting, table))
    }
    expect((await repaired(home, { intent: 'look' })).steps).toHaveLength(1)
    await repaired(home)
    expect(byId(await expectMended(home))).toEqual(byId(storedCards))
    expect(existsSync(waiting)).toBe(false)
    expect(readdirSync(away).sort()).toEqual(names.map((name) => `${name}.lance`).sort())
  })
})

test('a store that is well is left as it is', async () => {
  const home = store()
  const before = bytesOf(home)
  expect(await repaired(home)).toEqual({ steps: [], damagedFolder: null, toReadAgain: [] })
  expect(bytesOf(home)).toEqual(before)
})

test.each([
  { what: 'a folder that is not there', make: () => undefined },
  { what: 'an empty folder', make: (home: string) => mkdirSync(home) },
])('$what has nothing to mend', async ({ make }) => {
  const home = storeFolder()
  make(home)
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  expect((await repaired(home)).steps).toEqual([])
})

test('what others commit and forget meanwhile is not taken for damage', async () => {
  const home = store()
  const record = lanceTrackRecord(home, { embed: async () => null })
  await record.add([outcomeOf()])
  let isOver = false
  const writing = (async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await commit(home, { put: [toolCard(`new/tool-${turn}`)] }, { model: scatteredModel() })
      await record.add([outcomeOf({ card: 'a/b' })])
      await record.forget({ cards: ['a/b'] })
    }
    isOver = true
  })()
  while (!isOver) {
    const { steps } = await repaired(home, { intent: 'look' })
    expect(steps.filter(({ kind }) => kind !== 'tidy')).toEqual([])
  }
  await writing
  await record.close()
})

test('two repairs at once mend once', async () => {
  const home = store()
  harms['data files cut off']!(join(home, 'images.lance'))
  const both = await Promise.all([repaired(home), repaired(home)])
  expect(both.filter(({ damagedFolder }) => damagedFolder !== null)).toHaveLength(1)
  expect(byId(await expectMended(home))).toEqual(byId(storedCards))
})
