import { describe, expect, test } from 'vitest'
import type { Card } from '../../src/domain/card.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { agentCard, toolCard } from '../fakes/sample-cards.ts'

const holding = (...cards: readonly Card[]) =>
  scriptedAudition({
    cards: async (ids) => ids.flatMap((id) => cards.filter((card) => card.id === id)),
    closestIds: async () => cards.map(({ id }) => id),
  })

const tool = toolCard({
  title: 'Create issue',
  server: 'tracker',
  tags: ['issues', 'project'],
  parameters: [
    { name: 'title', type: 'string', required: true, description: 'One line that says what is wrong.' },
    { name: 'labels', type: 'string[]', required: false, description: '' },
  ],
  annotations: { readOnly: false, destructive: false, openWorld: true },
  examples: ['File a bug about the login page'],
  runtime: {
    kind: 'mcp',
    transport: 'stdio',
    config: '/home/ann/.mcp.json',
    server: 'tracker',
    display: 'node tracker.js --token ***',
  },
  inputSchema: { type: 'object' },
})

const agent = agentCard({
  backbone: { name: 'Claude Sonnet 4.5', id: 'anthropic/claude-sonnet-4-5' },
  tools: [{ name: 'read_text', id: 'text/read_text', description: 'Reads a text file.' }],
  policy: { temperature: 0.2 },
  servers: { text: { command: 'node' } },
  instructions: Array.from({ length: 15 }, (_, index) => `Rule ${index + 1}.`).join('\n'),
})

describe('audition show', () => {
  test('shows a tool for people', async () => {
    const { code, stdout } = await runCaptured(['show', tool.id], holding(tool), { env: { COLUMNS: '80' } })
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "tracker/create_issue  Create issue

      Creates an issue in a project and returns its number.

      kind      tool
      server    tracker
      declares  changes things, not destructive, reaches outside systems
      tags      issues, project
      runs as   MCP server "tracker" (node tracker.js --token ***) of
                /home/ann/.mcp.json
      read by   mcp from /home/ann/.mcp.json

      parameter  type      required  description
      title      string    yes       One line that says what is wrong.
      labels     string[]

      Examples
        - File a bug about the login page
      "
    `)
  })

  test('shows an agent for people', async () => {
    const { code, stdout } = await runCaptured(['show', agent.id], holding(agent), { env: { COLUMNS: '80' } })
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "agents/lease-reviewer  Lease reviewer

      Reviews leases and lists the risky clauses.

      kind      agent (profile)
      backbone  Claude Sonnet 4.5, anthropic/claude-sonnet-4-5
      read by   profile-yaml from /home/ann/agents/lease-reviewer.yaml

      tool       id              description
      read_text  text/read_text  Reads a text file.

      needs MCP servers  text

      policy  {"temperature":0.2}

      Instructions
        Rule 1.
        Rule 2.
        Rule 3.
        Rule 4.
        Rule 5.
        Rule 6.
        Rule 7.
        Rule 8.
        Rule 9.
        Rule 10.
        Rule 11.
        Rule 12.
        … 3 more lines; --json has them all
      "
    `)
  })

  test('--json prints the card', async () => {
    const { stdout } = await runCaptured(['show', '--json', tool.id], holding(tool))
    expect(JSON.parse(stdout)).toEqual(tool)
  })

  test('--yaml prints an agent as a capability profile', async () => {
    const { stdout } = await runCaptured(['show', '--yaml', agent.id], holding(agent))
    expect(stdout).toContain('profile: audition/v1\n')
    expect(stdout).toContain('name: lease-reviewer\n')
  })

  test('--yaml of a tool is refused', async () => {
    const { code, stderr } = await runCaptured(['show', '--yaml', tool.id], holding(tool))
    expect(code).toBe(2)
    expect(stderr).toContain('is a tool; --yaml prints agents')
  })

  test('--yaml and --json exclude each other', async () => {
    const { code } = await runCaptured(['show', '--yaml', '--json', tool.id], holding(tool))
    expect(code).toBe(2)
  })

  test('an unknown id names the closest ones and ends with 1', async () => {
    const { code, stdout, stderr } = await runCaptured(['show', 'tracker/create_isue'], holding(tool))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'error: no tool or agent "tracker/create_isue".\n  Closest ids: tracker/create_issue.\n',
    )
  })

  test('cuts an id that would fill lines where it is only named', async () => {
    const long = holding(toolCard({ id: `tracker/${'x'.repeat(200)}` }))
    const { stderr } = await runCaptured(['show', `tracker/${'x'.repeat(300)}`], long)
    const cut = `tracker/${'x'.repeat(111)}…`
    expect(stderr).toBe(`error: no tool or agent "${cut}".\n  Closest ids: ${cut}.\n`)
  })

  test('an unknown id in an empty store says how to find ids', async () => {
    const { code, stderr } = await runCaptured(['show', 'x'], holding())
    expect(code).toBe(1)
    expect(stderr).toContain('audition search')
  })

  test('no field of a card can drive the terminal', async () => {
    const bad = 'x\u001b[2J\u009b1A\u202E\u0007\r\n\u001b]0;owned\u0007'
    const cards: readonly Card[] = [
      toolCard({
        id: 'a',
        name: bad,
        title: bad,
        description: bad,
        server: bad,
        tags: [bad],
        publisher: bad,
        examples: [bad],
        parameters: [{ name: bad, type: bad, required: false, description: bad }],
        runtime: { kind: 'http', method: bad, url: bad },
        provenance: { reader: bad, location: bad, details: { [bad]: bad } },
      }),
      agentCard({
        id: 'b',
        name: bad,
        title: bad,
        description: bad,
        backbone: { name: bad, id: bad },
        tools: [{ name: bad, id: bad, description: bad }],
        servers: { [bad]: {} },
        policy: { [bad]: bad },
        instructions: bad,
      }),
    ]
    for (const card of cards) {
      const { stdout } = await runCaptured(['show', card.id], holding(...cards))
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
  })
})

test('a field of the policy that a single run gives no meaning is shown with the reason, one that is off is not', async () => {
  const keeper = agentCard({
    policy: { knowledge_base: 'contracts', enable_user_memories: true, read_chat_history: false, top_p: 7 },
  })
  const { stdout } = await runCaptured(['show', keeper.id], holding(keeper), { env: { COLUMNS: '200' } })
  expect(stdout).toContain('knowledge_base: kept, has no effect here: no vector store is attached')
  expect(stdout).toContain(
    'enable_user_memories: kept, has no effect here: nothing is remembered from one run to the next',
  )
  expect(stdout).not.toContain('read_chat_history: kept')
  expect(stdout).toContain('top_p: kept, has no effect here: it has to be a number from 0 to 1')
})

test('shows a language model that lists or outcomes know, by its id or by its name alone', async () => {
  const model = {
    id: 'acme/tiny-7b',
    name: 'Tiny',
    callable: false,
    price: { input: 0.1, output: 0.3 },
    input: ['text', 'image'],
    output: ['text'],
    licence: 'MIT',
    context: 32_000,
    estimate: 0.614,
    low: 0.5,
    high: 0.7,
    outcomes: 40,
    nearest: [],
    score: 0.612,
  }
  const knowing = {
    ...holding(agent),
    models: async () => ({ task: null, priceWeight: 1, models: [model], known: 1, tasks: 40 }),
  }
  for (const id of ['acme/tiny-7b', 'Tiny-7B']) {
    const { code, stdout } = await runCaptured(['show', id], knowing, { env: { COLUMNS: '110' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/acme\/tiny-7b +61\.2 +61\.4 +50\.0 to 70\.0 +40 +0\.20 +32k/)
    expect(stdout).toContain('reads text, image\nwrites text\nlicence MIT')
  }
  const { stdout } = await runCaptured(['show', '--json', 'acme/tiny-7b'], knowing)
  expect(JSON.parse(stdout)).toEqual(model)
  const { code, stderr } = await runCaptured(['show', 'acme/other'], knowing)
  expect(code).toBe(1)
  expect(stderr).toContain('no tool or agent "acme/other"')
})
