import { expect, test } from 'vitest'
import { mcpToolsList } from '../../../src/catalog/readers/mcp-tools-list.ts'
import { readers, recognise } from '../../../src/catalog/readers.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const inputSchema = {
  type: 'object',
  properties: { dish: { type: 'string', description: 'What to cook' } },
  required: ['dish'],
}
const cook = {
  name: 'cook',
  title: 'Cook',
  description: 'Cooks a dish',
  inputSchema,
  annotations: { readOnlyHint: false },
}
const bake = { name: 'bake', description: 'Bakes bread', inputSchema: { type: 'object' } }
const response = (id: number, result: object): object => ({ jsonrpc: '2.0', id, result })
const greeting = response(0, {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'kitchen-server', title: 'A kitchen', version: '2.1.0' },
  instructions: 'Cooks and bakes.',
})
const page = (text: object): string => JSON.stringify(text)

const documentOf = (text: string, path = '/lists/kitchen.json') =>
  documentFromText(path, text, 'kitchen.json')
const readOf = (text: string, path?: string) => mcpToolsList.read(documentOf(text, path))

test.each([
  { form: 'the result', text: JSON.stringify({ tools: [cook, bake] }, null, 2) },
  { form: 'its tools alone', text: JSON.stringify([cook, bake]) },
  { form: 'the whole response', text: page(response(1, { tools: [cook, bake] })) },
  { form: 'a response without jsonrpc', text: page({ result: { tools: [cook, bake] } }) },
  {
    form: 'pages, one a line',
    text: `${page({ tools: [cook], nextCursor: '2' })}\n${page({ tools: [bake] })}\n`,
  },
  {
    form: 'pages in an array',
    text: page([response(1, { tools: [cook], nextCursor: '2' }), response(2, { tools: [bake] })]),
  },
  { form: 'one tool a line', text: `${page(cook)}\n${page(bake)}` },
  {
    form: 'all that a server prints',
    text: [
      'Kitchen is open',
      page(greeting),
      page({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } }),
      page(response(1, { tools: [cook, bake] })),
    ].join('\n'),
  },
  {
    form: 'an event stream',
    text: `event: message\ndata: ${page(response(1, { tools: [cook, bake] }))}\r\n\r\n`,
  },
])('$form gives the tools and their server', ({ text }) => {
  const document = documentOf(text)
  expect(recognise(document)?.name).toBe('mcp-tools-list')
  expect(readers.filter((each) => each.recognises(document))).toEqual([mcpToolsList])
  const { cards, servers, problems, sourceName } = mcpToolsList.read(document)
  expect({ servers, problems, sourceName }).toEqual({ servers: [], problems: [], sourceName: 'kitchen' })
  expect(cards).toMatchObject([
    {
      kind: 'tool',
      name: 'cook',
      title: 'Cook',
      description: 'Cooks a dish',
      server: 'kitchen',
      inputSchema,
      parameters: [{ name: 'dish', type: 'string', required: true }],
      annotations: { readOnly: false },
    },
    { kind: 'tool', name: 'bake', server: 'kitchen' },
    { kind: 'agent', agentKind: 'toolkit', name: 'kitchen', tools: [{ name: 'cook' }, { name: 'bake' }] },
  ])
  for (const card of cards) expect(card).not.toHaveProperty('runtime')
})

test('a server that greets is described in its own words', () => {
  const { cards } = readOf(`${page(greeting)}\n${page(response(1, { tools: [cook] }))}`)
  expect(cards.at(-1)).toMatchObject({
    name: 'kitchen',
    title: 'A kitchen',
    description: 'Cooks and bakes.',
    details: { server: 'kitchen-server', version: '2.1.0' },
  })
})

test.each([
  { path: '/lists/kitchen.json', name: 'kitchen' },
  { path: '/lists/kitchen.jsonl.gz', name: 'kitchen' },
  { path: '/kitchen/tools.json', name: 'kitchen' },
  { path: 'https://kitchen.test/lists/kitchen.json?page=1', name: 'kitchen' },
])('$path is called $name', ({ path, name }) => {
  expect(readOf(page({ tools: [cook] }), path).sourceName).toBe(name)
})

test.each([
  {
    what: 'a tool without a name in the list',
    text: page({ tools: [cook, { inputSchema }] }),
    problem: { severity: 'error', field: 'tools[1].name', message: 'has no name' },
  },
  {
    what: 'what is no tool in an array',
    text: page([cook, 'bake']),
    problem: { severity: 'error', field: '[1]', message: 'is no object' },
  },
  {
    what: 'a schema that is none on the second page',
    text: `${page(response(1, { tools: [cook] }))}\n${page(response(2, { tools: [{ name: 'bake', inputSchema: 'x' }] }))}`,
    problem: { severity: 'error', field: 'line 2, result.tools[0].inputSchema' },
  },
  {
    what: 'a tool that is there twice',
    text: `${page({ tools: [cook] })}\n${page({ tools: [cook] })}`,
    problem: { severity: 'error', field: 'line 2, tools[0].name' },
  },
  {
    what: 'a line that is cut',
    text: `${page({ tools: [cook] })}\n{"tools":[`,
    problem: { severity: 'error', field: 'line 2', message: 'the line is no JSON' },
  },
  {
    what: 'a page after which others follow',
    text: page(response(1, { tools: [cook], nextCursor: 'abc' })),
    problem: { severity: 'warning', field: 'result.nextCursor' },
  },
])('$what is named, the rest is read', ({ text, problem }) => {
  const { cards, problems } = readOf(text)
  expect(cards.map(({ name }) => name)).toEqual(['cook', 'kitchen'])
  expect(problems).toMatchObject([{ file: 'kitchen.json', ...problem }])
})

test.each([
  { what: "OpenAI's functions", json: [{ name: 'cook', parameters: inputSchema }] },
  { what: 'a list of tools of which nobody says how they are called', json: { tools: [{ name: 'cook' }] } },
  { what: 'a JSON Schema', json: { type: 'object', properties: { tools: { type: 'array' } } } },
  { what: 'an error', json: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'tools' } } },
  { what: 'another response', json: response(1, { prompts: [{ name: 'cook' }] }) },
])('$what is no list of tools', ({ json }) => {
  expect(mcpToolsList.recognises(documentOf(JSON.stringify(json)))).toBe(false)
})
