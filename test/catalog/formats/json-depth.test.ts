import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNestedTooDeep } from '../../../src/catalog/formats/structured-text.ts'

const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + 1 + '}]'.repeat(levels / 2)

test.each([
  { levels: 500, expected: false },
  { levels: 502, expected: true },
])('$levels levels: $expected', ({ levels, expected }) => {
  expect(isNestedTooDeep(nested(levels))).toBe(expected)
})

test('what was closed, and brackets inside texts, do not count', () => {
  expect(isNestedTooDeep(`[${'[],'.repeat(2_000)}0]`)).toBe(false)
  expect(isNestedTooDeep(JSON.stringify(['['.repeat(2_000), '"\\', '{"'.repeat(2_000)]))).toBe(false)
})

test('texts with any quotes and backslashes never hide or invent nesting', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a') })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const wrap = (levels: number) =>
        `[${JSON.stringify(before)},${nested(levels)},${JSON.stringify({ [after]: after })}]`
      return !isNestedTooDeep(wrap(498)) && isNestedTooDeep(wrap(500))
    }),
  )
})
