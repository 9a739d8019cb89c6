import { expect, test } from 'vitest'
import { pointedAt } from '../../../src/catalog/formats/json-schema.ts'

const root = {
  paths: { '/a b/{id}': { get: 1 } },
  list: ['zero', 'one'],
  'per%cent': 2,
  '~x': 3,
  'c/d': 4,
  '100%': 5,
}

test.each([
  { reference: '#', expected: root },
  { reference: '#/list/1', expected: 'one' },
  { reference: '#/paths/~1a%20b~1{id}/get', expected: 1 },
  { reference: '#/~0x', expected: 3 },
  { reference: '#/per%cent', expected: 2 },
  { reference: '#/c%7E1d', expected: 4 },
  { reference: '#/100%', expected: 5 },
  { reference: '#/list/7', expected: undefined },
  { reference: '#/list/length/x', expected: undefined },
  { reference: '#/constructor', expected: undefined },
  { reference: '#anchor', expected: undefined },
  { reference: 'other.json#/list', expected: undefined },
])('$reference points at $expected', ({ reference, expected }) => {
  expect(pointedAt(root, reference)).toEqual(expected)
})
