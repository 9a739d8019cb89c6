import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aiCatalog } from '../../../src/catalog/registries/ai-catalog.ts'
import { recognise } from '../../../src/catalog/readers.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const published = join(import.meta.dirname, '..', '..', 'fixtures', 'published')
const read = (value: unknown) => aiCatalog.read(documentFromText('/x/ai-catalog.json', JSON.stringify(value)))
const example = (name: string) => documentFromText(`/x/${name}`, readFileSync(join(published, name), 'utf8'))
const catalogOf = (...entries: readonly object[]) => ({ specVersion: '1.0', entries })
const nested = (depth: number): object =>
  depth === 0
    ? {
        identifier: 'urn:air:a.test:x',
        displayName: 'Innermost',
        type: 'application/parquet',
        url: 'https://a.test/x',
      }
    : {
        identifier: `urn:air:a.test:c${depth}`,
        displayName: 'Catalog',
        type: 'application/ai-catalog+json',
        data: catalogOf(nested(depth - 1)),
      }

describe('the examples of the specification', () => {
  test.each([
    ['acme-catalog.json', ['Corporate Assistant (A2A)', 'Weather Data Node', 'Unit Converter'], 1],
    ['fda-ndc-catalog.json', ['FDA Drug NDC Directory API'], 0],
    [
      'local-business-catalog.json',
      ["Bob's Plumbing & Drain AI Assistant", 'check_availability', 'request_quote', 'get_business_hours'],
      0,
    ],
    ['noaa-weather-catalog.json', ['NOAA Climate Data Online (CDO) API'], 0],
  ])('%s', (name, names, problems) => {
    const document = example(name)
    expect(recognise(document)?.name).toBe('ai-catalog')
    const found = aiCatalog.read(document)
    expect(found.cards.map((card) => card.name)).toEqual(expect.arrayContaining([...names]))
    expect(found.problems).toHaveLength(problems)
  })
})

test('an entry with an address says what it says of itself', () => {
  const { cards, sourceName } = aiCatalog.read(example('acme-catalog.json'))
  expect(sourceName).toBe('Acme Enterprise AI Test Host')
  expect(cards[1]).toMatchObject({
    agentKind: 'toolkit',
    key: 'acme.com:server:weather',
    publisher: 'acme.com',
    examples: ['what is the current wind speed in Chicago', 'get the 5-day forecast for Seattle'],
    tools: [{ name: 'WeatherTool' }, { name: 'ForecastTool' }],
    details: { address: 'https://api.acme.com/mcp/weather.json' },
  })
  expect(cards[1]).not.toHaveProperty('runtime')
})

test('an entry with its document gives the tools with their schemas, and the server as a toolkit', () => {
  const { cards } = aiCatalog.read(example('local-business-catalog.json'))
  expect(cards.find(({ name }) => name === 'request_quote')).toMatchObject({
    kind: 'tool',
    server: 'bobs-plumbing-storefront',
    inputSchema: { required: ['job_description'] },
  })
  expect(cards.find((card) => card.kind === 'agent' && card.agentKind === 'toolkit')).toMatchObject({
    tags: ['local-business', 'booking', 'quotes'],
    publisher: 'bobs-plumbing.example',
  })
})

test('an A2A agent that is brought along can be called', () => {
  const data = {
    name: 'Tracker',
    url: 'https://post.test/a2a',
    skills: [{ name: 'track' }],
    protocolVersion: '0.3.0',
  }
  const type = 'application/a2a-agent-card+json'
  const { cards } = read(
    catalogOf({ identifier: 'urn:air:post.test:tracker', displayName: 'Tracker', type, data }),
  )
  expect(cards[0]).toMatchObject({
    runtime: { kind: 'a2a', url: 'https://post.test/a2a' },
    key: 'post.test:tracker',
  })
})

test('catalogs in catalogs are read to a bound, and those elsewhere are told of', () => {
  expect(read(catalogOf(nested(4))).cards).toHaveLength(1)
  const { cards, problems } = read(catalogOf(nested(5)))
  expect([cards.length, problems[0]?.message]).toEqual([0, expect.stringContaining('too many others')])
  const [told] = aiCatalog.read(example('acme-catalog.json')).problems
  expect(told).toMatchObject({
    field: 'entries[2]',
    remedy: 'Index it too: audition index https://acme.com/catalogs/engineering.json',
  })
})

test('an entry without an identifier is left out, and told', () => {
  const { cards, problems } = read(
    catalogOf({ displayName: 'Nameless', type: 'application/x', url: 'https://a.test' }),
  )
  expect(cards).toEqual([])
  expect(problems).toMatchObject([{ severity: 'error', field: 'entries[0]' }])
})
