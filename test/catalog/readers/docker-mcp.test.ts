import { describe, expect, test } from 'vitest'
import { dockerMcp } from '../../../src/catalog/readers/docker-mcp.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const serverYaml = `
name: lighthouse
image: mcp/lighthouse
type: server
meta:
  category: sea
  tags: [light, sea]
about:
  title: Lighthouse
  description: Says which lights burn.
source:
  project: https://github.com/coast/lighthouse
  commit: abc
config:
  secrets:
    - name: lighthouse.key
      env: LIGHT_KEY
      example: do-not-show
  env:
    - { name: MODE, value: quiet }
`

const yaml = (text: string) =>
  documentFromText('/registry/servers/lighthouse/server.yaml', text, 'server.yaml')
const tools = (value: unknown, path = '/registry/servers/lighthouse/tools.json') =>
  documentFromText(path, JSON.stringify(value), 'tools.json')

describe('server.yaml', () => {
  test('becomes a toolkit without secrets and without a way to start it', () => {
    expect(dockerMcp.recognises(yaml(serverYaml))).toBe(true)
    const { cards, problems } = dockerMcp.read(yaml(serverYaml))
    expect(problems).toEqual([])
    expect(cards).toEqual([
      {
        kind: 'agent',
        agentKind: 'toolkit',
        name: 'lighthouse',
        title: 'Lighthouse',
        description: 'Says which lights burn.',
        examples: [],
        tags: ['light', 'sea'],
        publisher: 'coast',
        backbone: null,
        tools: [],
        policy: {},
        details: {
          image: 'mcp/lighthouse',
          repository: 'https://github.com/coast/lighthouse',
          commit: 'abc',
          settings: 'LIGHT_KEY',
        },
      },
    ])
  })

  test('may list tools of its own', () => {
    const text = `${serverYaml}\ntools:\n  - name: burning\n    description: Which lights burn\n  - {}\n`
    expect(dockerMcp.read(yaml(text)).cards).toMatchObject([
      { tools: [{ name: 'burning', description: 'Which lights burn' }] },
    ])
  })

  test('without a name is refused with the field', () => {
    const { cards, problems } = dockerMcp.read(yaml(serverYaml.replace('name: lighthouse', 'title: x')))
    expect(cards).toEqual([])
    expect(problems).toMatchObject([{ severity: 'error', file: 'server.yaml', field: 'name' }])
  })

  test('is not any YAML with an "about"', () => {
    expect(dockerMcp.recognises(yaml('about:\n  description: me\n'))).toBe(false)
  })
})

describe('tools.json', () => {
  const switchOn = {
    name: 'switch_on',
    description: 'Lights a lamp',
    arguments: [
      { name: 'lamp', type: 'string', desc: 'Which lamp' },
      { name: 'colours', type: 'array', items: { type: 'string' }, desc: 'In order', optional: true },
    ],
    annotations: { title: 'Switch on', readOnlyHint: false, idempotentHint: true },
  }

  test('gives tools with a JSON Schema of their arguments', () => {
    const document = tools([switchOn, { name: 'list', arguments: [] }])
    expect(dockerMcp.recognises(document)).toBe(true)
    const { cards, problems } = dockerMcp.read(document)
    expect(problems).toEqual([])
    expect(cards).toMatchObject([
      {
        kind: 'tool',
        key: 'lighthouse/switch_on',
        name: 'switch_on',
        title: 'Switch on',
        server: 'lighthouse',
        parameters: [
          { name: 'lamp', description: 'Which lamp', type: 'string', required: true },
          { name: 'colours', description: 'In order', type: 'string[]', required: false },
        ],
        inputSchema: { type: 'object', required: ['lamp'] },
        annotations: { readOnly: false, idempotent: true },
      },
      { kind: 'tool', name: 'list', parameters: [] },
    ])
    expect(cards[1]).not.toHaveProperty('annotations')
  })

  test.each([
    { path: '/x/lighthouse.tools.json', server: 'lighthouse' },
    { path: '/x/lighthouse/tools.json', server: 'lighthouse' },
    { path: 'C:\\x\\lighthouse\\tools.json', server: 'lighthouse' },
  ])('takes the server from $path', ({ path, server }) => {
    expect(dockerMcp.read(tools([switchOn], path)).cards).toMatchObject([{ server }])
  })

  test('names a tool without a name and reads the rest', () => {
    const { cards, problems } = dockerMcp.read(tools([{ arguments: [] }, switchOn, null]))
    expect(cards.map(({ name }) => name)).toEqual(['switch_on'])
    expect(problems.map(({ field }) => field)).toEqual(['[0].name', '[2].name'])
  })
})
