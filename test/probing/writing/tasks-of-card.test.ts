import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerKeys } from '../../../catalog/answer-keys/answer-keys.ts'
import type { AgentCard, ToolCard } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { cardsOfServers } from '../../../src/evaluation/datasets/bundled-tools.ts'
import { compiledSchema } from '../../../src/probing/judges/compiled-schema.ts'
import { tasksOfCard } from '../../../src/probing/writing/tasks-of-card.ts'

const root = resolve(import.meta.dirname, '../../..')
const bundled = cardsOfServers(resolve(root, 'catalog'), resolve(root, 'evals/bundled/tools.jsonl')).filter(
  (card) => card.kind === 'tool',
)

const base = {
  source: 's',
  description: 'Does things. And more.',
  examples: [],
  tags: [],
  provenance: { reader: 'test', location: 'here' },
}
const agent = (examples: readonly string[]): AgentCard => ({
  ...base,
  kind: 'agent',
  id: 's/a',
  name: 'a',
  agentKind: 'profile',
  backbone: null,
  tools: [],
  policy: {},
  examples,
})
const tool = (inputSchema: JsonObject, rest: Partial<ToolCard> = {}): ToolCard => ({
  ...base,
  kind: 'tool',
  id: 's/t',
  name: 't',
  parameters: [],
  annotations: { readOnly: true },
  inputSchema,
  ...rest,
})
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

describe('tasks of an agent', () => {
  test('are its examples, each once, at most as many as asked for', () => {
    const card = agent(['one', ' one ', '', 'two', 'x'.repeat(5000), 'three'])
    expect(tasksOfCard(card, 2)).toEqual([{ text: 'one' }, { text: 'two' }])
    expect(tasksOfCard(card, 9).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    expect(tasksOfCard(agent([]), 5)).toEqual([])
  })
})

describe('tasks of a bundled tool', () => {
  const answers = answerKeys

  test('without the answers are those of any tool, held to the published schema', () => {
    const percentOf = bundled.find(({ name }) => name === 'percent_of')!
    expect(tasksOfCard(percentOf, 2).map(({ reference }) => reference?.kind)).toEqual([
      'json-schema',
      'json-schema',
    ])
  })

  test.each(bundled.map((card) => [card.name, card] as const))(
    '%s: five with known answers, the same each time',
    (_, card) => {
      const tasks = tasksOfCard(card, 5, { answers })
      expect(tasks).toHaveLength(5)
      expect(new Set(tasks.map(({ text }) => text)).size).toBe(5)
      expect(tasks.every(({ reference }) => reference?.kind === 'json-path')).toBe(true)
      const admits = compiledSchema(card.inputSchema!)
      for (const task of tasks) expect(admits(task.arguments!)).toEqual({ admitted: true, fault: null })
      expect(tasksOfCard(card, 5, { answers })).toEqual(tasks)
      expect(tasksOfCard({ ...card, id: 'copy/x', source: 'copy', server: 'copy' }, 5, { answers })).toEqual(
        tasks,
      )
      expect(tasksOfCard(card, 5, { answers, seed: 2 })).not.toEqual(tasks)
    },
  )

  test('a tool of the same name with another contract is not held to ours', () => {
    const percentOf = bundled.find(({ name }) => name === 'percent_of')! as ToolCard
    const otherResult = { ...percentOf, outputSchema: object({ value: { type: 'number' } }) }
    expect(tasksOfCard(otherResult, 3, { answers }).map(({ reference }) => reference?.kind)).toEqual([
      'json-schema',
      'json-schema',
      'json-schema',
    ])
    const { outputSchema: _, ...untold } = percentOf
    expect(tasksOfCard(untold, 1, { answers })).toMatchObject([
      { arguments: { percent: expect.any(Number) } },
    ])
    expect(tasksOfCard(untold, 1, { answers })[0]).not.toHaveProperty('reference')
    const otherArguments = { ...percentOf, inputSchema: object({ text: { type: 'string' } }) }
    expect(tasksOfCard(otherArguments, 1, { answers })).toMatchObject([
      { arguments: { text: expect.any(String) } },
    ])
  })
})

describe('tasks of any other tool', () => {
  test.each([
    { why: 'unknown effects', annotations: {} },
    { why: 'declared effects', annotations: { readOnly: false, destructive: false } },
  ])('$why: not called unless that is allowed', ({ annotations }) => {
    const card = tool(object({ text: { type: 'string' } }), { annotations })
    expect(tasksOfCard(card, 2)).toEqual([])
    expect(tasksOfCard(card, 2, { effects: 'any' })).toHaveLength(2)
  })

  test('tell the purpose and the arguments, and hold the result to the published schema', () => {
    const outputSchema = object({ total: { type: 'number' } })
    const [task] = tasksOfCard(tool(object({ to: { enum: ['de'] } }), { outputSchema }), 3)
    expect(task).toEqual({
      text: 'Does things. Use {"to":"de"}',
      arguments: { to: 'de' },
      reference: { kind: 'json-schema', schema: outputSchema },
    })
  })

  test('a tool without arguments has one task', () => {
    expect(tasksOfCard(tool({ type: 'object' }), 5)).toEqual([{ text: 'Does things.', arguments: {} }])
  })

  test.each<{ readonly why: string; readonly schema: JsonObject }>([
    { why: 'examples come first', schema: object({ id: { type: 'string', examples: ['A-1', 'A-2'] } }) },
    { why: 'enums', schema: object({ unit: { enum: ['C', 'F'] } }) },
    {
      why: 'bounds',
      schema: object({
        a: { type: 'integer', minimum: 3, maximum: 5 },
        b: { type: 'number', exclusiveMinimum: 0, maximum: 0.5 },
      }),
    },
    { why: 'multiples', schema: object({ a: { type: 'integer', multipleOf: 5, minimum: 7 } }) },
    {
      why: 'negative bounds',
      schema: object({
        a: { type: 'number', maximum: -3 },
        b: { type: 'integer', minimum: -9, maximum: -9 },
      }),
    },
    {
      why: 'formats',
      schema: object({
        d: { type: 'string', format: 'date' },
        t: { type: 'string', format: 'date-time' },
        e: { type: 'string', format: 'email' },
        u: { type: 'string', format: 'uri' },
      }),
    },
    {
      why: 'lengths',
      schema: object({
        text: { type: 'string', minLength: 40, maxLength: 50 },
        title: { type: 'string', maxLength: 3 },
      }),
    },
    {
      why: 'lists',
      schema: object({ tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, maxItems: 3 } }),
    },
    {
      why: 'nested objects',
      schema: object({ at: object({ lat: { type: 'number', minimum: -90, maximum: 90 } }) }),
    },
    {
      why: 'references',
      schema: {
        ...object({ at: { $ref: '#/$defs/place' } }),
        $defs: { place: object({ zip: { const: '10115' } }) },
      },
    },
    {
      why: 'choices',
      schema: object({
        a: { anyOf: [{ type: 'string', pattern: '^x' }, { type: 'integer' }] },
        b: { oneOf: [{ type: 'boolean' }] },
      }),
    },
    {
      why: 'parts of a whole',
      schema: { allOf: [object({ text: { type: 'string' } }), object({ n: { type: 'integer' } })] },
    },
    { why: 'several types', schema: object({ n: { type: ['integer', 'null'] } }) },
    {
      why: 'draft 7',
      schema: { $schema: 'http://json-schema.org/draft-07/schema#', ...object({ n: { type: 'integer' } }) },
    },
  ])('$why: arguments fit the schema on every seed', ({ schema }) => {
    const check = compiledSchema(schema)
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const tasks = tasksOfCard(tool(schema), 1, { seed })
        expect(tasks).toHaveLength(1)
        expect(check(tasks[0]!.arguments!)).toEqual({ admitted: true, fault: null })
      }),
      { numRuns: 10 },
    )
  })

  test.each<{ readonly why: string; readonly schema: JsonObject }>([
    { why: 'an identifier that nobody gave', schema: object({ customerId: { type: 'string' } }) },
    { why: 'a path', schema: object({ path: { type: 'string' } }) },
    { why: 'a pattern', schema: object({ text: { type: 'string', pattern: '^[A-Z]{9}$' } }) },
    { why: 'a format that is not known', schema: object({ a: { type: 'string', format: 'isbn' } }) },
    { why: 'impossible bounds', schema: object({ n: { type: 'integer', minimum: 5, maximum: 4 } }) },
    { why: 'a schema that cannot be compiled', schema: { type: 'strange' } },
    { why: 'an endless schema', schema: { $ref: '#' } },
    { why: 'a reference to nowhere', schema: object({ a: { $ref: '#/$defs/none' } }) },
  ])('$why: no task rather than a guess', ({ schema }) => {
    expect(tasksOfCard(tool(schema), 3)).toEqual([])
  })

  test('any JSON as a schema gives tasks that fit it, or none', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'type',
            'properties',
            'required',
            'items',
            'enum',
            'anyOf',
            'allOf',
            '$ref',
            'minimum',
            'format',
          ),
          fc.jsonValue(),
        ),
        (schema) => {
          const tasks = tasksOfCard(tool(schema as JsonObject), 1)
          for (const task of tasks)
            expect(compiledSchema(schema as JsonObject)(task.arguments!).admitted).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })
})
