import { expect, test } from 'vitest'
import { beginningOf, cut, cutCounting, cutWithin } from '../../src/domain/text/cut.ts'

const note = '🎵'

test.each([
  { why: 'it is short enough', text: 'abc', most: 3, expected: 'abc' },
  { why: 'it is too long', text: 'abcd', most: 3, expected: 'abc' },
  { why: 'a pair ends at the limit', text: `a${note}bc`, most: 3, expected: `a${note}` },
  { why: 'a pair stands across the limit', text: `ab${note}c`, most: 3, expected: 'ab' },
  { why: 'the limit is nothing', text: note, most: 0, expected: '' },
  { why: 'half a pair stands alone in it', text: 'a\ud83cbcd', most: 3, expected: 'a\ufffdb' },
])('the beginning of a text is $expected when $why', ({ text, most, expected }) => {
  expect(beginningOf(text, most)).toBe(expected)
})

test('a text that is cut ends with an ellipsis, and never within a pair', () => {
  expect(cut('abc', 3)).toBe('abc')
  expect(cut(`ab${note}c`, 3)).toBe('ab…')
  expect(cutWithin(`ab${note}c`, 4)).toBe('ab…')
  expect(cutWithin('abcd', 4)).toBe('abcd')
  expect(cutCounting(`ab${note}c`, 3)).toBe('ab… (2 characters more)')
})
