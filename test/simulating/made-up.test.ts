import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ToolCard } from '../../src/domain/card.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { cardsOfServers } from '../../src/evaluation/datasets/bundled-tools.ts'
import { compiledSchema } from '../../src/probing/judges/compiled-schema.ts'
import { tasksOfCard } from '../../src/probing/writing/tasks-of-card.ts'
import { madeUpAnswer } from '../../src/simulating/made-up.ts'
import { meaningOf, startState } from '../../src/simulating/things.ts'
import { root } from '../catalog-bundled/built-catalog.ts'
import { toolCard } from '../fakes/fake-audition.ts'

const bundled = cardsOfServers(resolve(root, 'catalog'), resolve(root, 'evals/bundled/tools.jsonl')).filter(
  (card): card is ToolCard => card.kind === 'tool' && card.outputSchema !== undefined,
)

test('every bundled tool with an output schema gets answers that it admits', () => {
  expect(bundled.length).toBeGreaterThan(50)
  for (const card of bundled) {
    const admits = compiledSchema(card.outputSchema!)
    const given = tasksOfCard(card, 3, { effects: 'any' }).map((task) => task.arguments ?? {})
    for (const args of [{}, ...given]) {
      const { answer } = madeUpAnswer(card, args, startState)
      expect(answer?.structured, card.id).toBeDefined()
      expect(admits(answer!.structured!), card.id).toEqual({ admitted: true, fault: null })
      expect(answer).toEqual(madeUpAnswer(card, args, startState).answer)
    }
  }
})

describe('schemas that are harder', () => {
  const answerFor = (outputSchema: JsonObject, args: JsonObject = {}) =>
    madeUpAnswer(toolCard('a/look_up', { outputSchema }) as ToolCard, args, startState).answer?.structured

  test.each([
    { what: 'any text', schema: { type: 'string' } },
    { what: 'an identifier', schema: { type: 'string', minLength: 4, maxLength: 8 } },
    { what: 'an address', schema: { type: 'string', format: 'uri' } },
    { what: 'a UUID', schema: { type: 'string', format: 'uuid' } },
    { what: 'a choice', schema: { anyOf: [{ type: 'integer', minimum: 5 }, { type: 'null' }] } },
    { what: 'a date by its pattern', schema: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` } },
    { what: 'a hash by its pattern', schema: { type: 'string', pattern: '^[0-9a-f]{8}$' } },
    { what: 'words in a list', schema: { type: 'array', items: { type: 'string' }, minItems: 2 } },
  ])('$what', ({ schema }) => {
    const outputSchema = { type: 'object', properties: { value: schema }, required: ['value'] }
    const structured = answerFor(outputSchema)
    expect(structured).toBeDefined()
    expect(compiledSchema(outputSchema)(structured!)).toEqual({ admitted: true, fault: null })
  })

  test('what the arguments say stands where names and types agree', () => {
    const properties = {
      city: { type: 'string' },
      days: { type: 'string' },
      place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
    }
    const structured = answerFor(
      { type: 'object', properties, required: Object.keys(properties) },
      { city: 'Oslo', days: 3, lat: 59.9 },
    )
    expect(structured).toMatchObject({ city: 'Oslo', place: { lat: 59.9 } })
    expect((structured as JsonObject).days).not.toBe(3)
  })

  test('a schema that nothing can be drawn for gets no answer', () => {
    const impossible = { type: 'string', pattern: '^(?:q7){9}-[A-Z]{3}$' }
    expect(
      answerFor({ type: 'object', properties: { code: impossible }, required: ['code'] }),
    ).toBeUndefined()
  })
})

test.each([
  ['create_note', { act: 'create', noun: 'note' }],
  ['listNotes', { act: 'list', noun: 'note' }],
  ['notes.search', { act: 'list', noun: 'note' }],
  ['get_note_by_id', { act: 'get', noun: 'note' }],
  ['delete-all-categories', { act: 'delete', noun: 'category' }],
  ['add_new_calendar_event', { act: 'create', noun: 'calendar event' }],
  ['percent_of', null],
  ['search', null],
])('%s speaks of %j', (name, expected) => {
  expect(meaningOf(name)).toEqual(expected)
})
