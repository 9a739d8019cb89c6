import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parametersOf, typeWord } from '../../src/catalog/formats/parameters.ts'

const names = (schema: unknown, root?: unknown) =>
  parametersOf(schema, root ?? schema).map((parameter) => parameter.name)

describe('parametersOf', () => {
  test('lists properties with type, description and required mark, in the published order', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', description: ' The city. ' },
        days: { type: ['integer', 'null'] },
      },
      required: ['city'],
    }
    expect(parametersOf(schema)).toEqual([
      { name: 'city', description: 'The city.', type: 'string', required: true },
      { name: 'days', description: '', type: 'integer', required: false },
    ])
  })

  test('names members of objects and of objects in arrays with dots, outer inputs first', () => {
    const schema = {
      properties: {
        address: { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] },
        lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      },
    }
    expect(parametersOf(schema)).toEqual([
      { name: 'address', description: '', type: 'object', required: false },
      { name: 'lines', description: '', type: 'object[]', required: false },
      { name: 'address.street', description: '', type: 'string', required: true },
      { name: 'lines.sku', description: '', type: 'string', required: false },
    ])
  })

  test('stops at four names deep', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { properties: { a: nested(depth - 1) } }
    expect(names(nested(9))).toEqual(['a', 'a.a', 'a.a.a', 'a.a.a.a'])
  })

  test.each([
    {
      why: 'a short enumeration is spelled out',
      property: { type: 'string', description: 'Unit', enum: ['metric', 'imperial'] },
      expected: 'Unit. One of: metric, imperial.',
    },
    {
      why: 'the description already says it',
      property: { description: 'Either metric or imperial', enum: ['metric', 'imperial'] },
      expected: 'Either metric or imperial',
    },
    {
      why: 'a long enumeration would drown the description',
      property: { description: 'Zone', enum: Array.from({ length: 60 }, (_, i) => `zone-${i}`) },
      expected: 'Zone',
    },
    {
      why: 'constants of alternatives are an enumeration',
      property: { oneOf: [{ const: 1 }, { const: 2 }] },
      expected: 'One of: 1, 2.',
    },
    { why: 'the whole schema is a description', property: 'Name of the city', expected: 'Name of the city' },
    { why: 'the whole schema is a type', property: 'string', expected: '' },
  ])('describes a property as "$expected" when $why', ({ property, expected }) => {
    expect(parametersOf({ properties: { x: property } })[0]?.description).toBe(expected)
  })

  test.each([
    ['dict', 'object'],
    ['float', 'number'],
    ['STRING', 'string'],
    ['str', 'string'],
    ['Integer', 'integer'],
    ['HashMap', 'HashMap'],
  ])('calls the type %s %s', (published, expected) => {
    expect(typeWord(published)).toBe(expected)
  })

  test('follows local references and reads a reference of another document as nothing', () => {
    const schema = {
      properties: { to: { $ref: '#/$defs/a~1b' }, from: { $ref: 'https://example.com/x' } },
      $defs: { 'a/b': { type: 'object', properties: { city: { type: 'string' } } } },
    }
    expect(names(schema)).toEqual(['to', 'from', 'to.city'])
  })

  test('follows references into the document it is given', () => {
    const document = { components: { schemas: { Pet: { properties: { tag: { type: 'string' } } } } } }
    expect(names({ $ref: '#/components/schemas/Pet' }, document)).toEqual(['tag'])
  })

  test('goes around a circle of references once', () => {
    const schema = { properties: { value: { type: 'string' }, next: { $ref: '#' } } }
    expect(names(schema)).toEqual(['value', 'next', 'next.value', 'next.next'])
  })

  test('unites allOf with its requirements and alternatives without theirs', () => {
    const schema = {
      allOf: [{ properties: { a: {} }, required: ['a'] }],
      anyOf: [{ properties: { b: {} }, required: ['b'] }],
    }
    expect(parametersOf(schema).map(({ name, required }) => [name, required])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  test('gives up on a schema that multiplies instead of hanging', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `d${i}`,
        { allOf: Array.from({ length: 4 }, () => ({ $ref: `#/$defs/d${i + 1}` })) },
      ]),
    )
    expect(parametersOf({ properties: { x: { $ref: '#/$defs/d0' } }, $defs })).toHaveLength(1)
    const wide = { properties: Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`p${i}`, {}])) }
    expect(parametersOf(wide)).toHaveLength(256)
  })

  test('never throws, whatever it is given', () => {
    const schemaLike = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.record(
          {
            type: fc.jsonValue(),
            properties: fc.dictionary(fc.string(), tie('node')),
            items: tie('node'),
            required: fc.jsonValue(),
            enum: fc.jsonValue(),
            $ref: fc.constantFrom('#', '#/properties/a', '#/%', '', '#//'),
            allOf: fc.array(tie('node'), { maxLength: 3 }),
          },
          { requiredKeys: [] },
        ),
      ),
    })).node
    fc.assert(
      fc.property(schemaLike, (schema) => {
        for (const { name, required } of parametersOf(schema)) {
          expect(typeof name).toBe('string')
          expect(typeof required).toBe('boolean')
        }
      }),
    )
  })
})
