import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frontMatterOf } from '../../src/catalog/formats/markdown-agent.ts'
import { withRealLineBreaks } from '../../src/catalog/formats/example-dialogues.ts'
import { documentFromText } from '../../src/catalog/source-document.ts'

const split = (text: string) => frontMatterOf(documentFromText('/agents/a.md', text, 'a.md'))

describe('frontMatterOf', () => {
  test('splits fields from the text after them', () => {
    expect(split('---\r\nname: cook\r\ntools: [Read]\r\n---\r\n\r\nYou cook.\r\n')).toEqual({
      fields: { name: 'cook', tools: ['Read'] },
      body: 'You cook.',
      problems: [],
    })
  })

  test('a line of dashes inside the text is not the end of the file', () => {
    expect(split('---\nname: a\n---\nabove\n---\nbelow')?.body).toBe('above\n---\nbelow')
  })

  test.each(['# Title', '', 'text\n---\nname: a\n---'])(
    'gives null for %j: there is no front matter',
    (text) => {
      expect(split(text)).toBeNull()
    },
  )

  test('recovers an unquoted description that holds a colon, and says where', () => {
    const matter = split(
      '---\nname: planner\ndescription: Plans trips: by rail, by sea\ntools: Read, Grep\n---\nBody',
    )
    expect(matter?.fields).toEqual({
      name: 'planner',
      description: 'Plans trips: by rail, by sea',
      tools: 'Read, Grep',
    })
    expect(matter?.problems).toEqual([
      {
        severity: 'warning',
        file: 'a.md',
        field: 'description (line 3)',
        message: '"description" is not valid YAML; it was read as plain text',
        remedy: expect.stringContaining('quotes'),
      },
    ])
  })

  test('keeps what is good YAML beside the broken field: lists, blocks, quoted text', () => {
    const text =
      '---\ntools:\n  - Read\n  - Bash\ndescription: a: b\nnote: |\n  one\n  two\nmodel: "opus"\n---\n'
    expect(split(text)?.fields).toEqual({
      tools: ['Read', 'Bash'],
      description: 'a: b',
      note: 'one\ntwo\n',
      model: 'opus',
    })
  })

  test('does not take the lines of an example dialogue for fields', () => {
    const text =
      '---\nname: tester\ndescription: Runs tests: all of them\n<example>\nuser: "Test this"\nassistant: "On it"\n</example>\nmodel: haiku\n---\n'
    const fields = split(text)?.fields
    expect(Object.keys(fields ?? {})).toEqual(['name', 'description', 'model'])
    expect(fields?.description).toContain('user: "Test this"')
  })

  test('reads a list whose closing bracket stands below its key, and what comes after it', () => {
    const text = `---
name: porter
mcp-servers:
  scales:
    type: 'local'
    command: 'docker'
    args: [
      'run', # with "quotes]" and brackets
      '--label', 'a ] b',
      {
        deep: [1,
        2]
      }
    ]
    env:
      NOTE: 'not [open'
      TEXT: |
        [ left open
      KEY: '\${POST_KEY}'
    tools: [
    "weigh"
    ]
description: Weighs
---
Body`
    expect(split(text)).toEqual({
      fields: {
        name: 'porter',
        'mcp-servers': {
          scales: {
            type: 'local',
            command: 'docker',
            args: ['run', '--label', 'a ] b', { deep: [1, 2] }],
            env: { NOTE: 'not [open', TEXT: '[ left open\n', KEY: '\u0024{POST_KEY}' },
            tools: ['weigh'],
          },
        },
        description: 'Weighs',
      },
      body: 'Body',
      problems: [],
    })
  })

  test.each([' ', 'a ', '- ', '"', '[', 'a\t: '])('a long text of %j is read in a moment', (part) => {
    expect(split(`---\na: [\n]\n${part.repeat(200_000)}x\n---\n`)).toBeDefined()
  })

  test('a bracket that never closes is told as before', () => {
    expect(split('---\nname: a\ntools: [\n"x"\nmodel: b\n---\n')?.problems).toMatchObject([
      { severity: 'warning', field: 'tools (line 3)' },
    ])
  })

  test.each([
    { why: 'nothing in it is a field', text: '---\n{ broken\n---\nBody', message: 'not YAML' },
    { why: 'it never ends', text: '---\nname: a\n', message: 'closing' },
  ])('gives an error when $why', ({ text, message }) => {
    const matter = split(text)
    expect(matter?.fields).toEqual({})
    expect(matter?.problems[0]).toMatchObject({ severity: 'error', file: 'a.md' })
    expect(matter?.problems[0]?.message).toContain(message)
  })

  test('recovers any one-line value behind a key, with one warning at most', () => {
    const value = fc
      .string({ minLength: 1 })
      .map((text) => text.replace(/[\r\n\u0085\u2028\u2029]/g, ' ').trim())
    fc.assert(
      fc.property(value, (text) => {
        const matter = split(`---\nname: x\ndescription: see: ${text}\n---\nBody`)
        expect(matter?.fields.name).toBe('x')
        expect(matter?.body).toBe('Body')
        expect(matter?.fields).toHaveProperty('description')
        expect(matter?.problems.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('never throws', () => {
    const lines = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('---', 'a: b', '- x', '  y', '__proto__: z', 'a: |')),
    )
    fc.assert(fc.property(lines, (parts) => void split(['---', ...parts].join('\n'))))
  })
})

test.each([
  { why: 'somebody escaped twice', text: 'One.\\n\\nTwo \\"quoted\\"', expected: 'One.\n\nTwo "quoted"' },
  { why: 'a colon stands before it', text: 'Such as:\\n- a', expected: 'Such as:\n- a' },
  { why: 'it is the path of a drive', text: 'Reads C:\\new', expected: 'Reads C:\\new' },
  { why: 'there is none', text: 'A regular \\d+ expression', expected: 'A regular \\d+ expression' },
])('withRealLineBreaks gives $expected when $why', ({ text, expected }) => {
  expect(withRealLineBreaks(text)).toBe(expected)
})
