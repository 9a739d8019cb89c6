import { expect, onTestFinished, test } from 'vitest'
import { searchByIndex, searchInMemory } from '../../../src/host-search.ts'
import { openAudition, type SearchAnswer } from '../../../src/index.ts'
import { storeFolder } from '../../adapters/lancedb/stores.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const convert = { name: 'mcp__money__convert_currency', description: 'Convert an amount of money' }
const invoices = { name: 'mcp__money__list_invoices', description: 'List the invoices of a customer' }
const unknown = { name: 'exchange_rates', description: 'Tell the rates by which currencies are exchanged' }
const all = [unknown, invoices, convert]

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name)

test('the order of the index leads; what the index does not name follows in the order of the list', async () => {
  // What the record says stands in the index alone: there the list of invoices comes first.
  const ids = ['money/list_invoices', 'elsewhere/convert_currency', 'money/convert_currency']
  const candidates = ids.map((id) => ({ card: toolCard(id, { server: id.split('/')[0]! }) }))
  const search = searchByIndex({
    search: async () => ({ candidates, match: 'good', note: '' }) as unknown as SearchAnswer,
  })
  const query = 'convert 20 euros into another currency'
  const found = await search(all, query, { k: 5 })
  expect(namesOf(found.tools)).toEqual([invoices.name, convert.name, unknown.name])
  expect(found.tools[0]).toBe(invoices)
  expect(found).toMatchObject({ match: 'good', note: '' })
  expect((await search(all, query, { k: 1 })).tools).toEqual([invoices])
})

test('a tool of another server of that name is not taken for the one of the host', async () => {
  const candidates = [{ card: toolCard('elsewhere/convert_currency', { server: 'elsewhere' }) }]
  const none = { candidates, match: 'good', note: '' } as unknown as SearchAnswer
  const query = 'tune a grand piano'
  const found = await searchByIndex({ search: async () => none })(all, query, { k: 5 })
  expect(found).toEqual(await searchInMemory(all, query, { k: 5 }))
})

test('an index of the user is searched, by whichever name a host gives its tools', async () => {
  const audition = await openAudition({ home: storeFolder(), environment: {} })
  onTestFinished(() => audition.close())
  const money = [
    { name: 'convert_currency', description: 'Convert an amount of money from one currency to another' },
    { name: 'list_invoices', description: 'List the invoices of a customer that are not paid yet' },
  ].map((one) => ({ type: 'function', function: { ...one, parameters: { type: 'object', properties: {} } } }))
  await audition.index({ locations: [folderWith({ 'money.json': JSON.stringify(money) })] })
  const search = searchByIndex(audition)
  for (const name of ['convert_currency', 'Convert-Currency']) {
    const here = [invoices, { name, description: '' }]
    // The list says nothing of the tool: what the index knows of it finds it.
    const { tools, match } = await search(here, 'how many dollars are 20 euros, in money?', { k: 2 })
    expect(tools[0]!.name).toBe(name)
    expect(match).toBe('good')
  }
})
