import { describe, expect, test } from 'vitest'
import { agentFrameworkYaml } from '../../../src/catalog/readers/agent-framework-yaml.ts'
import { crewaiYaml } from '../../../src/catalog/readers/crewai-yaml.ts'
import { dockerAgentYaml } from '../../../src/catalog/readers/docker-agent-yaml.ts'
import { knownRefusals } from '../../../src/catalog/readers/known-refusals.ts'
import { lobeAgent } from '../../../src/catalog/readers/lobe-agent.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

describe('crewaiYaml', () => {
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
    expect(crewaiYaml.recognises(document)).toBe(true)
    const { cards, sourceName, problems } = crewaiYaml.read(document)
    expect({ sourceName, problems }).toEqual({ sourceName: 'bistro', problems: [] })
    expect(cards).toMatchObject([
      {
        key: 'cook',
        name: 'cook',
        title: '{cuisine} cook',
        description: 'Write a menu for {guests}',
        backbone: { name: 'openai/gpt-4o', id: 'openai/gpt-4o' },
        tools: [{ name: 'search_recipes' }],
        policy: { max_iter: 5 },
        instructions: 'Role: {cuisine} cook\n\nGoal: Write a menu for {guests}\n\nYou cooked for kings.',
        details: { placeholders: '{cuisine}, {guests}' },
      },
      { key: 'waiter', backbone: null, tools: [], details: { framework: 'CrewAI' } },
    ])
    expect(JSON.stringify(cards)).not.toContain('hidden-value')
  })

  test('names no source for a file of another name', () => {
    expect(crewaiYaml.read(documentFromText('/x/my.agents.yaml', text)).sourceName).toBeUndefined()
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

describe('agentFrameworkYaml', () => {
  test('reads a prompt agent', () => {
    const text = `kind: Prompt
name: Librarian
displayName: The librarian
description: Finds books
instructions: Answer from the catalogue.
model: { id: gpt-4o, options: { temperature: 0 } }
tools:
  - { kind: mcp, name: shelf, description: The shelf, url: 'https://shelf.example.com/mcp', allowedTools: [find, lend] }
  - { kind: web_search }
`
    const document = documentFromText('librarian.yaml', text)
    expect(agentFrameworkYaml.recognises(document)).toBe(true)
    expect(agentFrameworkYaml.read(document).cards).toMatchObject([
      {
        name: 'Librarian',
        title: 'The librarian',
        description: 'Finds books',
        backbone: { name: 'gpt-4o', id: 'gpt-4o' },
        tools: [
          { name: 'find', description: 'The shelf' },
          { name: 'lend', description: 'The shelf' },
          { name: 'web_search' },
        ],
        policy: { temperature: 0 },
        servers: { shelf: { url: 'https://shelf.example.com/mcp' } },
        instructions: 'Answer from the catalogue.',
      },
    ])
  })

  test('knows no backbone when the model is an expression, and takes the name of the file', () => {
    const text = 'kind: Prompt\ninstructions: Help.\nmodel:\n  id: =Env.MODEL\n'
    expect(agentFrameworkYaml.read(documentFromText('helper.yaml', text)).cards).toMatchObject([
      { name: 'helper', backbone: null, details: { model: '=Env.MODEL' } },
    ])
  })

  test('refuses one that says nothing', () => {
    const document = documentFromText('empty.yaml', 'kind: Prompt\nname: a\n', 'empty.yaml')
    expect(agentFrameworkYaml.read(document)).toMatchObject({
      cards: [],
      problems: [{ severity: 'error', file: 'empty.yaml', field: 'instructions' }],
    })
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
