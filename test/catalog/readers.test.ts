import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readers, recognise, unknownFormat } from '../../src/catalog/readers.ts'
import { documentFromText } from '../../src/catalog/source-document.ts'
import { samples } from './samples.ts'

test('readers have names of their own, in kebab-case, and say what they read', () => {
  const names = readers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, describes } of readers) {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(describes).toMatch(/^\S.*[^.\s]$/)
  }
})

test('each reader has a sample', () => {
  expect([...new Set(samples.map(({ reader }) => reader))].sort()).toEqual(
    readers.map(({ name }) => name).sort(),
  )
})

describe.each(samples)('$path', ({ path, text, reader, gives }) => {
  test(`is claimed by ${reader} alone`, () => {
    const document = documentFromText(path, text)
    expect(recognise(document)?.name).toBe(reader)
    expect(readers.filter((each) => each.recognises(document)).map(({ name }) => name)).toEqual([reader])
  })

  test(`gives ${gives}`, () => {
    const document = documentFromText(path, text)
    const { cards, servers, problems } = recognise(document)!.read(document)
    const counts = { cards: cards.length, servers: servers.length, problems: problems.length }
    const nothing = { cards: 0, servers: 0, problems: 0 }
    const [, number = '0', what = ''] = /^(\d+) (\w+)$/.exec(gives) ?? []
    expect(counts).toEqual({ ...nothing, [what]: Number(number) })
  })
})

/** Whatever is in a document, every reader answers, and what it answers can be stored and shown. */
function everyReaderAnswers(path: string, text: string): void {
  const document = documentFromText(path, text, 'some file')
  for (const reader of readers) {
    expect(typeof reader.recognises(document)).toBe('boolean')
    const { cards, servers, problems } = reader.read(document)
    for (const card of cards) {
      expect(card.name).not.toBe('')
      expect(card.key ?? 'x').not.toBe('')
      expect(JSON.parse(JSON.stringify(card))).toMatchObject({ kind: card.kind, name: card.name })
    }
    for (const { name, launch } of servers) {
      expect(typeof name).toBe('string')
      expect(['stdio', 'http', 'sse']).toContain(launch.transport)
    }
    for (const { file, message, remedy } of problems) {
      expect(file).toBe('some file')
      expect(message).not.toBe('')
      expect(remedy).not.toBe('')
    }
  }
  expect(unknownFormat(document).remedy).not.toBe('')
}

const paths = fc.constantFrom(
  ...new Set(samples.map(({ path }) => path)),
  '/x/a.json',
  '/x/a.jsonl',
  '/x/a.yaml',
  '/x/a.md',
)

describe('no reader ever throws', () => {
  test('on any JSON', () => {
    fc.assert(
      fc.property(paths, fc.jsonValue(), (path, value) => everyReaderAnswers(path, JSON.stringify(value))),
      { numRuns: 150 },
    )
  })

  test('on any text', () => {
    fc.assert(fc.property(paths, fc.string({ unit: 'grapheme' }), everyReaderAnswers), { numRuns: 150 })
  })

  test('on samples with values replaced or removed', () => {
    const odd = fc.oneof(
      fc.constantFrom(
        null,
        0,
        -1,
        true,
        '',
        ' ',
        '__proto__',
        [],
        {},
        [[]],
        [null],
        { $ref: '#' },
        { $ref: '#/paths' },
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const jsonSamples = samples.flatMap(({ path, text }) => {
      const value = documentFromText(path, text).json() ?? documentFromText(path, text).yaml()
      return typeof value === 'object' && value !== null ? [{ path, value }] : []
    })
    expect(jsonSamples.length).toBeGreaterThan(10)
    fc.assert(
      fc.property(fc.constantFrom(...jsonSamples), fc.nat(), odd, ({ path, value }, place, replacement) => {
        everyReaderAnswers(path, JSON.stringify(mutated(value, place, replacement)))
      }),
      { numRuns: 600 },
    )
  })

  test('on samples that are cut or have characters replaced', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(),
        fc.nat(),
        fc.string(),
        ({ path, text }, start, length, put) => {
          const at = start % (text.length + 1)
          everyReaderAnswers(path, text.slice(0, at) + put + text.slice(at + (length % 40)))
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([
    { what: 'schemas nested deeper than is read', levels: 5_000 },
    { what: 'schemas nested as deep as is read', levels: 480 },
  ])('on $what', ({ levels }) => {
    const schema = `${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`
    const texts = [
      `[{"name":"a","parameters":{"type":"object","items":${schema}}}]`,
      `[{"type":"function","name":"a","parameters":{"default":${schema}}}]`,
      `{"id":"a_tool_0","documentation":{"name":"a","parameters":${schema}}}`,
      `[{"config":{"mcpServers":{}},"tools":{"a":{"tools":[{"name":"b","inputSchema":${schema}}]}}}]`,
      `{"openapi":"3.0.0","paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":${schema}}}}}}}}`,
    ]
    for (const text of texts) for (const path of ['/x/a.json', '/x/a.jsonl']) everyReaderAnswers(path, text)
  })

  test.each([
    { what: 'deeply nested lists', text: '['.repeat(50_000) + ']'.repeat(50_000) },
    { what: 'deeply nested objects', text: `${'{"name":'.repeat(20_000)}1${'}'.repeat(20_000)}` },
    {
      what: 'references that turn in circles',
      text: '{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/paths/~1a"},"/b":{"get":{"parameters":[{"$ref":"#/components/a"}]}}},"components":{"a":{"$ref":"#/components/b"},"b":{"$ref":"#/components/a"}}}',
    },
    {
      what: 'a key that is called __proto__',
      text: '{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"y"}}}',
    },
  ])('on $what', ({ text }) => {
    for (const path of ['/x/a.json', '/x/.mcp.json']) everyReaderAnswers(path, text)
  })
})

/** A copy in which the value at one place, counted depth first, is another. */
function mutated(value: unknown, place: number, replacement: unknown): unknown {
  let left = place % (placesIn(value) + 1)
  const visit = (current: unknown): unknown => {
    if (left === 0) {
      left = -1
      return replacement
    }
    left -= 1
    if (Array.isArray(current)) return current.map(visit)
    if (typeof current !== 'object' || current === null) return current
    return Object.fromEntries(Object.entries(current).map(([key, inner]) => [key, visit(inner)]))
  }
  return visit(value)
}

const placesIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 1
    : 1 + Object.values(value).reduce((sum: number, inner) => sum + placesIn(inner), 0)

describe('a document of no known format', () => {
  test('is told which formats are known', () => {
    const document = documentFromText('/x/notes.md', '# Notes', 'notes.md')
    expect(recognise(document)).toBeUndefined()
    expect(unknownFormat(document)).toEqual({
      severity: 'error',
      file: 'notes.md',
      message: 'the format is not known',
      remedy: expect.stringMatching(
        /^Known formats:\n- [\s\S]*\n- OpenAPI[\s\S]*\n- A2A[\s\S]*\n- MCP servers of hosts/,
      ),
    })
  })

  test.each([
    { text: '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}', field: 'line 3' },
    { text: '{\n  "mcpServers": {}', field: 'line 2' },
    { text: '', field: 'line 1' },
  ])('is told where its JSON breaks: $text', ({ text, field }) => {
    const document = documentFromText('/x/.mcp.json', text, '.mcp.json')
    expect(recognise(document)).toBeUndefined()
    expect(unknownFormat(document)).toMatchObject({
      severity: 'error',
      file: '.mcp.json',
      field,
      message: expect.stringContaining(field),
    })
  })
})
