import { expect, test } from 'vitest'
import { TimeSpentError, withinTime } from '../../src/probing/within-time.ts'

test('gives what is given, and throws what is thrown', () => {
  expect(withinTime(1_000, () => ({ a: [1] }))).toEqual({ a: [1] })
  expect(() => withinTime(1_000, () => JSON.parse('{'))).toThrow(SyntaxError)
})

test.each<{ name: string; run: () => unknown }>([
  { name: 'a loop', run: () => ends(0) },
  { name: 'a pattern', run: () => /^(a+)+$/.test(`${'a'.repeat(40)}b`) },
])('ends $name that has no end, and goes on', ({ run }) => {
  expect(() => withinTime(50, run)).toThrow(TimeSpentError)
  expect(withinTime(50, () => withinTime(50, () => 3))).toBe(3)
})

function ends(count: number): number {
  for (let at = count; ; at += 1) if (at < 0) return at
}
