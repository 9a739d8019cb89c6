import { expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { metaRows } from '../../../src/adapters/lancedb/head.ts'
import type { StoreHead } from '../../../src/adapters/lancedb/schemas.ts'
import { parseSealed } from '../../../src/domain/text/sealed-json.ts'
import { emptyReview } from '../../../src/store/source-review.ts'
import { changeOf, stateOf } from '../../contracts/catalog.ts'
import { scatteredModel } from '../../fakes/scattered-model.ts'
import { makeStore, repaired, storedCards, storedStates } from './damaged-stores.ts'
import { expectMended } from './expect-mended.ts'
import { commit, freshReader, storeFolder } from './stores.ts'

const reviews = [{ ...emptyReview('mail'), decision: 'trusted' as const }]

/** A store as an older Audition left it: its states stand beside the head, and the head knows nothing of them. */
async function olderStore(): Promise<string> {
  const home = storeFolder()
  await makeStore(home)
  const connection = await connectTo(home)
  const meta = await connection.openTable('meta')
  const [row] = (await meta.query().where("key = 'head'").toArray()) as { value: string }[]
  const { layout, store, generation, image, versions, tools, agents, embedding } = parseSealed(
    row!.value,
  ) as StoreHead
  expect(layout).toBe(5)
  const head = { layout: 1, store, generation, image, versions, tools, agents, embedding }
  await meta.add(
    metaRows([
      { key: 'head', value: JSON.stringify(head) },
      ...storedStates.map((state) => ({ key: `source:${state.id}`, value: JSON.stringify(state) })),
      { key: 'source:gone', value: '' },
      { key: 'review:mail', value: JSON.stringify(reviews[0]) },
    ]),
    { mode: 'overwrite' },
  )
  connection.close()
  return home
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1))

test('a store of an older Audition is read', async () => {
  const reader = freshReader(await olderStore())
  expect(await reader.sources()).toEqual(byId(storedStates))
  expect(await reader.reviews()).toEqual(reviews)
  expect((await reader.snapshot()).indexes.tool.size).toBe(80)
})

test('the next commit brings it up to date, and forgets how it was', async () => {
  const home = await olderStore()
  await commit(home, changeOf({ sources: [stateOf('new')] }), { model: scatteredModel() })
  const reader = freshReader(home)
  expect((await reader.sources()).map(({ id }) => id)).toEqual(['chat', 'crew', 'mail', 'new'])
  expect(await reader.reviews()).toEqual(reviews)
  const connection = await connectTo(home)
  const meta = await connection.openTable('meta')
  const keys = ((await meta.query().toArray()) as { key: string }[]).map(({ key }) => key)
  connection.close()
  expect(keys).toHaveLength(6)
  expect(keys.filter((key) => /^(?:source|review):/.test(key))).toEqual([])
})

test('it is mended as a newer one is', async () => {
  const home = await olderStore()
  expect((await repaired(home)).steps.filter(({ kind }) => kind !== 'tidy')).toEqual([])
  const connection = await connectTo(home)
  await (await connection.openTable('meta')).delete("key = 'head'")
  await (await connection.openTable('meta')).add(metaRows([{ key: 'head', value: '{"layout":' }]))
  connection.close()
  await repaired(home)
  expect(byId(await expectMended(home))).toEqual(byId(storedCards))
  const reader = freshReader(home)
  expect(await reader.sources()).toEqual(byId(storedStates))
  expect(await reader.reviews()).toEqual(reviews)
})
