import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardsAt } from '../../../src/adapters/lancedb/card-rows.ts'
import { readHead } from '../../../src/adapters/lancedb/head.ts'
import { connectTo, openAtHead, openMeta } from '../../../src/adapters/lancedb/connection.ts'
import { cardTables } from '../../../src/adapters/lancedb/schemas.ts'
import { openSnapshot } from '../../../src/adapters/lancedb/snapshot.ts'
import { toolCard } from '../../fakes/fake-audition.ts'
import { commit, storeFolder } from './stores.ts'

/** Of one run: which of forty cards are written, and which go. */
const run = fc.record({
  put: fc.uniqueArray(fc.nat(39), { maxLength: 25 }),
  remove: fc.uniqueArray(fc.nat(39), { maxLength: 12 }),
})
const idOf = (number: number): string => `source/tool-${number}`

async function opened(home: string) {
  const connection = await connectTo(home)
  const meta = await openMeta({ location: home, connection })
  const head = (await readHead(meta!))!
  const table = await openAtHead({ location: home, connection, head }, cardTables.tool)
  const { indexes } = await openSnapshot({ location: home, head, connect: async () => connection })
  return { table, index: indexes.tool, close: () => connection.close() }
}

test('whatever was written, replaced, removed and compacted, every card is in the row that the image says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 5 }), async (runs) => {
      const home = storeFolder()
      const texts = new Map<string, string>()
      for (const [edition, { put, remove }] of runs.entries()) {
        const gone = remove.filter((number) => !put.includes(number)).map(idOf)
        const cards = put.map((number) =>
          toolCard(idOf(number), { name: `tool-${number}`, description: `Edition ${edition} of ${number}.` }),
        )
        await commit(home, { put: cards, remove: gone })
        for (const { id, description } of cards) texts.set(id, description)
        for (const id of gone) texts.delete(id)
      }
      const { table, index, close } = await opened(home)
      const rows = Array.from({ length: index.size }, (_, document) => ({
        id: index.ids.at(document),
        row: index.place(document),
      }))
      // Looking for ids would find them all the same, only more slowly: here it fails.
      const without = <T extends object>(whole: T, part: string, instead?: unknown): T =>
        new Proxy(whole, {
          get: (target, name) =>
            name === part ? instead : (Reflect.get(target, name) as () => unknown).bind(target),
        })
      const byRowOnly = without(table, 'query', () => without(table.query(), 'where'))
      const found = await cardsAt(byRowOnly, rows)
      expect(new Map(found.map(({ id, description }) => [id, description]))).toEqual(texts)
      close()
    }),
    { numRuns: 8 },
  )
})

test('a card that is in another row, or beyond the last, is found by its id', async () => {
  const home = storeFolder()
  await commit(home, { put: [0, 1, 2].map((number) => toolCard(idOf(number), { name: `tool-${number}` })) })
  const { table, close } = await opened(home)
  const wrong = [0, 1, 2].map((number) => ({ id: idOf(number), row: (number + 1) % 3 }))
  const ids = async (rows: Parameters<typeof cardsAt>[1]): Promise<readonly string[]> =>
    (await cardsAt(table, rows)).map(({ id }) => id).sort()
  expect(await ids(wrong.slice(0, 2))).toEqual([idOf(0), idOf(1)])
  expect(await ids([{ id: idOf(2), row: 900 }])).toEqual([idOf(2)])
  expect(await ids([{ id: 'source/none', row: 1 }])).toEqual([])
  expect(await ids([])).toEqual([])
  close()
})
