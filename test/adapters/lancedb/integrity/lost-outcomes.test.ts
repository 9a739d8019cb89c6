import { copyFileSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lanceTrackRecord } from '../../../../src/adapters/lancedb/record/track-record.ts'
import { listSums } from '../../../../src/adapters/lancedb/integrity/ledger.ts'
import { repaired } from '../damaged-stores.ts'
import { outcomeOf } from '../some-outcomes.ts'
import { storeFolder } from '../stores.ts'

const tableIn = (home: string): string => join(home, 'track_record.lance')
const versionsIn = (home: string): string => join(tableIn(home), '_versions')

/** Names of manifests, the newest first. */
const manifestsIn = (home: string): readonly string[] =>
  readdirSync(versionsIn(home))
    .filter((name) => name.endsWith('.manifest'))
    .sort()

async function add(home: string, ...ids: readonly string[]): Promise<void> {
  const record = lanceTrackRecord(home, { embed: async () => null })
  for (const id of ids) await record.add([outcomeOf({ id })])
  await record.close()
}

async function recordOf(...ids: readonly string[]): Promise<string> {
  const home = storeFolder()
  await add(home, ...ids)
  return home
}

async function exported(home: string): Promise<readonly string[]> {
  const record = lanceTrackRecord(home, { embed: async () => null })
  return record.list().then(
    (outcomes) => record.close().then(() => outcomes.map(({ id }) => id).sort()),
    (error: unknown) => record.close().then(() => Promise.reject(error)),
  )
}

/** Takes away the newest version, and LanceDB's note of it. */
function dropNewest(home: string): void {
  for (const name of [manifestsIn(home)[0]!, 'latest_version_hint.json']) rmSync(join(versionsIn(home), name))
}

/** Doctor tells, a repair mends once, and then all is well. @returns what the repair said */
async function mendedOnce(home: string): Promise<string> {
  const seen = await repaired(home, { intent: 'look' })
  expect(seen.steps.map(({ kind }) => kind)).toContain('mend')
  const { steps } = await repaired(home)
  expect(steps).toEqual(seen.steps)
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  return steps.map(({ kind, message }) => `${kind}: ${message}`).join('\n')
}

test('an old manifest under a newer name hides no outcome: all come back, and none is said to be lost', async () => {
  const home = await recordOf('a', 'b', 'c', 'd')
  copyFileSync(
    join(versionsIn(home), manifestsIn(home).at(-1)!),
    join(versionsIn(home), '18446744073709551600.manifest'),
  )
  await expect(exported(home)).rejects.toThrow(/its table "track_record" is a copy of another one/)
  expect(await mendedOnce(home)).not.toContain('lost')
  expect(await exported(home)).toEqual(['a', 'b', 'c', 'd'])
})

test('a version that is gone with the note of it is told, and its outcomes come back from its files', async () => {
  const home = await recordOf('a', 'b', 'c', 'd')
  dropNewest(home)
  await expect(exported(home)).rejects.toThrow(/the newest version of its table "track_record" is gone/)
  await expect(add(home, 'e')).rejects.toThrow(/the newest version of its table "track_record" is gone/)
  await mendedOnce(home)
  expect(await exported(home)).toEqual(['a', 'b', 'c', 'd'])
  await add(home, 'e')
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
})

test('an older copy of the record in its place is told by the versions that are missing, and accepted once', async () => {
  const home = await recordOf('a', 'b', 'c')
  const older = `${home}-older`
  cpSync(tableIn(home), older, { recursive: true })
  await add(home, 'd')
  rmSync(tableIn(home), { recursive: true })
  cpSync(older, tableIn(home), { recursive: true })
  rmSync(older, { recursive: true })
  await expect(exported(home)).rejects.toThrow(/the newest version of its table "track_record" is gone/)
  expect(await mendedOnce(home)).toMatch(/lost: outcomes of version 5, written \d{4}-\d\d-\d\d/)
  expect(await exported(home)).toEqual(['a', 'b', 'c'])
})

test('a record that is gone altogether is told by what was listed of it, and accepted once', async () => {
  const home = await recordOf('a', 'b')
  rmSync(tableIn(home), { recursive: true })
  expect(await mendedOnce(home)).toMatch(/"track_record": it is gone/)
})

test('outcomes that were forgotten are no damage, and no repair brings them back', async () => {
  const home = await recordOf('a', 'b', 'c')
  const record = lanceTrackRecord(home, { embed: async () => null })
  await record.add([outcomeOf({ id: 'd', card: 'other/card' })])
  await record.forget({ cards: ['other/card'] })
  await record.close()
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
  dropNewest(home)
  await repaired(home)
  expect(await exported(home)).not.toContain('d')
})

test('a version that was written and not listed is none that is missing', async () => {
  const home = await recordOf('a')
  const checksums = join(home, 'checksums.jsonl')
  copyFileSync(checksums, `${checksums}.kept`)
  await add(home, 'b')
  copyFileSync(`${checksums}.kept`, checksums)
  rmSync(`${checksums}.kept`)
  expect(await exported(home)).toEqual(['a', 'b'])
  await listSums(home, { track_record: undefined })
  expect((await repaired(home, { intent: 'look' })).steps).toEqual([])
})
