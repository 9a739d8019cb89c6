import { expect, test } from 'vitest'
import { recognise } from '../../../src/catalog/readers.ts'
import { documentFromText } from '../../../src/catalog/source-document.ts'

const read = (path: string, text: string) => {
  const document = documentFromText(path, text, 'models file')
  const reader = recognise(document)
  return { reader: reader?.name, ...reader?.read(document) }
}
const lines = (...records: readonly unknown[]): string =>
  records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')

test('providers with their models, as models.dev gives them, are read whole', () => {
  const api = {
    acme: {
      id: 'acme',
      env: ['ACME_KEY'],
      name: 'Acme',
      models: {
        'big-1': {
          id: 'big-1',
          name: 'Big 1',
          attachment: true,
          reasoning: true,
          tool_call: false,
          modalities: { input: ['text', 'image'], output: ['text'] },
          open_weights: false,
          cost: { input: 3, output: 15, cache_read: 0.3 },
          limit: { context: 200_000, output: 8192 },
        },
        'picture-1': { id: 'picture-1', name: 'Picture', limit: { context: 0, output: 0 } },
      },
    },
    router: { id: 'router', models: { 'acme/big-1': { id: 'acme/big-1', cost: { input: 4, output: 16 } } } },
  }
  const { reader, models, problems, cards } = read('/data/api.json', JSON.stringify(api))
  expect({ reader, problems, cards }).toEqual({ reader: 'model-list', problems: [], cards: [] })
  expect(models?.models).toEqual([
    {
      id: 'acme/big-1',
      name: 'Big 1',
      price: { input: 3, output: 15 },
      context: 200_000,
      input: ['text', 'image'],
      output: ['text'],
      tools: false,
      reasoning: true,
      openWeights: false,
    },
    { id: 'acme/picture-1', name: 'Picture' },
    { id: 'router/acme/big-1', name: 'router/acme/big-1', price: { input: 4, output: 16 } },
  ])
})

test.each([
  { why: 'a price below nothing', record: { id: 'a/b', price_in_per_m: -1 }, field: 'price_in_per_m' },
  { why: 'a price in words', record: { id: 'a/b', cost: { output: 'free' } }, field: 'cost.output' },
  { why: 'no id', record: { name: 'b', tool_call: true }, field: 'id' },
  { why: 'an id of two lines', record: { id: 'a/b\nc', tool_call: true }, field: 'id' },
  { why: 'a context that is none', record: { id: 'a/b', context: 'long' }, field: 'context' },
])('a bad row is told by file, line and field, and the rest is read: $why', ({ record, field }) => {
  const good = { id: 'a/good', name: 'Good', price_in_per_m: 0, price_out_per_m: 0, tools: true }
  const { models, problems } = read('/data/llms.jsonl', lines(good, record, '{"id":'))
  expect(models?.models).toEqual([
    { id: 'a/good', name: 'Good', price: { input: 0, output: 0 }, tools: true },
  ])
  expect(problems).toMatchObject([
    { file: 'models file', field: `line 2, ${field}`, severity: 'error' },
    { file: 'models file', field: 'line 3' },
  ])
})

test('outcomes are read in both shapes, and what a model did twice is its mean', () => {
  const text = lines(
    { query: 'sort', model: 'a/x', score: 1 },
    { query: 'sort', model: 'a/x', score: 0 },
    { query: 'sort', scores: { 'a/y': 0.25 } },
    { query: 'sort', model: 'a/x', score: 2 },
    { query: 'sort', scores: { 'a/z': 'good' } },
    { query: ' ', model: 'a/x', score: 1 },
  )
  const { reader, models, problems } = read('/data/outcomes.jsonl', text)
  expect(reader).toBe('model-outcomes')
  expect(models).toEqual({ models: [], outcomes: [{ task: 'sort', scores: { 'a/x': 0.5, 'a/y': 0.25 } }] })
  expect(problems?.map(({ field }) => field)).toEqual([
    'line 4, score',
    'line 5, scores.a/z',
    'line 6, query',
  ])
})
