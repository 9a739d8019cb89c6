import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diagnoseStore } from '../../../../src/adapters/lancedb/diagnose-store.ts'
import { readLedger } from '../../../../src/adapters/lancedb/integrity/ledger.ts'
import { lanceTrackRecord } from '../../../../src/adapters/lancedb/record/track-record.ts'
import { transcriptsIn } from '../../../../src/probing/record/transcripts.ts'
import { lookThroughKeptFiles } from '../../../../src/probing/record/repair-kept-files.ts'
import { repaired } from '../damaged-stores.ts'
import { outcomeOf } from '../some-outcomes.ts'
import { commitSeries, storeFolder } from '../stores.ts'

async function store(): Promise<string> {
  const home = storeFolder()
  await commitSeries(home, { tool: 1, agent: 1 })
  const record = lanceTrackRecord(home, { embed: async () => null })
  await record.add([outcomeOf()])
  await record.close()
  return home
}

const firstIn = (home: string, folder: string): string => {
  const names = readdirSync(join(home, folder)).filter((name) => name !== 'latest_version_hint.json')
  return join(folder, names[0]!)
}

function pipeAt(path: string): void {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
}

// Windows has no named pipes in its file system.
test.runIf(process.platform !== 'win32').each([
  { what: 'a data file', fileIn: (home: string) => firstIn(home, 'tools.lance/data') },
  { what: 'a manifest', fileIn: (home: string) => firstIn(home, 'track_record.lance/_versions') },
  { what: 'the note of the newest version', fileIn: () => 'meta.lance/_versions/latest_version_hint.json' },
  { what: 'the copy of the states of sources', fileIn: () => 'sources.json' },
  { what: 'the list of checksums', fileIn: () => 'checksums.jsonl' },
])(
  'a pipe in the place of $what is told and put aside without being opened',
  async ({ fileIn }) => {
    const home = await store()
    const file = fileIn(home)
    pipeAt(join(home, file))
    await diagnoseStore(home)
    const seen = await repaired(home, { intent: 'look' })
    expect(seen.steps.map(({ message }) => message).join()).toContain(`${file} is not the file`)
    const { damagedFolder, steps } = await repaired(home)
    expect(steps).toEqual(expect.arrayContaining([...seen.steps]))
    expect(damagedFolder).not.toBeNull()
    expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
    expect(await diagnoseStore(home)).toMatchObject({ state: 'ready' })
  },
  60_000,
)

test.runIf(process.platform !== 'win32')(
  'a pipe among transcripts is told, and none waits for it',
  async () => {
    const folder = storeFolder()
    mkdirSync(folder, { recursive: true })
    const transcripts = transcriptsIn(folder)
    const { id } = outcomeOf()
    pipeAt(transcripts.fileOf(id))
    await expect(transcripts.read(id)).rejects.toThrow(/cannot be read/)
    expect(await transcripts.change(() => null, false)).toBe(0)
    const { damaged } = await lookThroughKeptFiles({ transcripts: folder }, Date.now())
    expect(damaged).toEqual([transcripts.fileOf(id)])
  },
)

test('a folder in the place of the list of checksums is put aside, and the list is made anew', async () => {
  const home = await store()
  rmSync(join(home, 'checksums.jsonl'))
  mkdirSync(join(home, 'checksums.jsonl'))
  const { damagedFolder } = await repaired(home)
  expect(existsSync(join(damagedFolder!, 'checksums.jsonl'))).toBe(true)
  expect(readLedger(home).sums.size).toBeGreaterThan(10)
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
})

test('a list of checksums without a line is told as missing', async () => {
  const home = await store()
  writeFileSync(join(home, 'checksums.jsonl'), '')
  const { steps } = await repaired(home)
  expect(steps).toEqual([{ kind: 'tidy', message: 'its files have no checksums yet: made anew' }])
  expect(readLedger(home).sums.size).toBeGreaterThan(10)
})
