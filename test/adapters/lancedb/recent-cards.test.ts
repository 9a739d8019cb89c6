import { expect, test } from 'vitest'
import { recentCards } from '../../../src/adapters/lancedb/recent-cards.ts'
import type { Card } from '../../../src/domain/card.ts'

const card = (id: string, description = ''): Card => ({
  kind: 'tool',
  id,
  source: 's',
  name: id,
  description,
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'corpus', location: 'corpus' },
  inputSchema: {},
})

/** Cards whose id begins with "x" are not there. */
function store(descriptionOf: (id: string) => string = () => '') {
  const asked: (readonly string[])[] = []
  const cards = recentCards(async (ids) => {
    asked.push(ids)
    return ids.filter((id) => !id.startsWith('x')).map((id) => card(id, descriptionOf(id)))
  })
  const idsOf = async (...ids: readonly string[]) => (await cards(ids)).map(({ id }) => id).sort()
  return { asked, idsOf }
}

test('only cards that were not read just now are read', async () => {
  const { asked, idsOf } = store()
  expect(await idsOf('a', 'b', 'x1', 'a')).toEqual(['a', 'b'])
  expect(await idsOf('b', 'c', 'a')).toEqual(['a', 'b', 'c'])
  expect(await idsOf('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
  expect(asked).toEqual([['a', 'b', 'x1', 'a'], ['c']])
})

test('what was asked for longest ago goes first where much is read', async () => {
  const { asked, idsOf } = store(() => 'x'.repeat(3 * 1024 * 1024))
  await idsOf('a')
  await idsOf('b')
  await idsOf('a')
  await idsOf('c')
  asked.length = 0
  await idsOf('a', 'c')
  expect(asked).toEqual([])
  await idsOf('b')
  expect(asked).toEqual([['b']])
})

test('a reading of very many cards is whole, and is not kept', async () => {
  const { asked, idsOf } = store()
  const many = Array.from({ length: 1000 }, (_, at) => `c${at}`)
  expect(await idsOf(...many)).toEqual([...many].sort())
  await idsOf('c7')
  expect(asked).toEqual([many, ['c7']])
})
