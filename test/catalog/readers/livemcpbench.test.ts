import { expect, test } from 'vitest'
import { livemcpbench } from '../../../src/catalog/readers/livemcpbench.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const documentOf = (json: unknown) =>
  documentFromText('/bench/tools.json', JSON.stringify(json), 'tools.json')

const inputSchema = {
  type: 'object',
  properties: { plant: { type: 'string', description: 'Its name' } },
  required: ['plant'],
}
const entry = {
  name: 'Garden Server',
  organization: 'greens',
  description: 'Looks after plants',
  web: 'https://code.test/garden',
  config: { mcpServers: { garden: { command: 'npx', args: ['garden'], env: { KEY: 'hidden-value' } } } },
  category: 'Lifestyle',
  tools: {
    garden: {
      server_name: 'garden',
      version: '0.3.0',
      tools: [
        {
          name: 'water',
          description: 'Waters a plant',
          inputSchema,
          annotations: { destructiveHint: false },
        },
      ],
    },
  },
}

test('a server becomes its tools and a toolkit that owns them', () => {
  expect(livemcpbench.recognises(documentOf([entry]))).toBe(true)
  const { cards, servers, problems } = livemcpbench.read(documentOf([entry]))
  expect(problems).toEqual([])
  expect(servers).toEqual([])
  expect(cards).toEqual([
    {
      kind: 'tool',
      key: 'garden/water',
      name: 'water',
      description: 'Waters a plant',
      examples: [],
      tags: ['Lifestyle'],
      publisher: 'greens',
      server: 'garden',
      parameters: [{ name: 'plant', description: 'Its name', type: 'string', required: true }],
      inputSchema,
      annotations: { destructive: false },
    },
    {
      kind: 'agent',
      agentKind: 'toolkit',
      key: 'garden',
      name: 'garden',
      title: 'Garden Server',
      description: 'Looks after plants',
      examples: [],
      tags: ['Lifestyle'],
      publisher: 'greens',
      backbone: null,
      tools: [{ name: 'water', description: 'Waters a plant' }],
      policy: {},
      details: { repository: 'https://code.test/garden', version: '0.3.0' },
    },
  ])
  expect(JSON.stringify(cards)).not.toContain('hidden-value')
})

test('what is malformed is named and the rest is read', () => {
  const broken = {
    ...entry,
    tools: { pots: { tools: 'none' }, beds: { tools: [{ name: '' }, { name: 'dig' }] } },
  }
  const { cards, problems } = livemcpbench.read(documentOf([7, broken, entry]))
  expect(cards.map(({ name }) => name)).toEqual(['dig', 'beds', 'water', 'garden'])
  expect(problems.map(({ field }) => field)).toEqual([
    '[0]',
    '[1].tools.pots.tools',
    '[1].tools.beds.tools[0].name',
  ])
})

test('the annotated tasks are refused as what they are', () => {
  const task = { task_id: '1', Question: 'Water the roses', 'Annotator Metadata': { Tools: '1. water' } }
  expect(livemcpbench.recognises(documentOf([task]))).toBe(true)
  const { cards, problems } = livemcpbench.read(documentOf([task]))
  expect(cards).toEqual([])
  expect(problems).toMatchObject([
    {
      severity: 'error',
      file: 'tools.json',
      field: '[0].Question',
      remedy: expect.stringContaining('tools.json'),
    },
  ])
})
