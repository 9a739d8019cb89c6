import { expect, test } from 'vitest'
import { argumentFaults, schemaFaults } from '../../../src/adapters/mcp-client/argument-faults.ts'
import { hostileSchemas } from '../../fakes/hostile-schemas.ts'

test('faults are told by their place', () => {
  const schema = { type: 'object', properties: { x: { type: 'string' } }, required: ['y'] }
  expect(argumentFaults(schema, { x: 5 })).toEqual([
    "arguments must have required property 'y'",
    '/x must be string',
  ])
})

test.each(hostileSchemas)('a schema without an end is left to the server: $name', ({ schema }) => {
  for (const value of [{ x: 5 }, { x: 5 }, { x: 'a' }])
    expect(schemaFaults(schema, value, 'arguments')).toEqual([])
})

test('a schema without an end is not tried again', () => {
  const { schema } = hostileSchemas.find(({ name }) => name === 'anyOf')!
  let looks = 0
  const value = {
    get x() {
      looks += 1
      return 5
    },
  }
  const own = structuredClone(schema)
  schemaFaults(own, value, 'arguments')
  const before = looks
  expect(before).toBeGreaterThan(0)
  expect(schemaFaults(own, value, 'arguments')).toEqual([])
  expect(looks).toBe(before)
})
