import { describe, expect, onTestFinished, test } from 'vitest'
import { taskWriter } from '../../../src/adapters/ai-sdk/judge/task-writer.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import { isJsonObject } from '../../../src/domain/json.ts'
import { LanguageModelError } from '../../../src/evaluation/evaluation-settings.ts'
import type { QuestionKind } from '../../../src/tasks/ports.ts'
import { type ModelReply, modelServer } from '../../fakes/model-server.ts'

const card: ToolCard = {
  kind: 'tool',
  id: 'a/add',
  source: 'a',
  name: 'add',
  description: 'Adds numbers.',
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'test', location: 'here' },
}
const five = ['a', 'b', 'c', 'd', 'e']
const asked = {
  write: { target: card, others: [card], turn: 0 },
  selfContained: { task: 'x' },
  rewrite: { target: card, task: 'x', fault: 'too short' },
  call: { tool: card, task: 'x' },
  merge: { parts: ['x', 'y'] },
  entails: { task: 'x', part: 'y' },
  goal: { tasks: ['x'], targets: [card] },
  meets: { task: 'x', target: card, criteria: five },
  instruction: { task: 'x', targets: [card] },
} as const

async function answerTo(
  kind: QuestionKind,
  reply: ModelReply,
  provider: Parameters<typeof specOf>[1] = 'openai',
) {
  const server = await modelServer([reply])
  onTestFinished(() => server.close())
  const writer = taskWriter(
    { spec: specOf(server, provider), key: 'k' },
    { send: fetch, costOf: () => undefined },
  )
  const { answer } = await writer.ask(kind, asked[kind] as never, new AbortController().signal)
  return { answer, body: server.requests[0]!.body }
}
const specOf = (
  server: Awaited<ReturnType<typeof modelServer>>,
  provider: 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'ollama',
) => server.spec(provider)

const json = (value: unknown): ModelReply => ({ text: JSON.stringify(value) })

describe('the task writer', () => {
  test.each(Object.keys(asked) as readonly QuestionKind[])(
    'asks %s in a shape that services with strict schemas take: all required, nothing open, no bounds',
    async (kind) => {
      const { body } = await answerTo(kind, json({}))
      const text = JSON.stringify(body.response_format)
      expect(text).not.toMatch(/maxLength|minLength|maxItems|minItems|propertyNames|\$ref/)
      const check = (schema: unknown): void => {
        for (const one of Array.isArray(schema) ? schema : []) check(one)
        if (!isJsonObject(schema)) return
        if (schema.type === 'object') {
          expect(schema.additionalProperties).toBe(false)
          expect(schema.required).toEqual(Object.keys(schema.properties as object))
        }
        Object.values(schema).forEach(check)
      }
      check((body.response_format as { json_schema: { schema: unknown } }).json_schema.schema)
    },
  )

  test.each(['openai', 'openai-compatible', 'anthropic', 'google', 'ollama'] as const)(
    'reads what %s answers',
    async (provider) => {
      const reply = json({ task: ' add 1 and 2 ', arguments: '{"a":1}', expect: '3' })
      expect((await answerTo('write', reply, provider)).answer).toEqual({
        task: 'add 1 and 2',
        arguments: { a: 1 },
        expect: '3',
      })
    },
  )

  test.each([
    { why: 'fields are left out', text: '{"task": "add"}', expected: { task: 'add' } },
    {
      why: 'arguments are no text, behind thinking and in a fence',
      text: '<think>hm</think>\n```json\n{"task": "add", "arguments": {"a": 1}}\n```',
      expected: { task: 'add', arguments: { a: 1 } },
    },
    {
      why: 'it is in a fence with words around it',
      text: 'Here you go:\n```json\n{"task": "add {1}", "expect": null}\n```\nEnjoy!',
      expected: { task: 'add {1}' },
    },
    { why: 'words are around it', text: 'Sure {ok}: {"task": "add"} Bye.', expected: { task: 'add' } },
    { why: 'two differ', text: 'It says {"task": "a"}. Mine: {"task": "b"}', expected: null },
    {
      why: 'a task is empty',
      text: '{"task": " \\u200b", "arguments": null, "expect": null}',
      expected: null,
    },
    { why: 'a task is endless', text: JSON.stringify({ task: 'x'.repeat(5000) }), expected: null },
    { why: 'it is no JSON', text: 'Sure! Here is a task: add', expected: null },
    {
      why: 'arguments are no JSON',
      text: '{"task": "add", "arguments": "a=1", "expect": null}',
      expected: null,
    },
  ])('an answer is read as $expected where $why', async ({ text, expected }) => {
    expect((await answerTo('write', { text }, 'openai-compatible')).answer).toEqual(expected)
  })

  test.each([
    { scores: [1, 0, true, false, 1], expected: { meets: [true, false, true, false, true] } },
    { scores: [1, 0], expected: null },
  ])('criteria are five: $scores', async ({ scores, expected }) => {
    expect((await answerTo('meets', json({ scores }), 'openai-compatible')).answer).toEqual(expected)
  })

  test('a setting that names no model is refused at once', () => {
    expect(() => taskWriter({ spec: 'gpt' }, { send: fetch, costOf: () => undefined })).toThrow(
      LanguageModelError,
    )
  })
})
