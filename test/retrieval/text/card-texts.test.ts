import { describe, expect, test } from 'vitest'
import { embeddingText, textsOf } from '../../../src/retrieval/text/card-texts.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const tool = toolCard('forge/list', {
  name: 'list_issues',
  title: 'Issues',
  description: 'Lists issues.',
  server: 'forge',
  tags: ['code'],
  examples: ['Which bugs are open?'],
  parameters: [{ name: 'state', description: 'open or closed', type: 'string', required: true }],
  runtime: { kind: 'http', method: 'GET', url: 'https://api.example/' },
})
const agent = agentCard('team/hunter', {
  name: 'hunter',
  description: 'Finds bugs.',
  tags: ['code'],
  examples: ['Why does it crash?'],
  tools: [{ name: 'bisect', description: 'Halves the commits' }, { name: 'run' }],
  backbone: { name: 'Claude', id: 'anthropic/claude', description: 'A language model' },
  policy: { temperature: 0.2 },
  instructions: 'You hunt bugs.',
})

describe('textsOf', () => {
  test('a tool is found by its name, description, parameters, server, tags and examples', () => {
    expect(textsOf(tool)).toEqual({
      name: 'list_issues\nIssues',
      description: 'Lists issues.',
      parameters: 'state open or closed',
      examples: 'forge\ncode\nWhich bugs are open?',
      body: '',
      enrichment: '',
    })
  })

  test('an agent is found by its texts, its tools and its backbone; policy and model id are not read', () => {
    expect(textsOf(agent)).toEqual({
      name: 'hunter',
      description: 'Finds bugs.',
      parameters: 'bisect Halves the commits\nrun \nClaude\nA language model',
      examples: 'code\nWhy does it crash?',
      body: 'You hunt bugs.',
      enrichment: '',
    })
  })

  test.each([
    {
      why: 'what no field holds is read with its key',
      documentation: { notes: 'Slow at night' },
      body: 'notes Slow at night',
    },
    {
      why: 'fields are not read twice',
      documentation: {
        name: 'x',
        tool_description: 'x',
        api_name: 'x',
        inputSchema: {},
        required_parameters: ['x'],
      },
      body: '',
    },
    {
      why: 'machine words are left out, depth is not',
      documentation: { reply: { type: 'object', sum: { text: 'Total' } } },
      body: 'reply sum text Total',
    },
    {
      why: 'lists, numbers and nothing',
      documentation: { limits: [1, null, 'a day'] },
      body: 'limits 1  a day',
    },
    { why: 'a text is not read as documentation', documentation: 'all of it', body: '' },
  ])('of a published documentation, $why', ({ documentation, body }) => {
    expect(textsOf({ ...tool, documentation }).body).toBe(body)
  })

  test('a long prompt is read up to 4,000 characters', () => {
    expect(textsOf({ ...agent, instructions: 'x'.repeat(5_000) }).body).toHaveLength(4_000)
    expect(textsOf({ ...tool, documentation: { notes: 'x'.repeat(5_000) } }).body).toHaveLength(4_000)
  })
})

test('what is embedded begins with the name and leaves out empty texts', () => {
  expect(embeddingText(toolCard('a/b', { name: 'mail', description: '', tags: ['post'] }))).toBe('mail\npost')
  expect(embeddingText(tool).startsWith('list_issues\nIssues\nLists issues.\n')).toBe(true)
})
