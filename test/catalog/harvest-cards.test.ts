import { describe, expect, test } from 'vitest'
import { cardsOfHarvest } from '../../src/catalog/harvest-cards.ts'
import { displayOf } from '../../src/catalog/server-entries.ts'
import type { Harvest, McpServerEntry } from '../../src/catalog/ports.ts'
import type { JsonObject } from '../../src/domain/json.ts'

const entry: McpServerEntry = {
  name: 'files',
  config: '/projects/.mcp.json',
  disabled: false,
  launch: {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'server-files', '--api-key', 'hush-hush', '/tmp/a b'],
    env: { TOKEN: 'secret-of-env' },
  },
}

const harvestOf = (tools: readonly JsonObject[], server: Partial<Harvest['server']> = {}): Harvest => ({
  server: { name: 'server-files', version: '1.2.3', ...server },
  tools,
})

const cardsOf = (tools: readonly JsonObject[], server: Partial<Harvest['server']> = {}) =>
  cardsOfHarvest(entry, harvestOf(tools, server))

const runtime = {
  kind: 'mcp',
  transport: 'stdio',
  config: '/projects/.mcp.json',
  server: 'files',
  display: 'npx -y server-files --api-key *** "/tmp/a b"',
}

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

describe('cardsOfHarvest', () => {
  test('makes a tool card of each tool and a toolkit of the server', () => {
    const tool = {
      name: 'read_file',
      title: 'Read a file',
      description: ' Reads a file. ',
      inputSchema,
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, unknownHint: true, idempotentHint: 'yes' },
      _meta: { internal: true },
    }
    const { cards, problems } = cardsOf([tool], { title: 'Files', instructions: 'Works on files.' })
    expect(problems).toEqual([])
    expect(cards).toEqual([
      {
        kind: 'tool',
        name: 'read_file',
        title: 'Read a file',
        description: 'Reads a file.',
        examples: [],
        tags: [],
        server: 'files',
        parameters: [{ name: 'path', description: '', type: 'string', required: true }],
        inputSchema,
        outputSchema: { type: 'object' },
        annotations: { readOnly: true, destructive: false },
        runtime,
      },
      {
        kind: 'agent',
        agentKind: 'toolkit',
        key: 'files',
        name: 'files',
        title: 'Files',
        description: 'Works on files.',
        examples: [],
        tags: [],
        backbone: null,
        tools: [{ name: 'read_file', description: 'Reads a file.' }],
        policy: {},
        runtime,
        details: { server: 'server-files', version: '1.2.3' },
      },
    ])
  })

  test('takes the title of the annotations when the tool has none', () => {
    const { cards } = cardsOf([{ name: 'a', inputSchema, annotations: { title: 'A tool' } }])
    expect(cards[0]).toMatchObject({ title: 'A tool' })
    expect(cards[0]).not.toHaveProperty('annotations')
  })

  test('describes a server that says nothing of itself by its tools', () => {
    const tools = Array.from({ length: 32 }, (_, index) => ({ name: `t${index}`, inputSchema }))
    expect(cardsOf([]).cards).toMatchObject([{ description: 'MCP server files without tools.' }])
    expect(cardsOf(tools).cards.at(-1)?.description).toMatch(
      /^MCP server files with the tools t0, .* t29 and 2 more\.$/,
    )
  })

  const deep = JSON.parse('{"a":'.repeat(5_000) + 1 + '}'.repeat(5_000)) as JsonObject
  test.each([
    { why: 'is no object', tool: {}, field: 'tools[1].name' },
    { why: 'has a blank name', tool: { name: ' ', inputSchema }, field: 'tools[1].name' },
    { why: 'has a name that is no text', tool: { name: 7, inputSchema }, field: 'tools[1].name' },
    { why: 'has an endless name', tool: { name: 'x'.repeat(600), inputSchema }, field: 'tools[1].name' },
    { why: 'has the name of another', tool: { name: 'good', inputSchema }, field: 'tools[1].name' },
    {
      why: 'has a schema that is no object',
      tool: { name: 'bad', inputSchema: 'object' },
      field: 'tools[1].inputSchema',
    },
    {
      why: 'has a description that is no text',
      tool: { name: 'bad', inputSchema, description: { en: 'x' } },
      field: 'tools[1].description',
    },
    { why: 'nests too deep to walk', tool: { name: 'bad', inputSchema: deep }, field: 'tools[1]' },
  ])('leaves out and reports a tool that $why', ({ tool, field }) => {
    const { cards, problems } = cardsOf([{ name: 'good', inputSchema }, tool, { name: 'last', inputSchema }])
    expect(cards.map(({ name }) => name)).toEqual(['good', 'last', 'files'])
    expect(problems).toMatchObject([{ severity: 'error', file: '/projects/.mcp.json#files', field }])
  })

  test.each([
    { why: 'no input schema', tool: { name: 'a' }, field: 'tools[0].inputSchema' },
    {
      why: 'an output schema that is no object',
      tool: { name: 'a', inputSchema, outputSchema: [] },
      field: 'tools[0].outputSchema',
    },
  ])('takes and reports a tool with $why', ({ tool, field }) => {
    const { cards, problems } = cardsOf([tool])
    expect(cards[0]).toMatchObject({ kind: 'tool', name: 'a' })
    expect(cards[0]).not.toHaveProperty('outputSchema')
    expect(problems).toMatchObject([{ severity: 'warning', field }])
  })

  test('puts no secret of the entry on any card', () => {
    const { cards } = cardsOf([{ name: 'a', inputSchema }])
    expect(JSON.stringify(cards)).not.toMatch(/hush-hush|secret-of-env/)
  })
})

describe('displayOf', () => {
  const stdio = (command: string, ...args: string[]) => ({
    transport: 'stdio' as const,
    command,
    args,
    env: {},
  })
  const http = (url: string, headers = {}) => ({ transport: 'http' as const, url, headers })
  test.each([
    { launch: stdio('uvx', 'mcp-server-time'), shown: 'uvx mcp-server-time' },
    { launch: stdio('run', '--token', `\${TOKEN}`), shown: `run --token \${TOKEN}` },
    { launch: stdio('run', '--token', `\${TOKEN:-abc}`), shown: 'run --token ***' },
    { launch: stdio('run', '--password=abc'), shown: 'run --password=***' },
    { launch: stdio('run', '--no-auth', '--port', '80'), shown: 'run --no-auth --port 80' },
    {
      launch: stdio('docker', 'run', '-e', 'API_KEY=abc', 'image'),
      shown: 'docker run -e API_KEY=*** image',
    },
    {
      launch: stdio('run', '-H', 'Authorization: Bearer abcdef'),
      shown: 'run -H "Authorization: Bearer ***"',
    },
    { launch: stdio('run', 'postgres://me:pw@host/db'), shown: 'run postgres://***@host/db' },
    { launch: http('https://me:pw@host/mcp?key=abc&x=1'), shown: 'https://***@host/mcp?key=***&x=1' },
    { launch: http('https://host/abc-secret/mcp', { 'X-Key': 'abc-secret' }), shown: 'https://host/***/mcp' },
  ])('shows $shown', ({ launch, shown }) => {
    expect(displayOf(launch)).toBe(shown)
  })
})
