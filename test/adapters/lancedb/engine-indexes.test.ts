import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { readStoredHead } from '../../../src/adapters/lancedb/head.ts'
import { connectTo, openMeta } from '../../../src/adapters/lancedb/connection.ts'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import {
  diagnoseIndexes,
  makeIndexes,
  nearest,
  unreadyIndexes,
} from '../../../src/adapters/lancedb/engine/engine-indexes.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { type LancedbServer, lancedbServer } from '../../fixtures/lancedb-server/lancedb-server.ts'
import { commit } from './stores.ts'

const model = scatteredModel({ dimensions: 32 })
const opened: { close(): unknown }[] = []

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of opened.splice(0)) await one.close()
})

/** A server, and an address of a store there. */
async function storeOn(options: Parameters<typeof lancedbServer>[0]) {
  const server = await lancedbServer(options)
  opened.push(server)
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value)
  return { server, home: `db://team-${randomUUID().slice(0, 8)}` }
}

async function tableOfTools(home: string) {
  const connection = await connectTo(home)
  opened.unshift(connection)
  const meta = (await openMeta({ location: home, connection }))!
  return connection.openTable((await readStoredHead(meta)).head!.names.tools!)
}

/** So many tools, forty of each source. */
const tools = (count: number) =>
  Array.from({ length: count }, (_, at) => toolCard(`source-${Math.floor(at / 40)}/tool-${at}`))

/** As if there were so many that vectors have an index. */
const many = { hasVectors: true, rows: 10_000 }

test('an index of vectors gives what looking at every row gives, and all that a filter lets through', async () => {
  const { home } = await storeOn({})
  await commit(home, { put: tools(1600) }, { model })
  const table = await tableOfTools(home)
  expect(await makeIndexes(table, many)).toEqual(['vector'])
  const { made, missing } = await diagnoseIndexes(table, many)
  expect(missing).toEqual([])
  expect(made).toContainEqual({ column: 'vector', type: 'IVF_RQ', left: 0 })
  const shares = []
  for (const text of ['one', 'two', 'three', 'four', 'five'])
    for (const where of ['born <= 1', "source = 'source-7'"]) {
      const vectors = await model.embed([text], 'query')
      const ids = async (query: ReturnType<typeof nearest>): Promise<string[]> =>
        (await query.where(where).select(['id']).limit(150).toArray()).map(({ id }) => id)
      const exact = await ids(nearest(table, vectors).bypassVectorIndex())
      const found = new Set(await ids(nearest(table, vectors)))
      expect(exact).toHaveLength(where.startsWith('source') ? 40 : 150)
      shares.push(exact.filter((id) => found.has(id)).length / exact.length)
    }
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.98)
})

test('a commit waits for the index of words, and vectors are searched before they have one', async () => {
  const { server, home } = await storeOn({ indexes: 'late' })
  const committing = commit(home, { put: tools(300) }, { model })
  await vi.waitFor(() => expect(asksForIndexes(server)).toBe(6), { timeout: 20_000 })
  expect(await diagnoseStore(home)).toMatchObject({ state: 'absent' })
  await server.settle()
  await committing
  expect(await diagnoseStore(home)).toMatchObject({
    state: 'ready',
    indexes: [
      { kind: 'tool', missing: [] },
      { made: [], missing: [] },
    ],
  })

  const table = await tableOfTools(home)
  const awaited = await makeIndexes(table, many)
  expect((await diagnoseIndexes(table, many)).missing).toEqual(['vector'])
  const [vector] = await model.embed(['one'], 'query')
  expect(await nearest(table, [vector!]).limit(150).toArray()).toHaveLength(150)
  let looks = 0
  const unready = await unreadyIndexes(table, awaited, async () => {
    looks += 1
    if (looks === 2) await server.settle()
  })
  expect({ unready, looks }).toEqual({ unready: [], looks: 2 })
})

const asksForIndexes = ({ requests }: LancedbServer): number =>
  requests.filter((request) => request.startsWith('create_index')).length
