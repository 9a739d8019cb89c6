import { expect, test } from 'vitest'
import { families, instructedQuery } from '../../../src/adapters/transformers/files/options.ts'

test.each([
  ['Instruct: Given a web search query, retrieve passages\nQuery: ', 'Instruct: find tools\nQuery: pay'],
  ['Instruct: Given a web search query, retrieve passages\nQuery:', 'Instruct: find tools\nQuery:pay'],
  ['Instruction: find\nQuery: ', 'Instruction: find tools\nQuery: pay'],
])('the instruction takes the place of the task in %j', (prefix, expected) => {
  expect(instructedQuery(prefix, 'pay', 'find\n tools ')).toBe(expected)
})

test.each(['', 'query: ', 'Represent this sentence for searching relevant passages: '])(
  'a prefix without a place for a task keeps the instruction out: %j',
  (prefix) => expect(instructedQuery(prefix, 'pay', 'find tools')).toBeUndefined(),
)

test('the families that were trained with tasks are among those that are known', () => {
  const instructed = families.filter(({ queryPrefix }) => instructedQuery(queryPrefix, '', '') !== undefined)
  expect(instructed.map(({ matches }) => matches.source)).toEqual([
    '^multilingual-e5-.*-instruct',
    '^e5-mistral',
    '^gte-qwen',
    '^kalm-embedding-.*instruct',
    '^qwen3-embedding',
  ])
})
