import { describe, expect, test } from 'vitest'
import { mcpRegistryList } from '../../../src/catalog/registries/mcp-registry-list.ts'
import { mcpServerJson } from '../../../src/catalog/registries/mcp-server-json.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const documentOf = (json: unknown) =>
  documentFromText('/registry/server.json', JSON.stringify(json), 'server.json')

const toolkit = {
  kind: 'agent',
  agentKind: 'toolkit',
  key: 'test.harbour/tides',
  name: 'tides',
  description: 'Tide tables of a harbour',
  publisher: 'test.harbour',
  backbone: null,
  tools: [],
}
const base = { name: 'test.harbour/tides', description: 'Tide tables of a harbour' }
const seed = {
  ...base,
  version_detail: { version: '0.1.0', is_latest: true },
  packages: [
    {
      registry_name: 'pypi',
      name: 'harbour-tides',
      version: '0.1.0',
      environment_variables: [{ name: 'HARBOUR' }],
    },
  ],
}
const middle = {
  ...base,
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json',
  version_detail: { version: '0.2.0' },
  packages: [{ registry_type: 'npm', identifier: '@harbour/tides', version: '0.2.0' }],
  remotes: [{ transport_type: 'sse', url: 'https://me:pw@tides.test/sse?token=abc' }],
}
const modern = {
  ...base,
  title: 'Tides',
  version: `$${'{VERSION}'}`,
  websiteUrl: 'https://tides.test',
  packages: [
    {
      registryType: 'oci',
      identifier: 'ghcr.io/harbour/tides:1',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'TIDE_KEY', isRequired: true, isSecret: true, value: 'k-123456' }],
    },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{host}/mcp',
      headers: [{ name: 'Authorization', value: 'Bearer abc' }],
    },
  ],
  repository: { url: 'https://code.test/harbour/tides', source: 'github' },
}

describe('a registry entry', () => {
  test.each([
    {
      shape: 'the seed of May 2025',
      entry: seed,
      details: { version: '0.1.0', packages: 'pypi harbour-tides 0.1.0', settings: 'HARBOUR' },
    },
    {
      shape: '2025-07-09',
      entry: middle,
      details: {
        version: '0.2.0',
        packages: 'npm @harbour/tides 0.2.0',
        remotes: 'sse https://tides.test/sse',
      },
    },
    {
      shape: '2025-09-16 and later',
      entry: modern,
      details: {
        packages: 'oci ghcr.io/harbour/tides:1',
        remotes: 'streamable-http https://{host}/mcp',
        settings: 'TIDE_KEY (required), Authorization',
        repository: 'https://code.test/harbour/tides',
        website: 'https://tides.test',
      },
    },
  ])('of $shape becomes a toolkit without a way to start it', ({ entry, details }) => {
    expect(mcpServerJson.recognises(documentOf(entry))).toBe(true)
    const { cards, problems } = mcpServerJson.read(documentOf(entry))
    expect(problems).toEqual([])
    expect(cards).toMatchObject([{ ...toolkit, details: { registryName: base.name, ...details } }])
    expect(cards[0]).not.toHaveProperty('runtime')
  })

  test('leaves values of variables and headers, and placeholders of versions, behind', () => {
    const text = JSON.stringify(mcpServerJson.read(documentOf(modern)).cards)
    expect(text).not.toMatch(/k-123456|Bearer|VERSION/)
    expect(text).toContain('"title":"Tides"')
  })

  test('may be wrapped as the registry answers it', () => {
    const wrapped = { server: modern, _meta: {} }
    expect(mcpServerJson.recognises(documentOf(wrapped))).toBe(true)
    expect(mcpServerJson.read(documentOf(wrapped)).cards).toMatchObject([toolkit])
  })

  test('without a name is refused with the field', () => {
    const { cards, problems } = mcpServerJson.read(documentOf({ ...middle, name: '' }))
    expect(cards).toEqual([])
    expect(problems).toMatchObject([{ severity: 'error', file: 'server.json', field: 'name' }])
  })

  test.each([
    { what: 'a package manifest', json: { name: '@harbour/tides', version: '1.0.0', packages: ['a', 'b'] } },
    {
      what: "the registry's JSON Schema",
      json: { $id: middle.$schema, $schema: 'http://json-schema.org/draft-07/schema#' },
    },
    { what: 'a plugin', json: { name: 'tides', version: '1.0.0', description: 'x' } },
  ])('is not $what', ({ json }) => {
    expect(mcpServerJson.recognises(documentOf(json))).toBe(false)
  })
})

describe('a list of registry entries', () => {
  const official = (isLatest: boolean, status = 'active') => ({
    'io.modelcontextprotocol.registry/official': { isLatest, status },
  })
  const version = (number: string, isLatest: boolean) => ({
    server: { ...base, version: number, packages: [{ registryType: 'npm', identifier: 'tides' }] },
    _meta: official(isLatest),
  })

  test.each([
    { form: 'an array of entries', json: [seed, { ...modern, name: 'test.harbour/ships' }] },
    {
      form: 'a list response',
      json: { servers: [{ server: seed }, { server: { ...modern, name: 'test.harbour/ships' } }] },
    },
  ])('is read from $form', ({ json }) => {
    expect(mcpRegistryList.recognises(documentOf(json))).toBe(true)
    expect(mcpServerJson.recognises(documentOf(json))).toBe(false)
    const { cards, problems } = mcpRegistryList.read(documentOf(json))
    expect(problems).toEqual([])
    expect(cards.map(({ name }) => name)).toEqual(['tides', 'ships'])
  })

  test.each([
    { why: 'it stands first', servers: [version('3.0.0', true), version('2.0.0', false)] },
    { why: 'it stands last', servers: [version('2.0.0', false), version('3.0.0', true)] },
  ])('gives the newest version of a server when $why', ({ servers }) => {
    const { cards } = mcpRegistryList.read(documentOf({ servers }))
    expect(cards.map(({ details }) => details?.version)).toEqual(['3.0.0'])
  })

  test('leaves deleted servers out and names an entry without a name', () => {
    const deleted = { server: { ...base, version: '1.0.0' }, _meta: official(true, 'deleted') }
    const { cards, problems } = mcpRegistryList.read(
      documentOf({ servers: [deleted, { server: { version: '1' } }, 4] }),
    )
    expect(cards).toEqual([])
    expect(problems.map(({ field }) => field)).toEqual(['servers[1].name', 'servers[2].name'])
  })
})
