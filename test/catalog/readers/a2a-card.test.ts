import { describe, expect, test } from 'vitest'
import { a2aCard } from '../../../src/catalog/readers/a2a-card.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const documentOf = (card: unknown) =>
  documentFromText('/cards/baker.json', JSON.stringify(card), 'baker.json')
const read = (card: unknown) => a2aCard.read(documentOf(card))
const only = (card: unknown) => {
  const { cards, problems } = read(card)
  expect(cards).toHaveLength(1)
  expect(problems).toEqual([])
  return cards[0]!
}

const skill = {
  id: 'bake',
  name: 'Bake bread',
  description: 'Bakes a loaf',
  tags: ['bread', 'oven'],
  examples: ['A rye loaf'],
}
const modern = {
  name: 'Baker',
  description: 'Bakes on demand',
  version: '2.0.0',
  supportedInterfaces: [
    { url: 'https://bakery.test/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://bakery.test/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  provider: { organization: 'Bakery Ltd', url: 'https://bakery.test' },
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['image/png'],
  securitySchemes: { bakeryKey: { apiKeySecurityScheme: { name: 'X-Key', location: 'header' } } },
  skills: [skill, { id: 'slice', tags: ['bread'], examples: ['Slice it', 'A rye loaf'] }],
}

describe('an A2A card of protocol 1.0', () => {
  test('gives tools and examples of its skills, and what a caller needs', () => {
    expect(only(modern)).toEqual({
      kind: 'agent',
      agentKind: 'a2a',
      name: 'Baker',
      description: 'Bakes on demand',
      examples: ['A rye loaf', 'Slice it'],
      tags: ['bread', 'oven'],
      publisher: 'Bakery Ltd',
      backbone: null,
      tools: [{ name: 'Bake bread', description: 'Bakes a loaf' }, { name: 'slice' }],
      policy: {
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['image/png'],
      },
      runtime: { kind: 'a2a', url: 'https://bakery.test/a2a', binding: 'JSONRPC', protocolVersion: '1.0' },
      details: { version: '2.0.0', protocolVersion: '1.0', authentication: 'bakeryKey' },
    })
  })

  test('is called over JSON when gRPC is merely preferred', () => {
    const grpc = { url: 'https://bakery.test:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }
    const card = only({ ...modern, supportedInterfaces: [grpc, ...modern.supportedInterfaces.slice(1)] })
    expect(card).toMatchObject({ runtime: { url: 'https://bakery.test/rest', binding: 'HTTP+JSON' } })
    expect(only({ ...modern, supportedInterfaces: [grpc] })).toMatchObject({ runtime: { binding: 'GRPC' } })
  })
})

const classic = {
  name: 'Baker',
  description: 'Bakes',
  url: 'https://bakery.test/',
  capabilities: {},
  skills: [skill],
}

describe('an A2A card of protocol 0.2 or 0.3', () => {
  test.each([
    { why: 'nothing more is said', extra: {}, binding: 'JSONRPC', protocolVersion: '0.2' },
    {
      why: 'a transport is preferred',
      extra: { preferredTransport: 'HTTP+JSON' },
      binding: 'HTTP+JSON',
      protocolVersion: '0.3',
    },
    {
      why: 'the version is stated',
      extra: { protocolVersion: '0.2.6' },
      binding: 'JSONRPC',
      protocolVersion: '0.2.6',
    },
  ])('is called with $binding, $protocolVersion, when $why', ({ extra, binding, protocolVersion }) => {
    const { runtime } = only({ ...classic, ...extra })
    expect(runtime).toEqual({ kind: 'a2a', url: 'https://bakery.test/', binding, protocolVersion })
  })

  test('may lack skills', () => {
    const { skills: _, ...bare } = classic
    expect(only(bare)).toMatchObject({ tools: [], examples: [], tags: [] })
  })

  test('keeps the extras of a registry', () => {
    const extras = {
      registryTags: ['food', 'bread'],
      wellKnownURI: 'https://bakery.test/.well-known/agent.json',
      pricing: {},
    }
    const card = only({ ...classic, ...extras })
    expect(card.tags).toEqual(['bread', 'oven', 'food'])
    expect(card.details).toMatchObject({ card: 'https://bakery.test/.well-known/agent.json' })
  })

  test('leaves passwords and keys of its address behind', () => {
    const url = 'https://user:pa@ss@bakery.test/a2a?api_key=s3cret&agent=baker#x'
    expect(only({ ...classic, url }).runtime).toMatchObject({ url: 'https://bakery.test/a2a?agent=baker' })
  })
})

test('a card without an address can be found, and the reader says that it cannot be called', () => {
  const { cards, problems } = read({ ...classic, url: undefined, defaultInputModes: [] })
  expect(cards[0]).not.toHaveProperty('runtime')
  expect(problems).toMatchObject([{ severity: 'warning', file: 'baker.json', field: 'url' }])
})

test('a skill without name and id is named as a problem, the others are read', () => {
  const { cards, problems } = read({ ...classic, skills: [{ description: 'what?' }, skill, 7] })
  expect(cards[0]).toMatchObject({ tools: [{ name: 'Bake bread' }] })
  expect(problems.map(({ severity, field }) => [severity, field])).toEqual([
    ['error', 'skills[0]'],
    ['error', 'skills[2]'],
  ])
})

test('a card without a name is refused with the way out', () => {
  const { cards, problems } = read({ ...modern, name: ' ' })
  expect(cards).toEqual([])
  expect(problems).toMatchObject([
    { severity: 'error', field: 'name', remedy: expect.stringContaining('"name"') },
  ])
})

test.each([
  { what: 'a package manifest', json: { name: 'x', version: '1.0.0', description: 'y', repository: {} } },
  { what: 'a registry entry', json: { name: 'io.x/y', version: '1.0.0', packages: [{}] } },
  { what: 'a bookmark', json: { name: 'x', url: 'https://x.test' } },
  { what: 'a list', json: [modern] },
  { what: 'a text', json: 'name' },
])('$what is no agent card', ({ json }) => {
  expect(a2aCard.recognises(documentOf(json))).toBe(false)
})

test.each([modern, classic, { ...classic, skills: undefined }])('card %# is recognised', (card) => {
  expect(a2aCard.recognises(documentOf(card))).toBe(true)
})
