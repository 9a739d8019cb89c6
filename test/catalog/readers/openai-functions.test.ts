import { expect, test } from 'vitest'
import { openaiFunctions } from '../../../src/catalog/readers/openai-functions.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const documentOf = (text: string, path = '/functions/tools.json') =>
  documentFromText(path, text, 'tools.json')

const parameters = {
  type: 'object',
  properties: { dish: { type: 'string', description: 'What to cook' } },
  required: ['dish'],
}
const bare = { name: 'cook', description: 'Cooks a dish', parameters }
const expected = {
  kind: 'tool',
  key: 'cook',
  name: 'cook',
  description: 'Cooks a dish',
  parameters: [{ name: 'dish', description: 'What to cook', type: 'string', required: true }],
  inputSchema: parameters,
}

test.each([
  { form: 'the wrapped chat form', text: JSON.stringify([{ type: 'function', function: bare }]) },
  { form: 'the flat Responses form', text: JSON.stringify([{ type: 'function', ...bare, strict: true }]) },
  { form: 'a bare function', text: JSON.stringify(bare, null, 2) },
  { form: 'a bare function on one line', text: JSON.stringify(bare) },
  { form: 'one function a line', text: `${JSON.stringify({ ...bare, name: 'cook' })}\n` },
  { form: 'an array with comments', text: `[ // ours\n${JSON.stringify(bare)},\n]` },
])('$form gives the function', ({ text }) => {
  expect(openaiFunctions.recognises(documentOf(text))).toBe(true)
  const { cards, problems } = openaiFunctions.read(documentOf(text))
  expect(problems).toEqual([])
  expect(cards).toMatchObject([expected])
})

test('type words of other languages become those of JSON Schema, names and data stay', () => {
  const odd = {
    name: 'mix',
    parameters: {
      type: 'dict',
      properties: {
        type: { type: 'float', default: { type: 'dict' } },
        bowls: { type: 'array', items: { type: 'dict', properties: { rest: { type: 'any' } } } },
      },
    },
    response: { type: 'dict', properties: { done: { type: 'bool' } } },
  }
  expect(openaiFunctions.read(documentOf(JSON.stringify(odd))).cards).toMatchObject([
    {
      inputSchema: {
        type: 'object',
        properties: {
          type: { type: 'number', default: { type: 'dict' } },
          bowls: { type: 'array', items: { type: 'object', properties: { rest: {} } } },
        },
      },
      outputSchema: { type: 'object', properties: { done: { type: 'boolean' } } },
      parameters: [
        { name: 'type', type: 'number' },
        { name: 'bowls', type: 'object[]' },
        { name: 'bowls.rest' },
      ],
    },
  ])
})

test('a bad element of an array is named, the rest is read', () => {
  const text = JSON.stringify([
    bare,
    'cook',
    { type: 'function', function: { name: '' } },
    bare,
    { ...bare, name: 'bake' },
  ])
  const { cards, problems } = openaiFunctions.read(documentOf(text))
  expect(cards.map(({ name }) => name)).toEqual(['cook', 'bake'])
  expect(problems.map(({ field }) => field)).toEqual(['[1]', '[2].name', '[3].name'])
})

test('a bad line is named, the rest is read', () => {
  const text = [bare, { ...bare, name: 'bake' }].map((each) => JSON.stringify(each)).join('\n{broken\n')
  const { cards, problems } = openaiFunctions.read(documentOf(text, '/functions/tools.jsonl'))
  expect(cards.map(({ name }) => name)).toEqual(['cook', 'bake'])
  expect(problems).toMatchObject([{ severity: 'error', field: 'line 2' }])
})

test.each([
  { what: "ToolRet's record", json: { id: 'x_tool_0', documentation: bare } },
  { what: 'an MCP tool list', json: [{ name: 'cook', inputSchema: parameters }] },
  { what: 'a record with parameters of its own', json: { name: 'model', parameters: { temperature: 0.1 } } },
  { what: 'a JSON Schema', json: { type: 'object', properties: { parameters } } },
])('$what holds no functions', ({ json }) => {
  expect(openaiFunctions.recognises(documentOf(JSON.stringify(json)))).toBe(false)
})
