import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { diagnoseConditionalPuts } from '../../../src/adapters/lancedb/conditional-puts.ts'
import { lanceTrackRecord } from '../../../src/adapters/lancedb/record/track-record.ts'
import { takesCommitsAtOnce } from '../../contracts/catalog.ts'
import { type DynamoDb, dynamoDb } from '../../fixtures/dynamo-db.ts'
import { type ObjectStorage, objectStorage } from '../../fixtures/object-storage.ts'
import { outcomeOf } from './some-outcomes.ts'
import { catalogIn } from './stores.ts'

/** Ignores conditions, so that nothing but the table keeps commits apart. */
let storage: ObjectStorage
let table: DynamoDb
beforeAll(async () => {
  ;[storage, table] = await Promise.all([objectStorage('ignored'), dynamoDb()])
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([storage.close(), table.close()])
})

function store(): string {
  for (const [name, value] of Object.entries({ ...storage.environment, ...table.environment }))
    vi.stubEnv(name, value)
  return table.at(storage.store(randomUUID()))
}

describe('a store whose commits DynamoDB keeps apart', () => {
  test('is trusted, though its server ignores conditions', async () => {
    const home = store()
    expect(await diagnoseConditionalPuts(home)).toMatchObject({ outcome: 'honoured' })
    expect(await diagnoseConditionalPuts(home.replace('s3+ddb:', 's3:').split('?')[0]!)).toMatchObject({
      outcome: 'ignored',
    })
  })

  test('takes what writers commit at the same time, each of a source of its own', async () => {
    await takesCommitsAtOnce(catalogIn(store()))
    expect(await table.versions(), 'it knows the versions of every table').toBeGreaterThan(8)
  })

  test('takes outcomes of several writers at once', async () => {
    const home = store()
    const records = [1, 2, 3].map(() => lanceTrackRecord(home, { embed: async () => null }))
    await Promise.all(records.map((record, at) => record.add([outcomeOf({ id: `run-${at}` })])))
    expect((await records[0]!.list()).map(({ id }) => id).sort()).toEqual(['run-0', 'run-1', 'run-2'])
    await Promise.all(records.map((record) => record.close()))
  })
})
