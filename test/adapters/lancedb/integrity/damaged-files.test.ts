import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLedger } from '../../../../src/adapters/lancedb/integrity/ledger.ts'
import { tableFiles } from '../../../../src/adapters/lancedb/integrity/table-files.ts'
import { verifyTable } from '../../../../src/adapters/lancedb/integrity/verify-table.ts'
import { StoreError } from '../../../../src/adapters/lancedb/store-location.ts'
import { lanceTrackRecord } from '../../../../src/adapters/lancedb/record/track-record.ts'
import { idsOf } from '../../../contracts/catalog.ts'
import { scatteredModel } from '../../../fakes/scattered-model.ts'
import { copyOf, repaired } from '../damaged-stores.ts'
import { outcomeOf } from '../some-outcomes.ts'
import { commitSeries, freshReader, storeFolder } from '../stores.ts'

const tables = ['tools', 'agents', 'tool_vectors', 'agent_vectors', 'images', 'meta']

/** A store with a record of three writes; each test has a copy. */
let sound: string
beforeAll(async () => {
  sound = join(mkdtempSync(join(tmpdir(), 'audition-integrity-')), 'store')
  await commitSeries(sound, { tool: 1, agent: 1 })
  await commitSeries(sound, { tool: 2, agent: 1 })
  const record = lanceTrackRecord(sound, { embed: async () => scatteredModel() })
  for (const id of ['a', 'b', 'c']) await record.add([outcomeOf({ id })])
  await record.close()
})
afterAll(() => rmSync(dirname(sound), { recursive: true }))

const store = (): string => copyOf(sound, storeFolder())

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** Flips a bit in the middle, and lets the file look as if nobody had touched it. */
function flipBit(file: string): void {
  const { atime, mtime } = statSync(file)
  const bytes = readFileSync(file)
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  writeFileSync(file, bytes)
  utimesSync(file, atime, mtime)
}

const exported = async (home: string): Promise<readonly string[]> => {
  const record = lanceTrackRecord(home, { embed: async () => null })
  try {
    return (await record.list()).map(({ id }) => id).sort()
  } finally {
    await record.close()
  }
}

test('after a commit and after outcomes every file that is read is listed', async () => {
  const home = store()
  const { sums } = readLedger(home)
  for (const table of [...tables, 'track_record'])
    for (const part of ['data', '_versions', '_indices']) {
      const folder = join(home, `${table}.lance`, part)
      const names = existsSync(folder) ? filesOf(folder).filter((name) => !name.endsWith('hint.json')) : []
      const listed = names.filter((name) => sums.has(name.slice(home.length + 1)))
      expect(listed).toEqual(names)
    }
})

test.each([...tables, 'track_record'])('a bit in any file of %s is told before it is read', async (table) => {
  const home = store()
  const { manifests, others } = tableFiles(home, table)
  for (const file of [...manifests, ...others]) {
    const before = readFileSync(join(home, file))
    await verifyTable(home, table)
    flipBit(join(home, file))
    await expect(verifyTable(home, table)).rejects.toThrow(
      /of its table ".*" was changed after it was written/,
    )
    writeFileSync(join(home, file), before)
  }
  await verifyTable(home, table)
})

test('outcomes whose newest version is gone are not passed over in silence', async () => {
  const home = store()
  const folder = join(home, 'track_record.lance', '_versions')
  const [newest = ''] = readdirSync(folder)
    .filter((name) => name.endsWith('.manifest'))
    .sort()
  rmSync(join(folder, newest))
  await expect(exported(home)).rejects.toThrow(
    /track record in .* cannot be read: the newest version of its table "track_record" is gone\.$/,
  )
  const record = lanceTrackRecord(home, { embed: async () => null })
  await expect(record.add([outcomeOf({ id: 'd' })])).rejects.toMatchObject({
    remedy: expect.stringContaining('doctor --repair'),
  })
  await record.close()
  const { steps } = await repaired(home)
  expect(steps.map(({ kind }) => kind)).toEqual(['mend', 'lost'])
  expect(await exported(home)).toEqual(['a', 'b', 'c'])
})

test('a reader that stays says so, and reads again after the repair', async () => {
  const home = store()
  const reader = freshReader(home)
  const snapshot = await reader.snapshot()
  const ids = idsOf(snapshot, 'tool')
  const cards = await snapshot.cards(ids)
  for (const file of filesOf(join(home, 'tools.lance', 'data'))) flipBit(file)
  await expect(snapshot.cards(ids)).rejects.toThrow(StoreError)
  await expect(snapshot.cards(ids)).rejects.toMatchObject({
    remedy: expect.stringContaining('Run `audition doctor --repair`'),
  })
  await repaired(home)
  const mended = await reader.snapshot('now')
  const here = await mended.cards(idsOf(mended, 'tool'))
  expect(cards).toEqual(expect.arrayContaining([...here]))
})

test('a store of an older Audition, which lists nothing, is read, and doctor tells that it has no checksums yet', async () => {
  const home = store()
  for (const file of ['checksums.jsonl', 'sources.json']) rmSync(join(home, file))
  expect(await exported(home)).toEqual(['a', 'b', 'c'])
  const { steps } = await repaired(home, { intent: 'look' })
  expect(steps).toEqual([
    { kind: 'tidy', message: 'its files have no checksums yet: made anew' },
    { kind: 'tidy', message: 'there is no copy of the states of sources yet: made anew' },
  ])
  await repaired(home)
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  expect(readLedger(home).sums.size).toBeGreaterThan(10)
})

test('a line of the list that was damaged is not believed, told, and made anew', async () => {
  const home = store()
  flipBit(join(home, 'checksums.jsonl'))
  expect(await exported(home)).toEqual(['a', 'b', 'c'])
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([
    { kind: 'tidy', message: '1 of the checksums of its files were damaged: made anew' },
  ])
  await repaired(home)
  expect(readLedger(home).damaged).toBe(0)
})

test('a table at which a process ended is passed over, and all else is kept', async () => {
  const home = store()
  const how = 'reading it ended the process that tried: the process ended (SIGABRT)'
  const { steps, damagedFolder } = await repaired(home, {}, [], { tools: how })
  expect(steps[0]).toMatchObject({
    kind: 'mend',
    message: expect.stringContaining(`the table "tools": ${how}`),
  })
  expect(
    steps.some(({ kind, message }) => kind === 'lost' && /cards of (?:the source|sources)/.test(message)),
  ).toBe(true)
  expect(existsSync(join(damagedFolder!, 'tools.lance'))).toBe(true)
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  expect(await exported(home)).toEqual(['a', 'b', 'c'])
})
