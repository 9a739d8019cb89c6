import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { lanceModels } from '../../../src/adapters/lancedb/models-table.ts'
import { lanceWriter } from '../../../src/adapters/lancedb/lance-writer.ts'
import type { ModelList } from '../../../src/domain/model-card.ts'
import type { SourceState } from '../../../src/store/source-state.ts'
import { changeOf } from '../../contracts/catalog.ts'
import { harms, repaired } from './damaged-stores.ts'
import { storeFolder } from './stores.ts'

const sources: readonly SourceState[] = ['prices', 'outcomes'].map((id) => ({
  id,
  location: `/lists/${id}.jsonl`,
  reader: 'fake',
  fingerprint: `print of ${id}`,
  indexedAt: '2026-01-01T00:00:00.000Z',
  tools: 0,
  agents: 0,
  problems: [],
  models: { cards: 1, tasks: 1 },
}))
const lists: readonly { readonly source: string; readonly list: ModelList }[] = sources.map(({ id }) => ({
  source: id,
  list: {
    models: [{ id: `acme/${id}`, name: id }],
    outcomes: [{ task: `sort the ${id}`, scores: { [id]: 1 } }],
  },
}))

async function makeStore(): Promise<string> {
  const home = storeFolder()
  for (const at of [0, 1]) {
    const writer = await lanceWriter(home, { model: null })
    await writer.commit({ ...changeOf({ put: [], sources: [sources[at]!] }), models: [lists[at]!] })
    await writer.close()
  }
  return home
}

/** What is stored of models, and the fingerprints by which the next index takes a source for read. */
async function seenIn(home: string) {
  const stored = lanceModels(home)
  const read = await stored.read().finally(() => stored.close())
  const writer = await lanceWriter(home, { model: null, intent: 'preview' })
  const states = await writer.sources().finally(() => writer.close())
  return {
    lists: new Map(read.map(({ source, list }) => [source, list])),
    read: states.filter(({ fingerprint }) => fingerprint !== undefined).map(({ id }) => id),
  }
}

test('a whole table of models is left as it is', async () => {
  expect((await repaired(await makeStore())).steps).toEqual([])
})

test.each(Object.keys(harms))('models: %s', async (harm) => {
  const home = await makeStore()
  if (!harms[harm]!(join(home, 'models.lance'))) return
  const looked = await repaired(home, { intent: 'look' })
  const { steps, toReadAgain, damagedFolder } = await repaired(home)
  expect(steps).toEqual(looked.steps)
  expect(steps[0]).toMatchObject({ kind: 'mend', message: expect.stringContaining('the table "models"') })
  expect(damagedFolder).not.toBeNull()
  const now = await seenIn(home)
  for (const { source, list } of lists) if (now.lists.has(source)) expect(now.lists.get(source)).toEqual(list)
  const gone = sources.filter(({ id }) => !now.lists.has(id))
  expect(toReadAgain).toEqual(gone)
  expect(now.read).toEqual([...now.lists.keys()].sort())
  for (const { id, location } of gone)
    expect(steps).toContainEqual({
      kind: 'lost',
      message: `what the source "${id}" says of models`,
      remedy: `It comes back with: audition index ${location}`,
    })
  expect((await repaired(home)).steps.filter(({ kind }) => kind === 'mend')).toHaveLength(
    gone.length > 0 ? 1 : 0,
  )
})

test('a list that was changed is lost, and the others are salvaged', async () => {
  const home = await makeStore()
  const connection = await connectTo(home)
  const table = await connection.openTable('models')
  await table.update({
    where: "source = 'prices'",
    valuesSql: { list: "replace(list, 'acme/prices', 'acme/pricey')" },
  })
  connection.close()
  const { steps, toReadAgain, damagedFolder } = await repaired(home)
  expect(steps.map(({ kind }) => kind)).toEqual(['mend', 'lost'])
  expect(toReadAgain.map(({ id }) => id)).toEqual(['prices'])
  const { lists: kept, read } = await seenIn(home)
  expect([...kept]).toEqual([['outcomes', lists[1]!.list]])
  expect(read).toEqual(['outcomes'])
  expect(existsSync(join(damagedFolder!, 'models.lance'))).toBe(true)
  expect(JSON.parse(readFileSync(join(damagedFolder!, 'models.jsonl'), 'utf8'))).toEqual(lists[1])
})
