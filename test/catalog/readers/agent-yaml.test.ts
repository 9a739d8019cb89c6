import { describe, expect, test } from 'vitest'
import { agentFramework } from '../../../src/catalog/frameworks/agent-framework.ts'
import { crewai } from '../../../src/catalog/frameworks/crewai.ts'
import { agno } from '../../../src/catalog/frameworks/agno.ts'
import { langgraph } from '../../../src/catalog/frameworks/langgraph.ts'
import { recognise } from '../../../src/catalog/readers.ts'
import type { AgentCard } from '../../../src/domain/card.ts'
import { dockerAgentYaml } from '../../../src/catalog/readers/docker-agent-yaml.ts'
import { knownRefusals } from '../../../src/catalog/readers/known-refusals.ts'
import { lobeAgent } from '../../../src/catalog/readers/lobe-agent.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

describe('the reader of CrewAI', () => {
  const text = `cook:
  role: >
    {cuisine} cook
  goal: Write a menu for {guests}
  backstory: You cooked for kings.
  llm: openai/gpt-4o
  tools: [search_recipes]
  max_iter: 5
  api_key: hidden-value
waiter:
  role: Waiter
  goal: Serve
`

  test('makes a card of each agent, with role, goal and backstory as its prompt', () => {
    const document = documentFromText('/bistro/config/agents.yaml', text)
    expect(crewai.reader.recognises(document)).toBe(true)
    const { cards, sourceName, problems } = crewai.reader.read(document)
    expect({ sourceName, problems }).toEqual({ sourceName: 'bistro', problems: [] })
    expect(cards).toMatchObject([
      {
        key: 'cook',
        name: 'cook',
        title: '{cuisine} cook',
        description: 'Write a menu for {guests}',
        backbone: { name: 'gpt-4o', id: 'openai/gpt-4o' },
        tools: [{ name: 'search_recipes' }],
        policy: { max_steps: 5 },
        instructions: 'Role: {cuisine} cook\n\nGoal: Write a menu for {guests}\n\nYou cooked for kings.',
        details: { placeholders: '{cuisine}, {guests}' },
      },
      { key: 'waiter', backbone: null, tools: [], details: { framework: 'CrewAI' } },
    ])
    expect(JSON.stringify(cards)).not.toContain('hidden-value')
  })

  test('takes what the tasks beside it ask of an agent as its examples', () => {
    const tasks = 'menu:\n  description: Write a menu\n  expected_output: A menu\n  agent: cook\nother: 3\n'
    const document = documentFromText('/bistro/config/agents.yaml', text)
    const beside = (name: string) => (name === 'tasks.yaml' ? documentFromText(name, tasks) : undefined)
    const { cards } = crewai.reader.read({ ...document, beside })
    expect(cards.map(({ examples }) => examples)).toEqual([['Write a menu'], []])
  })

  test('names no source for a file of another name', () => {
    expect(crewai.reader.read(documentFromText('/x/my.agents.yaml', text)).sourceName).toBeUndefined()
  })
})

describe('dockerAgentYaml', () => {
  const text = `models:
  clever: { provider: anthropic, model: claude-opus-4-1, temperature: 0.1 }
metadata: { author: acme, license: MIT, description: A press office }
agents:
  root:
    model: clever
    instruction: Lead.
    sub_agents: [writer]
    commands:
      weekly: Write the weekly note
    toolsets:
      - { type: mcp, ref: 'docker:github', tools: [list_issues, get_issue] }
      - { type: mcp, command: npx, args: [-y, news-server], env: { NEWS_TOKEN: abc123 } }
      - { type: mcp, remote: { url: 'https://maps.example.com/mcp' } }
      - { type: think }
      - type: script
        shell: { count_words: { description: Counts words, cmd: wc } }
  writer: { model: 'openai/gpt-5', description: Writes., instruction: Write. }
  broken: nothing
`
  const result = dockerAgentYaml.read(documentFromText('/x/press.yaml', text, 'press.yaml'))

  test('makes a card of each agent and names the root after the file', () => {
    expect(dockerAgentYaml.recognises(documentFromText('/x/press.yaml', text))).toBe(true)
    expect(result.cards).toMatchObject([
      {
        key: 'root',
        name: 'press',
        description: 'A press office',
        publisher: 'acme',
        examples: ['Write the weekly note'],
        backbone: { name: 'claude-opus-4-1', id: 'anthropic/claude-opus-4-1' },
        tools: ['list_issues', 'get_issue', 'news-server', 'maps.example.com', 'think', 'count_words'].map(
          (name) => ({ name }),
        ),
        policy: { temperature: 0.1, sub_agents: ['writer'] },
        instructions: 'Lead.',
      },
      { key: 'writer', name: 'writer', backbone: { id: 'openai/gpt-5' }, tools: [], policy: {} },
    ])
  })

  test('lists the servers to start, without secrets', () => {
    expect(result.cards[0]).toMatchObject({
      servers: {
        github: { command: 'docker', args: ['mcp', 'gateway', 'run', '--servers=github'] },
        'news-server': {
          command: 'npx',
          args: ['-y', 'news-server'],
          env: { NEWS_TOKEN: '\u0024{NEWS_TOKEN}' },
        },
        'maps.example.com': { url: 'https://maps.example.com/mcp' },
      },
    })
    expect(JSON.stringify(result)).not.toContain('abc123')
  })

  test('reports an entry that is no agent', () => {
    expect(result.problems).toMatchObject([{ severity: 'error', file: 'press.yaml', field: 'agents.broken' }])
  })
})

describe('the reader of Agent Framework', () => {
  test('reads a prompt agent', () => {
    const text = `kind: Prompt
name: Librarian
displayName: The librarian
description: Finds books
instructions: Answer from the catalogue.
model: { id: gpt-4o, provider: OpenAI, options: { temperature: 0, topP: 0.5, allowMultipleToolCalls: true } }
tools:
  - { kind: mcp, name: shelf, description: The shelf, url: 'https://shelf.example.com/mcp', allowedTools: [find, lend] }
  - { kind: web_search }
`
    const document = documentFromText('librarian.yaml', text)
    expect(agentFramework.reader.recognises(document)).toBe(true)
    expect(agentFramework.reader.read(document).cards).toMatchObject([
      {
        name: 'Librarian',
        title: 'The librarian',
        description: 'Finds books',
        backbone: { name: 'gpt-4o', id: 'openai/gpt-4o' },
        tools: [
          { name: 'find', description: 'The shelf', id: 'shelf/find' },
          { name: 'lend', description: 'The shelf', id: 'shelf/lend' },
          { name: 'web_search' },
        ],
        policy: { temperature: 0, top_p: 0.5, allowMultipleToolCalls: true },
        servers: { shelf: { url: 'https://shelf.example.com/mcp' } },
        instructions: 'Answer from the catalogue.',
      },
    ])
  })

  test('knows no backbone when the model is an expression, and takes the name of the file', () => {
    const text = 'kind: Prompt\ninstructions: Help.\nmodel:\n  id: =Env.MODEL\n'
    expect(agentFramework.reader.read(documentFromText('helper.yaml', text)).cards).toMatchObject([
      { name: 'helper', backbone: null, details: { model: '=Env.MODEL' } },
    ])
  })

  test('refuses one that says nothing', () => {
    const document = documentFromText('empty.yaml', 'kind: Prompt\nname: a\n', 'empty.yaml')
    expect(agentFramework.reader.read(document)).toMatchObject({
      cards: [],
      problems: [{ severity: 'error', file: 'empty.yaml', field: 'instructions' }],
    })
  })
})

describe('the reader of Agno', () => {
  test('reads the fields of an agent, in sections too, and keeps what it does not know', () => {
    const text = `agent: { name: Bank clerk, description: Knows accounts, agent_id: clerk }
model: { provider: Anthropic, id: claude-sonnet-4-5, temperature: 0.7, api_key: hidden-value }
instructions: [Be brief., Ask back.]
tools: [search_knowledge_base, { name: check_account, description: Checks one, toolkit: bank }]
memory: { add_history_to_messages: true, num_history_runs: 5, enable_agentic_memory: false }
markdown: false
escalation_triggers: { high: 5 }
`
    const document = documentFromText('/bank/clerk.yaml', text)
    expect(recognise(document)).toBe(agno.reader)
    const { cards, problems } = agno.reader.read(document)
    expect(problems).toEqual([])
    expect(cards).toMatchObject([
      {
        name: 'Bank clerk',
        description: 'Knows accounts',
        backbone: { name: 'claude-sonnet-4-5', id: 'anthropic/claude-sonnet-4-5' },
        tools: [
          { name: 'search_knowledge_base' },
          { name: 'check_account', description: 'Checks one', id: 'bank/check_account' },
        ],
        instructions: 'Be brief.\nAsk back.',
        details: { framework: 'Agno', id: 'clerk' },
      },
    ])
    expect((cards[0] as AgentCard).policy).toEqual({
      temperature: 0.7,
      add_history_to_messages: true,
      num_history_runs: 5,
      enable_agentic_memory: false,
      markdown: false,
      escalation_triggers: { high: 5 },
    })
    expect(JSON.stringify(cards)).not.toContain('hidden-value')
  })

  test.each([
    {
      why: 'a model as a text',
      model: 'openai:gpt-4o',
      extra: 'read_chat_history: true',
      id: 'openai/gpt-4o',
    },
    {
      why: 'the fields of the paper',
      model: '{ name: gpt-4o, description: A model }',
      extra: 'knowledge_base: [docs]',
      id: 'gpt-4o',
    },
  ])('knows $why', ({ model, extra, id }) => {
    const text = `name: helper\ndescription: Helps\nmodel: ${model}\n${extra}\n`
    expect(recognise(documentFromText('helper.yaml', text))).toBe(agno.reader)
    expect(agno.reader.read(documentFromText('helper.yaml', text)).cards).toMatchObject([
      { backbone: { id } },
    ])
  })
})

describe('the reader of LangGraph', () => {
  const read = (value: unknown, path = '/shop/langgraph.json') =>
    langgraph.reader.read(documentFromText(path, JSON.stringify(value), path))

  test('makes a card of each graph, and says which are found by their names alone', () => {
    const { cards, problems, sourceName } = read({
      dependencies: ['.'],
      graphs: {
        agent: './src/agent.py:graph',
        buyer: { path: './buyer.ts:make', description: 'Buys things' },
      },
      env: '.env',
    })
    expect(sourceName).toBe('shop')
    expect(cards).toMatchObject([
      { name: 'agent', agentKind: 'listing', description: '', details: { graph: './src/agent.py:graph' } },
      { name: 'buyer', description: 'Buys things' },
    ])
    expect(problems).toMatchObject([{ severity: 'warning', field: 'graphs.agent' }])
  })

  test.each(['context', 'configurable'])('makes a card of an assistant by its %s', (place) => {
    const said = {
      model: 'anthropic/claude-sonnet-4-5',
      system_prompt: 'Buy.',
      tools: ['pay'],
      temperature: 0.1,
      audience: 'all',
      mcp_servers: {
        shop: {
          transport: 'streamable_http',
          url: 'https://shop.test/mcp',
          headers: { Authorization: 'Bearer abc' },
        },
      },
    }
    const { cards } = read(
      [
        {
          assistant_id: '1',
          graph_id: 'agent',
          name: 'Buyer',
          description: 'Buys',
          ...(place === 'context' ? { context: said } : {}),
          config: { recursion_limit: 25, ...(place === 'context' ? {} : { configurable: said }) },
        },
      ],
      '/shop/assistants.json',
    )
    expect(cards).toMatchObject([
      {
        name: 'Buyer',
        backbone: { name: 'claude-sonnet-4-5', id: 'anthropic/claude-sonnet-4-5' },
        tools: [{ name: 'pay' }],
        policy: { temperature: 0.1, audience: 'all', max_steps: 12 },
        servers: { shop: { type: 'http', url: 'https://shop.test/mcp' } },
        instructions: 'Buy.',
        details: { graph: 'agent' },
      },
    ])
    expect(JSON.stringify(cards)).not.toContain('Bearer abc')
  })
})

describe('lobeAgent', () => {
  const agent = {
    identifier: 'gardener',
    author: 'flora',
    meta: { title: 'Gardener', description: 'Helps plants grow', tags: ['garden'], category: 'life' },
    config: { systemRole: 'You garden.', plugins: ['weather'], openingQuestions: ['When do I plant beans?'] },
    examples: [
      { role: 'user', content: 'My tomato is ill' },
      { role: 'assistant', content: 'Less water.' },
    ],
  }

  test('reads title, description, tags, prompt, plugins and what users ask', () => {
    const document = documentFromText('gardener.json', JSON.stringify(agent))
    expect(lobeAgent.recognises(document)).toBe(true)
    expect(lobeAgent.read(document).cards).toMatchObject([
      {
        agentKind: 'listing',
        name: 'gardener',
        title: 'Gardener',
        description: 'Helps plants grow',
        publisher: 'flora',
        tags: ['garden', 'life'],
        examples: ['When do I plant beans?', 'My tomato is ill'],
        tools: [{ name: 'weather' }],
        instructions: 'You garden.',
      },
    ])
  })

  test('refuses an agent without title and description', () => {
    const document = documentFromText('a.json', JSON.stringify({ ...agent, meta: {} }), 'a.json')
    expect(lobeAgent.read(document)).toMatchObject({
      cards: [],
      problems: [{ severity: 'error', file: 'a.json', field: 'meta.description' }],
    })
  })
})

describe('knownRefusals', () => {
  test.each([
    {
      why: 'tasks of CrewAI',
      path: 'tasks.yaml',
      text: 'cook_task:\n  description: Cook\n  expected_output: A dish\n  agent: cook\n',
      field: 'cook_task.expected_output',
      remedy: 'agents.yaml',
    },
    {
      why: "AgentOS's configuration",
      path: 'config.yaml',
      text: 'available_models: [m]\nmanifest:\n  helper:\n    quick_prompts: [Hi]\n',
      field: 'manifest',
      remedy: 'capability profile',
    },
    {
      why: "AgentOS's older configuration",
      path: 'config.yaml',
      text: 'available_models: [m]\nchat:\n  quick_prompts:\n    helper: [Hi]\n',
      field: 'chat.quick_prompts',
      remedy: 'capability profile',
    },
    {
      why: 'a change to another agent',
      path: 'agent.yaml',
      text: 'id: poet\nbase_agent: writer-1\nsystem_instruction: Rhyme.\n',
      field: 'base_agent',
      remedy: 'capability profile',
    },
    {
      why: 'a JSON Schema',
      path: 'server.schema.json',
      text: '{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {}}',
      field: '$schema',
      remedy: 'Leave it out',
    },
  ])('refuses $why with file, field and remedy', ({ path, text, field, remedy }) => {
    const document = documentFromText(`/x/${path}`, text, path)
    expect(knownRefusals.recognises(document)).toBe(true)
    expect(knownRefusals.read(document)).toEqual({
      cards: [],
      servers: [],
      problems: [
        {
          severity: 'error',
          file: path,
          field,
          message: expect.any(String),
          remedy: expect.stringContaining(remedy),
        },
      ],
    })
  })

  test.each([
    { path: 'compose.yaml', text: 'services:\n  db: { image: postgres }\n' },
    { path: 'package.json', text: '{"$schema": "https://json.schemastore.org/package.json", "name": "x"}' },
    { path: 'notes.md', text: '# Notes' },
  ])('leaves $path to others', ({ path, text }) => {
    expect(knownRefusals.recognises(documentFromText(path, text))).toBe(false)
  })
})
