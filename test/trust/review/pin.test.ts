import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pinOf, textPinOf } from '../../../src/trust/review/pin.ts'
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const server = { launch: 'stdio serve notes', name: 'notes', version: '1' }

const card = (fields: Partial<ToolCard> = {}): ToolCard => ({
  ...toolCard('notes/read', {
    description: 'Reads a note.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    runtime: { kind: 'mcp', transport: 'stdio', config: '/a.json', server: 'notes', display: 'serve notes' },
  }),
  ...fields,
})

/** Every object's keys in another order. */
const turned = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, turned(one)]),
  )
}

describe('a pin', () => {
  test.each<{ why: string; change: Partial<ToolCard> }>([
    { why: 'the id', change: { id: 'other/read', source: 'other' } },
    { why: 'the file it was read from', change: { provenance: { reader: 'x', location: '/b.json' } } },
    { why: 'our flags', change: { flags: [] } },
    { why: 'the name of the entry', change: { server: 'mine' } },
    { why: 'white space of prose', change: { description: ' Reads\n\ta  note. ' } },
  ])('does not count $why', ({ change }) => {
    expect(pinOf(card(change), server)).toBe(pinOf(card(), server))
  })

  test.each<{ why: string; change: Partial<ToolCard> }>([
    { why: 'the name', change: { name: 'Read' } },
    { why: 'a title', change: { title: 'Read' } },
    { why: 'a letter of the description', change: { description: 'Reads a note!' } },
    { why: 'a space without break', change: { description: 'Reads a\u00a0note.' } },
    { why: 'an example', change: { examples: ['read it'] } },
    { why: 'a tag', change: { tags: ['safe'] } },
    { why: 'the input schema', change: { inputSchema: { type: 'object' } } },
    { why: 'the output schema', change: { outputSchema: { type: 'object' } } },
    { why: 'an annotation', change: { annotations: { readOnly: true } } },
    { why: 'white space of a value', change: { inputSchema: { type: 'object', const: 'a  b' } } },
  ])('counts $why', ({ change }) => {
    expect(pinOf(card(change), server)).not.toBe(pinOf(card(), server))
  })

  test('counts how the server is started and what it calls itself, not its version', () => {
    const pin = pinOf(card(), server)
    expect(pinOf(card(), { ...server, version: '2' })).toBe(pin)
    expect(pinOf(card(), { ...server, name: 'other' })).not.toBe(pin)
    expect(pinOf(card(), { ...server, launch: 'stdio serve other' })).not.toBe(pin)
  })

  test('is the same whatever the order of keys, and another for another schema', () => {
    const schemas = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>
    fc.assert(
      fc.property(schemas, fc.string({ minLength: 1 }), (schema, extra) => {
        const pin = pinOf(card({ inputSchema: schema }), server)
        expect(pinOf(card({ inputSchema: turned(schema) as JsonObject }), server)).toBe(pin)
        const more = { ...schema, added: [extra, 'and this'] }
        expect(pinOf(card({ inputSchema: more }), server)).not.toBe(pin)
      }),
    )
  })

  test('of any two texts is the same only when they differ in ASCII white space', () => {
    const tidy = (text: string) => text.replace(/[ \t\r\n]+/g, ' ').trim()
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const equal = pinOf(card({ description: a }), server) === pinOf(card({ description: b }), server)
        expect(equal).toBe(tidy(a) === tidy(b))
      }),
    )
  })

  test('of a text is that of the card without its name', () => {
    expect(textPinOf(card({ name: 'open', title: 'Open' }))).toBe(textPinOf(card()))
    expect(textPinOf(card({ description: 'Opens a note.' }))).not.toBe(textPinOf(card()))
  })

  test('of an agent on this machine does not count where its file lies, and of a remote one counts its address', () => {
    const local = (file: string) => agentCard('a/b', { runtime: { kind: 'claude-subagent', file } })
    const remote = (url: string) =>
      agentCard('a/b', { runtime: { kind: 'a2a', url, binding: 'JSONRPC', protocolVersion: '1.0' } })
    expect(pinOf(local('/a.md'), undefined)).toBe(pinOf(local('/b.md'), undefined))
    expect(pinOf(remote('https://a.example'), undefined)).not.toBe(
      pinOf(remote('https://b.example'), undefined),
    )
  })
})
