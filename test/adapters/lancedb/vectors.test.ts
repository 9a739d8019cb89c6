import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedCards, vectorsOf } from '../../../src/adapters/lancedb/commit/change-kind.ts'
import { PrivateTables } from '../../../src/adapters/lancedb/commit/private-tables.ts'
import { TablesInPlace } from '../../../src/adapters/lancedb/commit/tables-in-place.ts'
import { connectTo, type StoreConnection } from '../../../src/adapters/lancedb/connection.ts'
import { diagnoseStore } from '../../../src/adapters/lancedb/diagnose-store.ts'
import { type StoreHead, vectorSchema } from '../../../src/adapters/lancedb/schemas.ts'
import { storedVectors, type VectorRow, vectorRows } from '../../../src/adapters/lancedb/vectors.ts'
import { quantisedVectors } from '../../../src/retrieval/index/quantised-vectors.ts'
import { stateOf } from '../../contracts/catalog.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { nearestCards } from '../../fakes/nearest-cards.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { commit, freshReader, storeFolder } from './stores.ts'

const tablesInPlace = (store: StoreConnection, head: StoreHead | null) =>
  new TablesInPlace(store, head, { manyRows: 1 })
const privateTables = (store: StoreConnection, head: StoreHead | null) =>
  new PrivateTables(store, head, { reading: store.connection, signal: undefined })

test('only new and changed cards are embedded', async () => {
  const home = storeFolder()
  const embedded: string[] = []
  const model = scatteredModel({
    onEmbed: (texts, role) => embedded.push(...texts.map((text) => `${role}: ${text.split('\n')[0]}`)),
  })
  await commit(home, { put: [toolCard('a/one'), toolCard('a/two')] }, { model })
  expect(embedded.splice(0)).toEqual(['document: one', 'document: two'])
  await commit(home, { put: [toolCard('a/two', { description: 'new' }), toolCard('a/three')] }, { model })
  expect(embedded.splice(0)).toEqual(['document: two', 'document: three'])
  await commit(home, { remove: ['a/one'] }, { model })
  expect(embedded).toEqual([])
  const [vector] = await model.embed(['two\nnew'], 'query')
  const near = nearestCards((await freshReader(home).snapshot()).indexes.tool, vector!, 5, null)
  expect(near.map(({ id }) => id).sort()).toEqual(['a/three', 'a/two'])
  expect(near[0]?.score).toBeCloseTo(1, 2)
})

test('vectors of unchanged cards are packed anew from the store, without the model', async () => {
  const home = storeFolder()
  const model = scatteredModel({ dimensions: 64 })
  const tools = Array.from({ length: 300 }, (_, number) => toolCard(`a/card-${number}`))
  await commit(home, { put: tools }, { model })
  const reader = freshReader(home)
  const [vector] = await model.embed(['card-7\nDoes a/card-7'], 'query')
  const unmoved = nearestCards((await reader.snapshot()).indexes.tool, vector!, 400, null).filter(
    ({ id }) => id !== 'a/card-8',
  )
  for (const [step, change] of [
    { put: [toolCard('a/card-8', { description: 'new' })] },
    { sources: [stateOf('a')] },
    { put: [agentCard('b/one')] },
    { remove: ['a/card-8'] },
    { remove: ['b/one'] },
    { put: [toolCard('a/card-8', { description: 'newer' })] },
  ].entries()) {
    const texts: string[] = []
    const watched = scatteredModel({ dimensions: 64, onEmbed: (batch) => texts.push(...batch) })
    await commit(home, change, { model: watched })
    expect(texts).toHaveLength(change.put?.length ?? 0)
    const near = nearestCards((await reader.snapshot('now')).indexes.tool, vector!, 400, null)
    expect(near[0]?.id).toBe('a/card-7')
    expect(
      near.filter(({ id }) => id !== 'a/card-8'),
      `step ${step}`,
    ).toEqual(unmoved)
  }
  expect(await diagnoseStore(home)).toMatchObject({ state: 'ready', tools: 300, agents: 0 })
})

test('a search reads no table of vectors', async () => {
  const home = storeFolder()
  const model = scatteredModel()
  await commit(home, { put: [toolCard('a/one'), agentCard('a/guide')] }, { model })
  rmSync(join(home, 'tool_vectors.lance'), { recursive: true })
  rmSync(join(home, 'agent_vectors.lance'), { recursive: true })
  const snapshot = await freshReader(home).snapshot()
  const [vector] = await model.embed(['one\nDoes a/one'], 'query')
  expect(nearestCards(snapshot.indexes.tool, vector!, 3, null)).toMatchObject([{ id: 'a/one' }])
  expect(nearestCards(snapshot.indexes.agent, vector!, 3, null)).toMatchObject([{ id: 'a/guide' }])
})

test.each([
  { where: 'in a folder', tablesOf: tablesInPlace },
  { where: 'in object storage', tablesOf: privateTables },
])(
  'a table $where gives its vectors back, changed and removed ones too, however many batches they came in',
  async ({ tablesOf }) => {
    const dimensions = 16
    const model = scatteredModel({ dimensions })
    const location = storeFolder()
    const connection = await connectTo(location)
    const change = async (
      head: StoreHead | null,
      { put, gone }: { readonly put: readonly (readonly VectorRow[])[]; readonly gone: readonly string[] },
    ) => {
      const tables = tablesOf({ location, connection }, head)
      const coming = put.flat().map(({ id }) => id)
      const schema = vectorSchema({ dimensions })
      const changing = await tables.change('tool_vectors', { schema, former: 'kept', gone, coming })
      for (const rows of put)
        await (changing.there.has(rows[0]!.id) ? changing.replace : changing.put)(
          vectorRows({ dimensions }, rows),
        )
      await changing.done()
      return { stored: await changing.read(), head: (await tables.settle()) as StoreHead }
    }
    const rowsOf = async (texts: readonly string[], source: string) => {
      const vectors = await model.embed(texts, 'document')
      return texts.map((text, place) => ({ id: `${source}/${text}`, vector: vectors[place]! }))
    }
    const numbers = Array.from({ length: 3000 }, (_, number) => `${number}`)
    const [first, second, changed] = [
      await rowsOf(numbers, 'a'),
      await rowsOf(numbers, 'b'),
      (await rowsOf(['other'], 'a')).map(({ vector }) => ({ id: 'a/5', vector })),
    ]
    const { head } = await change(null, { put: [first, second], gone: [] })
    const gone = vectorsOf({ ids: ['a/6'], sources: ['b'] })
    const { stored } = await change(head, { put: [changed], gone })

    const expected = quantisedVectors(dimensions)
    for (const { id, vector } of [...first, ...changed]) if (id !== 'a/6') expected.add(id, vector)
    const ids = [...first, ...second].map(({ id }) => id)
    expect((await storedVectors(stored, { dimensions })).sections(ids)).toEqual(expected.sections(ids))
    connection.close()
  },
)

test('many cards are embedded in batches, each with its own vector', async () => {
  const sizes: number[] = []
  const model = scatteredModel({ onEmbed: (texts) => sizes.push(texts.length) })
  const connection = await connectTo(storeFolder())
  const table = await connection.createEmptyTable('tool_vectors', vectorSchema(model))
  const cards = Array.from({ length: 150 }, (_, number) => toolCard(`a/card-${number}`))
  const counts: unknown[] = []
  const put = async (rows: readonly VectorRow[]) => void (await table.add(vectorRows(model, rows)))
  const of = { cardsOfKind: cards.length, atOnce: 100, signal: undefined }
  await embedCards(model, cards, { ...of, put, onProgress: (done) => counts.push(done) })
  expect(sizes).toEqual([64, 36, 50])
  expect(counts.at(-1)).toEqual({ done: 150, of: 150 })
  const texts = cards.map((_, number) => `card-${number}\nDoes a/card-${number}`)
  const expected = quantisedVectors(model.dimensions)
  ;(await model.embed(texts, 'document')).forEach((vector, number) => {
    expected.add(`a/card-${number}`, vector)
  })
  const ids = cards.map(({ id }) => id)
  expect((await storedVectors(table, model)).sections(ids)).toEqual(expected.sections(ids))
  connection.close()
})
