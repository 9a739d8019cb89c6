import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitText, paragraphsInLine, textWidth, wrapText } from '../../src/cli/render/text.ts'
import { printableLine } from '../../src/domain/text/printable.ts'

describe('textWidth', () => {
  test.each([
    { why: 'ASCII takes a column each', text: 'abc', expected: 3 },
    { why: 'Chinese takes two each', text: '查询天气', expected: 8 },
    { why: 'Hangul takes two each', text: '한국', expected: 4 },
    { why: 'an accent that stands on its letter takes none', text: 'e\u0301', expected: 1 },
    { why: 'an emoji takes two', text: '🔍', expected: 2 },
    { why: 'a family is one emoji', text: '👩‍👩‍👧', expected: 2 },
    { why: 'a flag is one emoji', text: '🇨🇭', expected: 2 },
    { why: 'Cyrillic takes one each', text: 'привет', expected: 6 },
    { why: 'an empty text takes none', text: '', expected: 0 },
  ])('$why: $text', ({ text, expected }) => {
    expect(textWidth(text)).toBe(expected)
  })
})

test.each([
  ['Brew a pot of tea\n\nStarts brewing.', 'Brew a pot of tea. Starts brewing.'],
  ['Brews (hot)\r\n\r\nStarts', 'Brews (hot). Starts'],
  ['It brews.\n\nIt pours', 'It brews. It pours'],
  ['Takes:\n\n- a pot\n- a leaf', 'Takes: - a pot - a leaf'],
  ['one line\nand the next', 'one line and the next'],
])('paragraphs of %j stand in a line as sentences', (text, expected) => {
  expect(paragraphsInLine(text)).toBe(expected)
})

test.each(['👩‍👩‍👧', '🇨🇭', 'e\u0301', '한', `a${'\u0301'.repeat(3000)}`])(
  'a text of any length has the columns of its graphemes: %s',
  (grapheme) => {
    const own = textWidth(grapheme)
    for (let before = 1015; before < 1030; before += 1)
      expect(textWidth(`${'é'.repeat(before)}${grapheme.repeat(5)}z`)).toBe(before + 5 * own + 1)
  },
)

describe('fitText', () => {
  test.each([
    { why: 'what fits stays', text: 'abc', columns: 3, expected: 'abc' },
    { why: 'the last column is the ellipsis', text: 'abcd', columns: 3, expected: 'ab…' },
    { why: 'no space stands before it', text: 'ab cd', columns: 4, expected: 'ab…' },
    { why: 'a wide letter is never halved', text: '查询天气', columns: 4, expected: '查…' },
    { why: 'no room gives nothing', text: 'abc', columns: 0, expected: '' },
  ])('$why', ({ text, columns, expected }) => {
    expect(fitText(text, columns)).toBe(expected)
  })

  test('never takes more than the room, and never changes what fits', () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 1, max: 40 }), (line, columns) => {
        const fitted = fitText(line, columns)
        expect(textWidth(fitted)).toBeLessThanOrEqual(columns)
        if (textWidth(line) <= columns) expect(fitted).toBe(line)
      }),
    )
  })
})

describe('wrapText', () => {
  test('breaks between words', () => {
    expect(wrapText('find the right tool', 8)).toEqual(['find the', 'right', 'tool'])
  })

  test('breaks inside a word that is longer than a line', () => {
    expect(wrapText('a supercalifragilistic', 6)).toEqual(['a', 'superc', 'alifra', 'gilist', 'ic'])
  })

  test('keeps every character but white space, in lines that fit', () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 2, max: 40 }), (line, columns) => {
        const lines = wrapText(line, columns)
        expect(lines.join('').replace(/\s/gu, '')).toBe(line.replace(/\s/gu, ''))
        for (const one of lines) expect(textWidth(one)).toBeLessThanOrEqual(columns)
      }),
    )
  })
})

const anyLine = fc
  .array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('查询天气', 'create_issue', '👩‍👩‍👧', 'é')),
  )
  .map((words) => printableLine(words.join(' ')))
