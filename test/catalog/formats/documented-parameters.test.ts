import { describe, expect, test } from 'vitest'
import { documentedParameters } from '../../../src/catalog/formats/documented-parameters.ts'
import type { JsonObject } from '../../../src/domain/json.ts'

const city = { name: 'city', description: 'The town', type: 'string', required: true }
const days = { name: 'days', description: '', type: 'integer', required: false }

const shapes: readonly { readonly why: string; readonly documentation: JsonObject }[] = [
  {
    why: 'they are a JSON Schema',
    documentation: {
      parameters: {
        type: 'dict',
        properties: { city: { type: 'string', description: 'The town' }, days: { type: 'int' } },
        required: ['city'],
      },
    },
  },
  {
    why: 'they are a JSON Schema of an MCP tool',
    documentation: {
      inputSchema: {
        properties: { city: { type: 'string', description: 'The town' }, days: { type: 'integer' } },
        required: ['city'],
      },
    },
  },
  {
    why: 'they are a map, and a list beside it says which are required',
    documentation: {
      parameters: { city: { type: 'str', description: 'The town' }, days: { type: 'int' } },
      required: ['city'],
    },
  },
  {
    why: 'each says whether it is required',
    documentation: {
      arguments: {
        city: { type: 'string', description: 'The town', required: true },
        days: { type: 'int', required: false },
      },
    },
  },
  {
    why: 'they are listed apart by need',
    documentation: {
      required_parameters: [{ name: 'city', type: 'STRING', description: 'The town', default: 'Rome' }],
      optional_parameters: [{ name: 'days', type: 'integer', description: '' }],
    },
  },
  {
    why: 'types stand in the names',
    documentation: {
      required_arguments: { 'city (str)': 'The town', None: 'No required arguments' },
      optional_arguments: { 'days (int)': '' },
    },
  },
  {
    why: 'need and type stand in the text',
    documentation: { api_arguments: { city: '[REQUIRED] string: The town', days: '[OPTIONAL] integer: ' } },
  },
  {
    why: 'they are a list as in OpenAPI',
    documentation: {
      parameters: [
        { name: 'city', in: 'query', required: 'true', schema: { type: 'string', description: 'The town' } },
        { name: 'days', in: 'query', required: 'false', schema: { type: 'integer' } },
      ],
    },
  },
  {
    why: 'they are the body of a request',
    documentation: {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: { city: { type: 'string', description: 'The town' }, days: { type: 'integer' } },
              required: ['city'],
            },
          },
        },
      },
    },
  },
  {
    why: 'they stand in the last line of the description',
    documentation: {
      description:
        'Weather.\nParameters: {"city": "Required. string. The town", "days": "integer. "}\nOutput: text',
    },
  },
]

describe('documentedParameters', () => {
  test.each(shapes)('reads the same inputs when $why', ({ documentation }) => {
    expect(documentedParameters(documentation)).toEqual([city, days])
  })

  test('reads the arguments of Python code', () => {
    const code =
      'import x\ndef mean(values: List[float], weights: Dict[str, int] = None, self, digits=2):\n  return 1'
    expect(documentedParameters({ code })).toEqual([
      { name: 'values', description: '', type: 'List[float]', required: true },
      { name: 'weights', description: '', type: 'Dict[str, int]', required: false },
      { name: 'digits', description: '', required: false },
    ])
  })

  test.each([
    { why: 'a list of names', value: ['a', 'b'], expected: ['a', 'b'] },
    { why: 'one name', value: 'a', expected: ['a'] },
    { why: 'default values', value: { a: 'x y', b: true }, expected: ['a', 'b'] },
    { why: 'a member that is called type', value: { type: { type: 'str' } }, expected: ['type'] },
    { why: 'a sentence', value: 'No arguments are needed', expected: [] },
    { why: 'nothing', value: null, expected: [] },
  ])('takes the names from $why', ({ value, expected }) => {
    expect(documentedParameters({ api_arguments: value }).map(({ name }) => name)).toEqual(expected)
  })

  test('lists a default as no requirement, allowed values as an enumeration, and a name once', () => {
    const documentation = {
      parameters: {
        unit: { type: 'str, optional', description: 'Unit', default: 'C', allowed_values: ['C', 'F'] },
      },
      optional_parameters: [{ name: 'unit', description: 'again' }],
    }
    expect(documentedParameters(documentation)).toEqual([
      { name: 'unit', description: 'Unit. One of: C, F.', type: 'string', required: false },
    ])
  })

  test('lists the tools of a server', () => {
    const tools = [{ name: 'send', description: 'Sends mail' }]
    expect(documentedParameters({ tools })).toEqual([
      { name: 'send', description: 'Sends mail', required: false },
    ])
  })
})
