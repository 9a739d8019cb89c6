import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import { compactSchema } from '../../src/server/forms/input-schema.ts'

const published: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Arguments',
  type: 'object',
  properties: {
    description: { type: 'string', description: 'A property may be called like a keyword.' },
    place: { $ref: '#/$defs/Place', description: 'Where' },
    tags: { type: 'array', items: { type: 'string', description: 'One tag' } },
  },
  required: ['description', 'place'],
  additionalProperties: false,
  $defs: {
    Place: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { $ref: '#/$defs/Zip' } },
      required: ['city'],
    },
    Zip: { type: 'string', pattern: '^\\d+$' },
  },
}

test.each([
  {
    level: 'whole' as const,
    why: 'only what no caller obeys is gone',
    expected: { schema: withoutKeys(published, ['$schema', 'title']), cuts: [] },
  },
  {
    level: 'undescribed' as const,
    why: 'a property called description stays, the keyword goes',
    expected: {
      schema: {
        type: 'object',
        properties: {
          description: { type: 'string' },
          place: { $ref: '#/$defs/Place' },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['description', 'place'],
        additionalProperties: false,
        $defs: published.$defs,
      },
      cuts: ['descriptions'],
    },
  },
  {
    level: 'required' as const,
    why: 'optional properties go at every depth, and the definition that only they used',
    expected: {
      schema: {
        type: 'object',
        properties: { description: { type: 'string' }, place: { $ref: '#/$defs/Place' } },
        required: ['description', 'place'],
        additionalProperties: false,
        $defs: { Place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
      },
      cuts: ['descriptions', 'optional'],
    },
  },
  {
    level: 'shallow' as const,
    why: 'names and types remain',
    expected: {
      schema: {
        type: 'object',
        properties: { description: { type: 'string' }, place: {} },
        required: ['description', 'place'],
      },
      cuts: ['descriptions', 'optional', 'nested'],
    },
  },
])('$level: $why', ({ level, expected }) => {
  expect(compactSchema(published, level)).toEqual(expected)
})

test('definitions that refer to each other in a circle are kept while they are used', () => {
  const circle: JsonObject = {
    type: 'object',
    properties: { node: { $ref: '#/definitions/a~1b' } },
    definitions: {
      'a/b': { properties: { next: { $ref: '#/definitions/c' } } },
      c: { properties: { back: { $ref: '#/definitions/a~1b' } } },
      unused: {},
    },
  }
  expect(Object.keys(compactSchema(circle, 'whole').schema.definitions as object)).toEqual(['a/b', 'c'])
})

test('a schema nested without end is cut and says so', () => {
  let deep: JsonObject = { type: 'string' }
  for (let depth = 0; depth < 5_000; depth += 1)
    deep = { type: 'array', items: deep, anyOf: [[deep]] as never }
  const { schema, cuts } = compactSchema({ type: 'object', properties: { deep } }, 'whole')
  expect(cuts).toEqual(['nested'])
  expect(JSON.stringify(schema).length).toBeLessThan(5_000_000)
})

function withoutKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}
