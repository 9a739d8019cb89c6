import { describe, expect, test } from 'vitest'
import { agentJsonl } from '../../../src/catalog/readers/agent-jsonl.ts'
import { toolretJsonl } from '../../../src/catalog/readers/toolret-jsonl.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')

const cook = {
  id: 'kitchen:head-cook',
  source: 'kitchen',
  name: 'Head cook',
  description: 'Plans menus.',
  capabilities: ['food'],
  tools: [{ name: 'search_recipes', description: 'Finds recipes' }, { description: 'no name' }],
  model: 'openai/gpt-4o',
  instructions: 'You cook.',
  examples: ['Plan a menu for six'],
  interface: {
    kind: 'yaml',
    repo: 'acme/cooks',
    path: 'cook.yaml',
    commit: 'abc',
    framework: 'docker-agent',
  },
  license: 'MIT',
  lang: 'en',
}

describe('agentJsonl', () => {
  test('reads a record with its tools, backbone, prompt, examples and where it is from', () => {
    const document = documentFromText('/x/agents.jsonl', lines(cook))
    expect(agentJsonl.recognises(document)).toBe(true)
    expect(agentJsonl.read(document)).toEqual({
      sourceName: 'kitchen',
      servers: [],
      problems: [],
      cards: [
        {
          kind: 'agent',
          key: 'head-cook',
          agentKind: 'profile',
          name: 'Head cook',
          description: 'Plans menus.',
          examples: ['Plan a menu for six'],
          tags: ['food'],
          publisher: 'acme',
          backbone: { name: 'openai/gpt-4o', id: 'openai/gpt-4o' },
          tools: [{ name: 'search_recipes', description: 'Finds recipes' }],
          policy: {},
          instructions: 'You cook.',
          details: {
            kind: 'yaml',
            repository: 'acme/cooks',
            path: 'cook.yaml',
            commit: 'abc',
            license: 'MIT',
            language: 'en',
            framework: 'docker-agent',
          },
        },
      ],
    })
  })

  test.each([
    { kind: 'claude-subagent', agentKind: 'subagent' },
    { kind: 'copilot-agent', agentKind: 'subagent' },
    { kind: 'mcp', agentKind: 'toolkit' },
    { kind: 'claude-plugin', agentKind: 'toolkit' },
    { kind: 'a2a', agentKind: 'a2a' },
    { kind: 'gpt', agentKind: 'listing' },
    { kind: 'prompt', agentKind: 'listing' },
    { kind: 'unheard-of', agentKind: 'listing' },
  ])('calls $kind a $agentKind', ({ kind, agentKind }) => {
    const document = documentFromText('a.jsonl', lines({ ...cook, interface: { kind } }))
    expect(agentJsonl.read(document).cards).toMatchObject([{ agentKind }])
  })

  test.each([
    { why: 'the provider is named', facts: { kind: 'a2a', provider: 'Acme' }, publisher: 'Acme' },
    {
      why: 'the project has an owner',
      facts: { kind: 'mcp', repo: 'some/list', project: 'https://github.com/acme/x' },
      publisher: 'acme',
    },
    { why: 'a list of what others made is no publisher', facts: { kind: 'prompt', repo: 'some/list' } },
  ])('gives publisher $publisher when $why', ({ facts, publisher }) => {
    const [card] = agentJsonl.read(documentFromText('a.jsonl', lines({ ...cook, interface: facts }))).cards
    expect(card?.publisher).toBe(publisher)
  })

  test('names each broken line and reads the rest', () => {
    const text = lines(cook, '{broken', { ...cook, id: 'kitchen:b', name: '' }, '', cook, {
      ...cook,
      id: 'kitchen:c',
    })
    const { cards, problems } = agentJsonl.read(documentFromText('a.jsonl', text, 'a.jsonl'))
    expect(cards.map(({ key }) => key)).toEqual(['head-cook', 'c'])
    expect(problems.map(({ severity, file, field }) => `${severity} ${file} ${field}`)).toEqual([
      'error a.jsonl line 2',
      'error a.jsonl line 3, name',
      'error a.jsonl line 5, id',
    ])
  })

  test('counts the broken lines of a broken file instead of listing them all', () => {
    const text = lines(cook, ...Array(300).fill('{'))
    const { problems } = agentJsonl.read(documentFromText('a.jsonl', text))
    expect(problems).toHaveLength(51)
    expect(problems.at(-1)?.message).toContain('250 more')
  })
})

describe('toolretJsonl', () => {
  const documentation = {
    name: 'get_weather',
    description: 'Forecast of a town',
    parameters: { town: { type: 'str', description: 'The town' } },
    required: ['town'],
    domain: ['Weather', 'Travel'],
    tool_name: 'Sky',
  }
  const card = {
    kind: 'tool',
    name: 'get_weather',
    description: 'Forecast of a town',
    tags: ['Weather', 'Travel'],
    server: 'Sky',
    parameters: [{ name: 'town', description: 'The town', type: 'string', required: true }],
  }

  test.each([
    { why: 'an object', record: { id: 'a_1', documentation } },
    { why: 'JSON text, as released', record: { id: 'a_1', documentation: JSON.stringify(documentation) } },
    { why: 'called doc', record: { id: 'a_1', doc: documentation } },
    {
      why: 'wrapped as a function',
      record: { id: 'a_1', doc: { type: 'function', function: documentation } },
    },
  ])('reads the documentation when it is $why, and keeps it', ({ record }) => {
    const document = documentFromText('/sets/sky/tools.jsonl', lines({ category: 'web', ...record }))
    expect(toolretJsonl.recognises(document)).toBe(true)
    const published = 'doc' in record ? record.doc : record.documentation
    const kept = typeof published === 'string' ? documentation : published
    expect(toolretJsonl.read(document)).toMatchObject({
      sourceName: 'sky',
      problems: [],
      cards: [{ ...card, key: 'a_1', documentation: kept, details: { category: 'web' } }],
    })
  })

  test('keeps JSON Schemas of input and output', () => {
    const schema = { type: 'object', properties: { town: { type: 'string' } } }
    const record = {
      id: 'a',
      server: 'sky',
      documentation: { name: 'x', arguments: schema, results: schema },
    }
    expect(toolretJsonl.read(documentFromText('/s/tools.jsonl', lines(record))).cards).toMatchObject([
      { server: 'sky', inputSchema: schema, outputSchema: schema },
    ])
  })

  test('takes apart what ToolBench published as one labelled text', () => {
    const text =
      'category_name:Food, tool_name:Pantry, api_name:List, all, api_description:Lists goods, fresh, required_params: [{"name": "shelf", "type": "STRING", "description": "Which"}], optional_params: [], return_schema: {}'
    expect(
      toolretJsonl.read(documentFromText('/s/tools.jsonl', lines({ id: 'a', documentation: text }))).cards,
    ).toEqual([
      {
        kind: 'tool',
        key: 'a',
        name: 'List, all',
        description: 'Lists goods, fresh',
        examples: [],
        tags: ['Food'],
        server: 'Pantry',
        parameters: [{ name: 'shelf', description: 'Which', type: 'string', required: true }],
        documentation: text,
      },
    ])
  })

  test('takes a plain text for the description and the id for the name', () => {
    const document = documentFromText(
      '/s/tools.jsonl',
      lines({ id: 'tool_9', documentation: 'Rings a bell.' }),
    )
    expect(toolretJsonl.read(document).cards).toMatchObject([
      { name: 'tool_9', description: 'Rings a bell.' },
    ])
  })

  test('files a model under domain, framework and each of its functions', () => {
    const documented = {
      name: 'm',
      domain: 'Vision',
      functionality: 'Detection, Tracking',
      framework: 'PyTorch',
    }
    const document = documentFromText('/s/tools.jsonl', lines({ id: 'a', documentation: documented }))
    expect(toolretJsonl.read(document).cards).toMatchObject([
      { tags: ['Vision', 'Detection', 'Tracking', 'PyTorch'], description: 'Detection, Tracking' },
    ])
  })

  test('reads one JSON array, and says which entry is broken', () => {
    const text = JSON.stringify([{ id: 'a', documentation }, { id: 'b' }, 3])
    const document = documentFromText('/sets/sky/tools.json', text)
    expect(toolretJsonl.recognises(document)).toBe(true)
    const { cards, problems } = toolretJsonl.read(document)
    expect(cards).toMatchObject([{ ...card, key: 'a' }])
    expect(problems.map(({ field }) => field)).toEqual(['[1], documentation', '[2]'])
  })

  test.each([
    { why: 'they are queries', path: 'queries.jsonl', record: { id: 'q', query: 'x', labels: [] } },
    { why: 'they are queries with a tool beside', path: 'a.jsonl', record: { id: 'q', query: 'x', doc: {} } },
    {
      why: 'they are labels that hold documentations',
      path: 'a.jsonl',
      record: { id: 'q', doc: {}, labels: [] },
    },
    { why: 'they are agents', path: 'a.jsonl', record: cook },
    { why: 'the file is no JSON Lines', path: 'a.txt', record: { id: 'a', documentation } },
  ])('leaves records alone when $why', ({ path, record }) => {
    expect(toolretJsonl.recognises(documentFromText(path, lines(record)))).toBe(false)
  })
})
