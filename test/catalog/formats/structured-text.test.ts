import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pythonLiteral, structuredText } from '../../../src/catalog/formats/structured-text.ts'

const card = { name: 'read_cell', required: true, default: null, sizes: [1, 2.5] }

describe('structuredText', () => {
  test.each([
    { why: 'JSON', text: JSON.stringify(card), value: card },
    { why: 'JSON written as a JSON string', text: JSON.stringify(JSON.stringify(card)), value: card },
    {
      why: 'JSON written twice more',
      text: JSON.stringify(JSON.stringify(JSON.stringify(card))),
      value: card,
    },
    {
      why: 'a Python dict',
      text: "{'name': 'read_cell', 'required': True, 'default': None, 'sizes': [1, 2.5]}",
      value: card,
    },
    { why: 'a Python dict in a JSON string', text: JSON.stringify("{'a': False}"), value: { a: false } },
    { why: 'a dict over several lines', text: "{\n 'a': 1,\n 'b': (1, 2,),\n}", value: { a: 1, b: [1, 2] } },
    {
      why: 'a dict with an apostrophe',
      text: `{'a': "it's", 'b': 'say "x"'}`,
      value: { a: "it's", b: 'say "x"' },
    },
    { why: 'escapes', text: "{'a': 'one\\ntwo\\x41\\u00e9\\'s'}", value: { a: "one\ntwoAé's" } },
    { why: 'neighbouring strings', text: "{'a': 'one '\n 'two'}", value: { a: 'one two' } },
    { why: 'a set', text: "{'a', 'b'}", value: ['a', 'b'] },
    { why: 'a number as a key', text: "{1: 'a'}", value: { '1': 'a' } },
  ])('reads $why', ({ text, value }) => {
    expect(structuredText(text)).toEqual(value)
  })

  test.each([
    'Merges PDF files.',
    '[REQUIRED] the id of the cell',
    '{city} is replaced by the name',
    '"quoted" words, and more',
    "{'a': __import__('os').system('true')}",
    "{'a': 1",
    "{'a': 1} and more",
    '',
    'true',
    '3',
  ])('leaves a plain text alone: %s', (text) => {
    expect(structuredText(text)).toBeUndefined()
  })

  test('does not follow endless nesting', () => {
    expect(structuredText('['.repeat(100_000))).toBeUndefined()
    expect(structuredText(`${'('.repeat(5000)}${')'.repeat(5000)}`)).toBeUndefined()
  })
})

/** As Python's `repr` writes it. */
const repr = (value: unknown): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  return `{${Object.entries(value as object)
    .map(([key, inner]) => `${repr(key)}: ${repr(inner)}`)
    .join(', ')}}`
}

test('what Python prints of a value is read as that value', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(json, (value) => {
      const plain = JSON.parse(JSON.stringify(value))
      expect(JSON.stringify(pythonLiteral(repr(plain)))).toBe(JSON.stringify(plain))
    }),
  )
})

test('any text at all gives a value or nothing, and never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void pythonLiteral(text)))
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...`{}[]()'",:\\xuTrueNone1 `) }),
      (text) => void structuredText(text),
    ),
  )
})
