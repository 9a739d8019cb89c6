import { describe, expect, test } from 'vitest'
import { claudePlugin } from '../../../src/catalog/readers/claude-plugin.ts'
import { claudeSkill } from '../../../src/catalog/readers/claude-skill.ts'
import { claudeSubagent } from '../../../src/catalog/readers/claude-subagent.ts'
import { copilotAgent } from '../../../src/catalog/readers/copilot-agent.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

describe('claudeSubagent', () => {
  const text = `---
name: lease-reviewer
description: >-
  Use this agent to find risky clauses in a lease. Examples:
  <example> Context: A tenant sent a draft. user: "Is this lease fair?" assistant: "I will ask." </example>
tools: Read, Bash(git log, git show), mcp__files__search
model: claude-opus-4-1
color: green
tags: [legal, documents]
permissionMode: plan
api_token: not-to-be-kept
---

You review leases.
`
  const document = documentFromText('/repo/.claude/agents/lease.md', text, 'lease.md')

  test('reads name, description, examples, tools, model, policy and prompt', () => {
    expect(claudeSubagent.recognises(document)).toBe(true)
    expect(claudeSubagent.read(document)).toEqual({
      cards: [
        {
          kind: 'agent',
          agentKind: 'subagent',
          name: 'lease-reviewer',
          description: 'Use this agent to find risky clauses in a lease.',
          examples: ['Is this lease fair?'],
          tags: ['legal', 'documents'],
          backbone: { name: 'claude-opus-4-1', id: 'claude-opus-4-1' },
          tools: [{ name: 'Read' }, { name: 'Bash(git log, git show)' }, { name: 'mcp__files__search' }],
          policy: { permissionMode: 'plan' },
          instructions: 'You review leases.',
          runtime: { kind: 'claude-subagent', file: '/repo/.claude/agents/lease.md' },
          details: { color: 'green' },
        },
      ],
      servers: [],
      problems: [],
    })
  })

  test.each([
    {
      why: 'no tools line means every tool',
      line: 'color: red',
      tools: [],
      details: { tools: 'every tool of the host' },
    },
    { why: 'a list is as good as commas', line: 'tools: [Read, Grep, Read]', tools: ['Read', 'Grep'] },
    { why: 'a star means every tool', line: "tools: '*'", tools: [] },
  ])('lists tools $tools: $why', ({ line, tools, details }) => {
    const [card] = claudeSubagent.read(
      documentFromText('a.md', `---\nname: a\ndescription: b\n${line}\n---\nc`),
    ).cards
    expect(card).toMatchObject({ tools: tools.map((name) => ({ name })), ...(details && { details }) })
  })

  test.each(['inherit', ''])('has no backbone when the model is "%s"', (model) => {
    const [card] = claudeSubagent.read(
      documentFromText('a.md', `---\nname: a\ndescription: b\nmodel: ${model}\n---\nc`),
    ).cards
    expect(card).toMatchObject({ backbone: null })
  })

  test('keeps the servers it defines without their secrets, and the names of those it only names', () => {
    const [card] = claudeSubagent.read(
      documentFromText(
        'a.md',
        `---
name: a
description: b
mcpServers:
  - github
  - notes:
      type: stdio
      command: npx
      args: [
        "-y", "notes"
      ]
      env: { NOTES_TOKEN: 4815162342 }
---
c`,
      ),
    ).cards
    expect(card).toMatchObject({
      servers: {
        notes: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'notes'],
          env: { NOTES_TOKEN: '\u0024{NOTES_TOKEN}' },
        },
      },
      details: { mcpServers: 'github' },
    })
  })

  test('reports a missing description of a file in an agents folder, and leaves the file out', () => {
    const incomplete = documentFromText('/x/agents/a.md', '---\nname: a\ntools: Read\n---\nPrompt', 'a.md')
    expect(claudeSubagent.recognises(incomplete)).toBe(true)
    expect(claudeSubagent.read(incomplete)).toEqual({
      cards: [],
      servers: [],
      problems: [
        expect.objectContaining({
          severity: 'error',
          file: 'a.md',
          field: 'description',
          remedy: expect.stringContaining('description:'),
        }),
      ],
    })
  })

  test.each([
    { why: 'it is a post of a blog', path: 'post.md', text: '---\ntitle: A\ndate: 2025-01-01\n---\nText' },
    { why: 'it has no front matter', path: '/agents/notes.md', text: '# Notes' },
    { why: 'it is a skill', path: '/s/SKILL.md', text: '---\nname: a\ndescription: b\n---\n' },
    { why: 'it is an agent of Copilot', path: 'a.agent.md', text: '---\nname: a\ndescription: b\n---\n' },
    { why: 'it is a command', path: '/.claude/commands/a.md', text: '---\nname: a\ndescription: b\n---\n' },
    { why: 'it is no Markdown', path: 'a.yaml', text: '---\nname: a\ndescription: b\n---\n' },
  ])('leaves a file alone when $why', ({ path, text }) => {
    expect(claudeSubagent.recognises(documentFromText(path, text))).toBe(false)
  })
})

describe('claudeSkill', () => {
  test('reads a skill, with when to use it, its licence and its author', () => {
    const text =
      '---\nname: invoices\ndescription: Writes invoices.\nwhen_to_use: After an order.\nallowed-tools: Read, Write\nlicense: MIT\nmetadata:\n  author: acme\n  version: 2\n---\n# Steps\n'
    const document = documentFromText('/skills/invoices/SKILL.md', text)
    expect(claudeSkill.recognises(document)).toBe(true)
    expect(claudeSkill.read(document)).toEqual({
      cards: [
        {
          kind: 'agent',
          agentKind: 'skill',
          name: 'invoices',
          description: 'Writes invoices.\nAfter an order.',
          examples: [],
          tags: [],
          publisher: 'acme',
          backbone: null,
          tools: [{ name: 'Read' }, { name: 'Write' }],
          policy: {},
          instructions: '# Steps',
          details: { version: '2', license: 'MIT' },
        },
      ],
      servers: [],
      problems: [],
    })
  })

  test('takes the name of the folder when there is none, and says so', () => {
    const result = claudeSkill.read(
      documentFromText('/skills/tax/SKILL.md', '---\ndescription: Does taxes.\n---\n'),
    )
    expect(result.cards).toMatchObject([{ name: 'tax' }])
    expect(result.problems).toMatchObject([{ severity: 'warning', field: 'name' }])
  })

  test('refuses a skill without description', () => {
    const result = claudeSkill.read(documentFromText('/s/SKILL.md', '---\nname: a\n---\n', 's/SKILL.md'))
    expect(result).toMatchObject({
      cards: [],
      problems: [{ severity: 'error', file: 's/SKILL.md', field: 'description' }],
    })
  })
})

describe('claudePlugin', () => {
  const manifest = {
    name: 'kitchen',
    description: 'Recipes and shopping.',
    version: '1.0.0',
    author: { name: 'Acme', email: 'a@example.com' },
    keywords: ['food'],
    repository: 'https://user:pass@example.com/kitchen?token=x',
    mcpServers: { pantry: { command: 'node', env: { KEY: 'secret' } } },
  }

  test('reads the manifest as a toolkit, without secrets', () => {
    const document = documentFromText('/kitchen/.claude-plugin/plugin.json', JSON.stringify(manifest))
    expect(claudePlugin.recognises(document)).toBe(true)
    expect(claudePlugin.read(document).cards).toEqual([
      {
        kind: 'agent',
        agentKind: 'toolkit',
        name: 'kitchen',
        description: 'Recipes and shopping.',
        examples: [],
        tags: ['food'],
        publisher: 'Acme',
        backbone: null,
        tools: [],
        policy: {},
        details: { version: '1.0.0', repository: 'https://example.com/kitchen', mcpServers: 'pantry' },
      },
    ])
  })

  test('refuses a manifest without name', () => {
    const document = documentFromText('/k/.claude-plugin/plugin.json', '{"version": "1"}')
    expect(claudePlugin.recognises(document)).toBe(true)
    expect(claudePlugin.read(document)).toMatchObject({
      cards: [],
      problems: [{ severity: 'error', field: 'name' }],
    })
  })

  test.each([
    { why: 'it lists tools', json: { name: 'a', description: 'b', tools: [] } },
    { why: 'it belongs to another program', json: { name: 'a', id: 'grafana', type: 'panel', version: '1' } },
    { why: 'it has a name only', json: { name: 'a' } },
  ])('leaves a plugin.json elsewhere alone when $why', ({ json }) => {
    expect(claudePlugin.recognises(documentFromText('/x/plugin.json', JSON.stringify(json)))).toBe(false)
  })
})

describe('copilotAgent', () => {
  const text = `---
description: Moves services to the cloud
tools: ['search', 'edit/editFiles', 'scan']
model: GPT-5
target: vscode
mcp-servers:
  scanner:
    type: local
    command: docker
    args: ['run', '--api-key', 'abc123', 'scanner:latest']
    env:
      SCAN_TOKEN: abc123
      LEVEL: debug
      REGION_KEY: \${{ secrets.REGION_KEY }}
    tools: ['scan', 'report']
---
You move services.
`

  test('reads tools of the front matter and of its servers, and takes the name of the file', () => {
    const document = documentFromText('/.github/agents/cloud-mover.agent.md', text)
    expect(copilotAgent.recognises(document)).toBe(true)
    const { cards, problems } = copilotAgent.read(document)
    expect(problems).toEqual([])
    expect(cards).toMatchObject([
      {
        agentKind: 'subagent',
        name: 'cloud-mover',
        description: 'Moves services to the cloud',
        backbone: { name: 'GPT-5', id: 'GPT-5' },
        tools: [{ name: 'search' }, { name: 'edit/editFiles' }, { name: 'scan' }, { name: 'report' }],
        policy: { target: 'vscode' },
        instructions: 'You move services.',
      },
    ])
  })

  test('keeps no secret of its servers, only the names of variables', () => {
    const result = copilotAgent.read(documentFromText('a.agent.md', text))
    expect(JSON.stringify(result)).not.toContain('abc123')
    expect(result.cards[0]).toMatchObject({
      servers: {
        scanner: {
          args: ['run', '--api-key', '\u0024{API_KEY}', 'scanner:latest'],
          env: {
            SCAN_TOKEN: '\u0024{SCAN_TOKEN}',
            LEVEL: 'debug',
            REGION_KEY: '\u0024{{ secrets.REGION_KEY }}',
          },
        },
      },
    })
  })

  test.each([
    {
      why: 'a list of entries with names',
      servers: '- name: scanner\n    command: scan\n    tools: [report]',
    },
    { why: 'a list of maps', servers: '- scanner:\n      command: scan\n      tools: [\n  report\n  ]' },
  ])('reads servers written as $why', ({ servers }) => {
    const [card] = copilotAgent.read(
      documentFromText('a.agent.md', `---\ndescription: b\nmcp-servers:\n  ${servers}\n---\nc`),
    ).cards
    expect(card).toMatchObject({
      tools: [{ name: 'report' }],
      servers: { scanner: { command: 'scan', tools: ['report'] } },
    })
  })

  test('reads the older chat modes too, and refuses an agent without description', () => {
    const document = documentFromText('plan.chatmode.md', '---\ntools: []\n---\nPlan.')
    expect(copilotAgent.recognises(document)).toBe(true)
    expect(copilotAgent.read(document)).toMatchObject({
      cards: [],
      problems: [{ severity: 'error', field: 'description' }],
    })
  })
})
