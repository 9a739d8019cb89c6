import fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exportedAgent, frameworks } from '../../../src/catalog/frameworks/frameworks.ts'
import { recognise } from '../../../src/catalog/readers.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'
import type { AgentCard } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { agentCard } from '../../fakes/sample-cards.ts'

const named = (name: string) => frameworks.find((one) => one.name === name)!

const full: AgentCard = agentCard({
  id: 'team/lease-reviewer',
  source: 'team',
  name: 'lease-reviewer',
  title: 'Lease reviewer',
  description: 'Reviews leases: finds what a tenant should not sign.',
  examples: ['Is this lease fair?', 'What does clause 4 mean?'],
  tags: ['law'],
  backbone: { name: 'gpt-4o', id: 'openai/gpt-4o', description: 'A model.' },
  tools: [
    { name: 'search_law', description: 'Finds a law.', id: 'law/search_law' },
    { name: 'read_page', description: 'Reads a page.', id: 'browser/read_page' },
  ],
  policy: {
    temperature: 0.2,
    max_steps: 8,
    top_p: 0.9,
    max_output_tokens: 900,
    seed: 7,
    add_history_to_messages: true,
    memory: true,
  },
  servers: {
    law: { type: 'http', url: 'https://law.example.com/mcp' },
    browser: { command: 'npx', args: ['-y', 'browser-mcp'], env: { TOKEN: '\u0024{TOKEN}' } },
  },
  instructions: 'Read the lease.\nQuote each clause.',
})

/** What each format cannot hold of the agent above: all else comes back as it was. */
const lost: { readonly [framework: string]: readonly string[] } = {
  agno: [
    'policy.max_steps',
    'policy.memory',
    'servers.law.type',
    'servers.law.url',
    'servers.browser.command',
    'servers.browser.args',
    'servers.browser.env',
  ],
  langgraph: ['backbone.description', 'tools.description', 'tools.server'],
  crewai: [
    'tags',
    'backbone.description',
    'policy.add_history_to_messages',
    'instructions',
    'tools.description',
    'tools.server',
    'servers.law.type',
    'servers.law.url',
    'servers.browser.command',
    'servers.browser.args',
    'servers.browser.env',
  ],
  'agent-framework': [
    'backbone.description',
    'policy.max_steps',
    'policy.add_history_to_messages',
    'policy.memory',
    'tools.description',
    'tools.server',
    'servers.browser.command',
    'servers.browser.args',
    'servers.browser.env',
  ],
}

/** The formats, as their public descriptions have them: fields that are not here are none. */
const text = z.string().min(1)
const metadata = z
  .strictObject({ title: text, tags: z.array(text), examples: z.array(text) })
  .partial()
  .optional()
const schemas: { readonly [framework: string]: z.ZodType } = {
  agno: z.strictObject({
    name: text,
    description: text.optional(),
    model: z
      .strictObject({
        name: text,
        id: text,
        provider: text,
        description: text,
        temperature: z.number(),
        top_p: z.number(),
        seed: z.int(),
        max_tokens: z.int(),
      })
      .partial()
      .optional(),
    instructions: text.optional(),
    tools: z
      .array(z.strictObject({ name: text, description: text.optional(), toolkit: text.optional() }))
      .optional(),
    add_history_to_messages: z.boolean().optional(),
    metadata,
  }),
  langgraph: z.strictObject({
    graph_id: text,
    name: text,
    description: text.optional(),
    context: z.looseObject({
      model: text.optional(),
      system_prompt: text.optional(),
      tools: z.array(text).optional(),
      mcp_servers: z
        .record(
          text,
          z.union([
            z
              .strictObject({
                transport: z.literal('stdio'),
                command: text,
                args: z.array(text),
                env: z.record(text, z.string()),
                cwd: text,
              })
              .partial({ args: true, env: true, cwd: true }),
            z.strictObject({
              transport: z.enum(['sse', 'streamable_http']),
              url: z.url(),
              headers: z.record(text, z.string()).optional(),
            }),
          ]),
        )
        .optional(),
    }),
    config: z.strictObject({ recursion_limit: z.int().min(1) }).optional(),
    metadata,
  }),
  crewai: z.record(
    z.string().regex(/^\w+$/),
    z.strictObject({
      role: text,
      goal: text,
      backstory: z.string(),
      llm: z
        .union([
          text,
          z
            .strictObject({
              model: text,
              temperature: z.number(),
              top_p: z.number(),
              max_tokens: z.int(),
              seed: z.int(),
            })
            .partial({ temperature: true, top_p: true, max_tokens: true, seed: true }),
        ])
        .optional(),
      tools: z.array(text).optional(),
      max_iter: z.int().min(1).optional(),
      memory: z.boolean().optional(),
    }),
  ),
  'agent-framework': z.strictObject({
    kind: z.literal('Prompt'),
    name: text,
    displayName: text.optional(),
    description: text.optional(),
    instructions: text.optional(),
    model: z
      .strictObject({
        id: text.optional(),
        provider: text.optional(),
        options: z
          .strictObject({
            temperature: z.number(),
            topP: z.number(),
            seed: z.int(),
            maxOutputTokens: z.int(),
          })
          .partial()
          .optional(),
      })
      .optional(),
    tools: z
      .array(
        z.discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('function'), name: text, description: text.optional() }),
          z.strictObject({
            kind: z.literal('mcp'),
            name: text,
            url: z.url(),
            allowedTools: z.array(text).optional(),
          }),
        ]),
      )
      .optional(),
    metadata,
  }),
}
const parsed = (file: { readonly name: string; readonly text: string }): unknown =>
  file.name.endsWith('.json') ? JSON.parse(file.text) : load(file.text)

describe.each(frameworks)('$title', (framework) => {
  test('a whole agent is written as the format is described, and what it cannot hold is told', () => {
    const { files, lost: told } = exportedAgent(full, framework)
    const checked = schemas[framework.name]!.safeParse(parsed(files[0]!))
    expect(checked.error?.issues ?? []).toEqual([])
    expect([...told].sort()).toEqual([...lost[framework.name]!].sort())
  })

  test('what is written is recognised by this reader and no other, and what is read of it is written again alike', () => {
    const { files } = exportedAgent(full, framework)
    const document = documentFromText(`/agents/${files[0]!.name}`, files[0]!.text)
    expect(recognise(document)).toBe(framework.reader)
    const [card] = framework.reader.read({
      ...document,
      beside: (name) =>
        files.filter((one) => one.name === name).map((one) => documentFromText(name, one.text))[0],
    }).cards
    const again = exportedAgent({ ...(card as AgentCard), id: full.id }, framework)
    expect(again.files).toEqual(files)
    expect(again.lost).toEqual([])
  })

  test('of any agent, all comes back that is not told as lost; the file is of the format', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const sentence = fc.string({ minLength: 1, maxLength: 40 }).filter((some) => some.trim() !== '')
    const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
    const cards = fc
      .record({
        name: word,
        title: optional(sentence),
        description: sentence,
        examples: fc.array(sentence, { maxLength: 2 }),
        tags: fc.uniqueArray(word, { maxLength: 2 }),
        backbone: fc.option(fc.record({ name: word, id: word.map((one) => `acme/${one}`) })),
        tools: fc.uniqueArray(fc.record({ name: word, description: sentence }), {
          selector: ({ name }) => name,
          maxLength: 3,
        }),
        policy: fc.record(
          { temperature: fc.constantFrom(0, 0.5), max_steps: fc.integer({ min: 1, max: 99 }) },
          { requiredKeys: [] },
        ),
        instructions: optional(sentence),
      })
      .map(({ title, instructions, ...rest }) => ({
        ...agentCard({ id: 'any/agent', ...rest, policy: rest.policy as JsonObject }),
        ...(title === undefined ? {} : { title }),
        ...(instructions === undefined ? {} : { instructions }),
      }))
    fc.assert(
      fc.property(cards, (card) => {
        const { files, lost: told } = exportedAgent(card, framework)
        const [read] = framework.reader.read(
          documentFromText(`/agents/${files[0]!.name}`, files[0]!.text),
        ).cards
        expect(schemas[framework.name]!.safeParse(parsed(files[0]!)).error?.issues ?? []).toEqual([])
        expect(read).toMatchObject({ kind: 'agent', tools: card.tools.map(({ name }) => ({ name })) })
        const kept = read as AgentCard
        if (!told.includes('description')) expect(kept.description).toBe(card.description.trim())
        if (!told.includes('backbone.id')) expect(kept.backbone?.id).toBe(card.backbone?.id)
        if (!told.includes('policy.temperature'))
          expect(kept.policy.temperature).toBe(card.policy.temperature)
        if (!told.includes('policy.max_steps')) expect(kept.policy.max_steps).toBe(card.policy.max_steps)
        for (const field of told)
          expect(field, card.id).toMatch(
            /^(?:title|tags|examples|instructions|description|policy|tools|backbone)/,
          )
      }),
    )
  })
})

test('notes say what a person has to do: servers to start, functions to bind, the graph that makes it', () => {
  const notesOf = (name: string) => exportedAgent(full, named(name)).notes.join(' ')
  expect(notesOf('agno')).toMatch(/MCPTools for law, browser/)
  expect(notesOf('langgraph')).toMatch(/create_agent.*MultiServerMCPClient/)
  expect(notesOf('crewai')).toMatch(/@tool.*law, browser/)
  expect(notesOf('agent-framework')).toMatch(/connection.*Bind the functions in code: read_page/)
})

test.each([
  {
    name: 'agno',
    field: 'max_tokens',
    text: '{"name": "a", "description": "b", "model": {"id": "m", "provider": "p", "max_tokens": 512}}',
  },
  {
    name: 'agno',
    field: 'max_completion_tokens',
    text: '{"name": "a", "description": "b", "model": {"id": "m", "provider": "p", "max_completion_tokens": 512}}',
  },
  {
    name: 'agent-framework',
    field: 'maxOutputTokens',
    text: 'kind: Prompt\nname: a\ninstructions: b\nmodel: {id: m, options: {maxOutputTokens: 512}}\n',
  },
  {
    name: 'langgraph',
    field: 'max_tokens',
    text: '{"graph_id": "agent", "name": "a", "context": {"model": "p:m", "max_tokens": 512, "auth_token": "x"}}',
  },
  {
    name: 'crewai',
    field: 'llm.max_tokens',
    text: 'a:\n  role: b\n  goal: c\n  llm: {model: p/m, max_tokens: 512, api_key: x}\n',
  },
])(
  '$name: $field is the most tokens of an answer, and comes back; secrets do not',
  ({ name, text: given }) => {
    const { reader } = named(name)
    const path = name === 'crewai' || name === 'agent-framework' ? '/agents/a.yaml' : '/agents/a.json'
    const [card] = reader.read(documentFromText(path, given)).cards
    expect((card as AgentCard).policy).toEqual({ max_output_tokens: 512 })
    const limit = { ...full, policy: { max_tokens: 512 } }
    const { files, lost: told } = exportedAgent(limit, named(name))
    expect(files[0]!.text).toMatch(/(?:max_tokens|maxOutputTokens)"?: 512/)
    expect(told.filter((field) => field.startsWith('policy'))).toEqual([])
  },
)

test('an agent that runs by a command says that the format does not hold it', () => {
  const { lost: told } = exportedAgent(
    { ...full, runtime: { kind: 'command', file: '/x.yaml' } as never },
    named('agno'),
  )
  expect(told).toContain('runtime')
})
