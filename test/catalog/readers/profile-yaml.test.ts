import { exportedNote } from '../../../src/compose/runtimes.ts'
import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderProfileYaml } from '../../../src/catalog/formats/capability-profile.ts'
import { profileYaml } from '../../../src/catalog/readers/profile-yaml.ts'
import { documentFromText, openDocument } from '../../../src/catalog/source-document.ts'
import type { AgentCard } from '../../../src/domain/card.ts'
import { isJsonObject, type JsonValue } from '../../../src/domain/json.ts'
import { printable, printableLine } from '../../../src/domain/text/printable.ts'

const read = (text: string) => profileYaml.read(documentFromText('/p/a.yaml', text, 'a.yaml'))

const whole = `profile: audition/v1
name: lease-reviewer
title: Lease reviewer
description: Reviews leases.
tags: [legal]
examples: ["Review this lease"]
backbone: { name: Claude Sonnet 4.5, id: anthropic/claude-sonnet-4-5 }
tools:
  - { name: read_text, description: Reads, server: text }
  - { name: search, id: web/search }
servers:
  text: { command: node, args: ["\${AUDITION_CATALOG}/servers/text.js", 3], env: { TEXT_TOKEN: "\${TEXT_TOKEN}" } }
policy: { temperature: 0.2, memory: { turns: 3 } }
instructions: |
  You review leases.
  Slowly.
`

describe('profileYaml', () => {
  test('tells each value of the policy that cannot be used, and keeps the card', () => {
    const policy = '{ temperature: hot, max_steps: -3, top_p: 7, seed: 5, max_tokens: 9 }'
    const { cards, problems } = read(whole.replace(/^policy: .*$/m, `policy: ${policy}`))
    expect(cards).toHaveLength(1)
    expect(problems).toMatchObject([
      { severity: 'warning', field: 'policy.temperature', message: expect.stringContaining('from 0 to 2') },
      { severity: 'warning', field: 'policy.max_steps', message: expect.stringContaining('from 1') },
      { severity: 'warning', field: 'policy.top_p', message: expect.stringContaining('from 0 to 1') },
    ])
  })

  test('reads backbone, tools, policy, servers and prompt', () => {
    expect(profileYaml.recognises(documentFromText('a.yaml', whole))).toBe(true)
    expect(read(whole)).toEqual({
      cards: [
        {
          kind: 'agent',
          agentKind: 'profile',
          key: 'lease-reviewer',
          name: 'lease-reviewer',
          title: 'Lease reviewer',
          description: 'Reviews leases.',
          examples: ['Review this lease'],
          tags: ['legal'],
          backbone: { name: 'Claude Sonnet 4.5', id: 'anthropic/claude-sonnet-4-5' },
          tools: [
            { name: 'read_text', description: 'Reads', id: 'text/read_text' },
            { name: 'search', id: 'web/search' },
          ],
          policy: { temperature: 0.2, memory: { turns: 3 } },
          servers: {
            text: {
              command: 'node',
              args: ['\u0024{AUDITION_CATALOG}/servers/text.js', '3'],
              env: { TEXT_TOKEN: '\u0024{TEXT_TOKEN}' },
            },
          },
          instructions: 'You review leases.\nSlowly.',
          runtime: { kind: 'profile', file: '/p/a.yaml' },
        },
      ],
      servers: [],
      problems: [],
    })
  })

  const head = 'profile: audition/v1\nname: a\ndescription: b\n'

  test.each([
    { why: 'it runs as a command', rest: 'run: { command: node, args: [agent.js] }', runnable: true },
    {
      why: 'it answers at a chat address',
      rest: 'chat: { url: https://a.test/v1, model: m, headers: { Authorization: "Bearer \u0024{KEY}" } }',
      runnable: true,
    },
    { why: 'it runs on a model', rest: 'backbone: { name: m }', runnable: true },
    { why: 'it only brings tools', rest: 'backbone: null\ntools: [{ name: t }]', runnable: false },
  ])('has a runtime: $runnable, when $why', ({ rest, runnable }) => {
    const { cards, problems } = read(`${head}${rest}\n`)
    expect(problems).toEqual([])
    expect(cards[0] !== undefined && 'runtime' in cards[0]).toBe(runnable)
  })

  test.each([
    {
      why: 'the version is not ours',
      text: whole.replace('v1', 'v9'),
      field: 'profile',
      says: 'audition/v1',
    },
    {
      why: 'the name is no key',
      text: whole.replace('lease-reviewer', 'Lease Reviewer'),
      field: 'name',
      says: 'hyphens',
    },
    {
      why: 'the description is missing',
      text: whole.replace(/^description.*\n/m, ''),
      field: 'description',
      says: 'is missing',
    },
    {
      why: 'the description is empty',
      text: whole.replace('Reviews leases.', '""'),
      field: 'description',
      says: 'is empty',
    },
    {
      why: 'a tool has no name',
      text: whole.replace('name: search, ', ''),
      field: 'tools[1].name',
      says: 'is missing',
    },
    {
      why: 'a tool names no server of ours',
      text: whole.replace('server: text', 'server: txt'),
      field: 'tools[0].server',
      says: '"txt"',
    },
    { why: 'a tag is no text', text: whole.replace('[legal]', '[1]'), field: 'tags[0]', says: 'string' },
    {
      why: 'a field is misspelt',
      text: whole.replace('instructions:', 'instruction:'),
      field: 'instruction',
      says: '"instruction"',
    },
    {
      why: 'an inner field is misspelt',
      text: whole.replace('args:', 'argv:'),
      field: 'servers.text.argv',
      says: '"argv"',
    },
    {
      why: 'a server cannot be started',
      text: whole.replace('command: node, ', ''),
      field: 'servers.text',
      says: '"command"',
    },
    {
      why: 'the policy is a list',
      text: whole.replace(/^policy.*$/m, 'policy: [1]'),
      field: 'policy',
      says: 'map',
    },
    { why: 'nothing runs it', text: head, field: 'backbone', says: '"run"' },
    {
      why: 'two things run it',
      text: `${head}backbone: { name: m }\nrun: { command: x }\n`,
      field: 'run',
      says: '"backbone"',
    },
    {
      why: 'it has a model and a chat address',
      text: `${head}backbone: { name: m }\nchat: { url: https://a.test/v1, model: m }\n`,
      field: 'chat',
      says: '"backbone"',
    },
    {
      why: 'it has a command and a chat address',
      text: `${head}run: { command: x }\nchat: { url: https://a.test/v1, model: m }\n`,
      field: 'run',
      says: '"chat"',
    },
    {
      why: 'the chat address is a file',
      text: `${head}chat: { url: file:///etc/passwd, model: m }\n`,
      field: 'chat.url',
      says: 'https://',
    },
    {
      why: 'the chat address names no model',
      text: `${head}chat: { url: https://a.test/v1 }\n`,
      field: 'chat.model',
      says: 'is missing',
    },
  ])('refuses a profile when $why, naming $field', ({ text, field, says }) => {
    const { cards, problems } = read(text)
    expect(cards).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ severity: 'error', file: 'a.yaml', field })
    expect(problems[0]?.message).toContain(says)
    expect(problems[0]?.remedy).toMatch(/\S/)
  })

  test('says where the YAML is broken', () => {
    const { problems } = read(`${head}title: a: b\n`)
    expect(problems).toMatchObject([{ severity: 'error', message: expect.stringContaining('line 4') }])
  })

  const shaped = 'ghp_abcdefghijklmnopqrstuvwx0123456789'
  test.each([
    { why: 'an environment holds one', from: '"\u0024{TEXT_TOKEN}"', field: 'servers.text.env.TEXT_TOKEN' },
    { why: 'an argument holds one', from: '3', field: 'servers.text.args[1]' },
    {
      why: 'it follows a flag and has no shape',
      from: '3',
      field: 'servers.text.args[2]',
      secret: 'hunter2',
      flag: '--api-key, ',
    },
  ])('refuses a secret and never repeats it, when $why', ({ from, field, secret = shaped, flag = '' }) => {
    const { cards, problems } = read(whole.replace(from, `${flag}${secret}`))
    expect(cards).toEqual([])
    expect(problems).toMatchObject([{ severity: 'error', field }])
    expect(JSON.stringify(problems)).not.toContain(secret)
  })

  test.each([
    {
      field: 'chat.headers.X-Api-Key',
      fields: '{ url: https://a.test/v1, model: m, headers: { X-Api-Key: hunter22 } }',
    },
    { field: 'chat.url', fields: '{ url: "https://me:hunter22@a.test/v1", model: m }' },
  ])('refuses a secret in $field and never repeats it', ({ field, fields }) => {
    const { cards, problems } = read(`${head}chat: ${fields}\n`)
    expect(cards).toEqual([])
    expect(problems).toMatchObject([{ severity: 'error', field }])
    expect(JSON.stringify(problems)).not.toContain('hunter22')
  })

  test('an agent at a chat address keeps neither address nor headers in its card', () => {
    const { cards } = read(`${head}chat: { url: https://a.test/v1, model: m }\n`)
    expect(cards).toMatchObject([{ backbone: null, runtime: { kind: 'openai-chat', file: '/p/a.yaml' } }])
    expect(JSON.stringify(cards)).not.toContain('a.test')
  })

  test.each([
    { path: 'a.md', text: whole },
    { path: 'a.yaml', text: 'name: a\nprofiles: [audition/v1]\n' },
  ])('leaves $path alone: it is no profile', ({ path, text }) => {
    expect(profileYaml.recognises(documentFromText(path, text))).toBe(false)
  })

  const bundled = new URL('../../../catalog/profiles/', import.meta.url)
  test('reads every profile of the bundled catalog without a problem', () => {
    const files = readdirSync(bundled).filter((name) => name.endsWith('.yaml'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const document = openDocument(new URL(file, bundled).pathname, file)
      expect(profileYaml.recognises(document)).toBe(true)
      expect(profileYaml.read(document)).toMatchObject({
        problems: [],
        cards: [{ key: file.replace('.yaml', '') }],
      })
    }
  })
})

describe('renderProfileYaml', () => {
  const card: AgentCard = {
    kind: 'agent',
    agentKind: 'subagent',
    id: 'repo/leaseReviewer',
    source: 'repo',
    name: 'leaseReviewer',
    description: 'Reviews leases.',
    examples: ['Review: this'],
    tags: ['legal'],
    backbone: { name: 'sonnet' },
    tools: [{ name: 'Read' }, { name: 'read_text', id: 'text/read_text' }, { name: 'find', id: 'web/find' }],
    policy: { temperature: 0 },
    servers: { text: { command: 'node', args: ['text.js'] }, broken: { note: 'cannot be started' } },
    instructions: 'You review.\n\nSlowly.',
    provenance: { reader: 'claude-subagent', location: '/repo/.claude/agents/lease.md' },
  }

  test('writes any agent as a profile with a key, in a fixed order', () => {
    expect(renderProfileYaml(card)).toBe(`# repo/leaseReviewer, read from /repo/.claude/agents/lease.md
profile: audition/v1
name: lease-reviewer
title: leaseReviewer
description: Reviews leases.
tags:
  - legal
examples:
  - 'Review: this'
backbone:
  name: sonnet
tools:
  - name: Read
  - name: read_text
    server: text
  - name: find
    id: web/find
servers:
  text:
    command: node
    args:
      - text.js
policy:
  temperature: 0
instructions: |-
  You review.

  Slowly.
`)
  })

  test('says that the command of an agent stands in its own file, and how it is run', () => {
    const commandAgent: AgentCard = {
      ...card,
      backbone: null,
      runtime: { kind: 'profile', file: '/p/a.yaml' },
    }
    expect(renderProfileYaml(commandAgent, exportedNote(commandAgent))).toContain(
      '# Its command stands in that file and not here: it runs by its id, with probe_agent or `audition run`.\n',
    )
  })

  test('says that the chat address of an agent stands in its own file, and how it is run', () => {
    const chatAgent: AgentCard = { ...card, runtime: { kind: 'openai-chat', file: '/p/a.yaml' } }
    expect(renderProfileYaml(chatAgent, exportedNote(chatAgent))).toContain(
      '# Its chat address stands in that file and not here: it runs by its id, with probe_agent or `audition run`.\n',
    )
  })

  test('what a profile says survives being read, written and read again', () => {
    const [draft] = read(whole).cards
    if (draft?.kind !== 'agent') throw new Error('expected an agent')
    const again = read(renderProfileYaml({ ...card, ...draft, id: 'p/lease-reviewer' }))
    expect(again).toEqual({ cards: [draft], servers: [], problems: [] })
  })

  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('yes', '1', '- a', 'a: b', '# x', '', ' ', '日本'),
  )
  const command = fc.record({
    command: fc.constant('node'),
    args: fc.array(fc.constantFrom('a.js', '', ': ', '0')),
  })
  const agents = fc.record({
    name: word,
    description: word,
    title: word,
    examples: fc.array(word, { maxLength: 3 }),
    tags: fc.array(word, { maxLength: 3 }),
    backbone: fc.option(fc.record({ name: word, id: word, description: word })),
    tools: fc.array(fc.record({ name: word, description: word, id: word }), { maxLength: 3 }),
    policy: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>, {
      maxKeys: 3,
    }),
    servers: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), command, { maxKeys: 2 }),
    instructions: word,
  })

  test('any agent survives being written and read, but for hidden characters and blank edges', () => {
    const tidy = (text: string) => printable(text).trim()
    const kept = (texts: readonly string[]) => texts.map(tidy).filter((text) => text !== '')
    const shown = (value: unknown): unknown =>
      typeof value === 'string'
        ? printable(value)
        : Array.isArray(value)
          ? value.map(shown)
          : isJsonObject(value)
            ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [printable(key), shown(inner)]))
            : value
    fc.assert(
      fc.property(agents, (fields) => {
        const { cards, problems } = read(renderProfileYaml({ ...card, ...fields }))
        expect(problems).toEqual([])
        const [again] = cards
        if (again?.kind !== 'agent') throw new Error('expected an agent')
        if (tidy(fields.description) !== '') expect(again.description).toBe(tidy(fields.description))
        expect(again.examples).toEqual(kept(fields.examples))
        expect(again.tags).toEqual(kept(fields.tags))
        expect(again.backbone?.name ?? '').toBe(printableLine(fields.backbone?.name ?? ''))
        expect(again.tools.map(({ name }) => name)).toEqual(
          fields.tools.map(({ name }) => printableLine(name)).filter((name) => name !== ''),
        )
        expect(again.policy).toEqual(shown(fields.policy))
        expect(again.servers ?? {}).toEqual(fields.servers)
        expect(again.instructions ?? '').toBe(tidy(fields.instructions))
      }),
      { numRuns: 300 },
    )
  })
})
