import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable, printableLine } from '../../src/domain/text/printable.ts'

describe('printable', () => {
  test.each([
    { why: 'colours are stripped', text: '\u001b[31mred\u001b[0m', expected: 'red' },
    { why: 'the screen is not cleared', text: 'a\u001b[2J\u001b[Hb', expected: 'ab' },
    {
      why: 'links keep their text only',
      text: '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
      expected: 'click',
    },
    { why: 'the window title is left alone', text: '\u001b]0;owned\u001b\\x', expected: 'x' },
    { why: 'an unfinished title ends with its line', text: '\u001b]0;owned\nnext', expected: '\nnext' },
    { why: '8-bit sequences count too', text: '\u009b31mred\u009d0;t\u009cx', expected: 'redx' },
    { why: 'the terminal is not reset', text: 'a\u001bcb', expected: 'ab' },
    { why: 'a carriage return cannot overwrite a line', text: 'safe\rrm -rf', expected: 'safe\nrm -rf' },
    { why: 'a backspace cannot either', text: 'abc\b\b\bxyz', expected: 'abcxyz' },
    { why: 'NUL and BEL vanish', text: 'a\u0000b\u0007c', expected: 'abc' },
    {
      why: 'bidirectional overrides vanish',
      text: 'user\u202Etxt.exe\u2066x\u2069',
      expected: 'usertxt.exex',
    },
    { why: 'tag characters hide no text', text: 'hi\u{E0068}\u{E0069}', expected: 'hi' },
    { why: 'zero-width spaces vanish', text: 'ig\u200Bnore', expected: 'ignore' },
    { why: 'emoji families stay whole', text: '👩‍👩‍👧', expected: '👩‍👩‍👧' },
    { why: 'lines and tabs stay', text: 'a\n\tb', expected: 'a\n\tb' },
    { why: 'a lone surrogate is replaced', text: 'a\ud800b', expected: 'a\ufffdb' },
  ])('$why', ({ text, expected }) => {
    expect(printable(text)).toBe(expected)
  })

  test('what it returns holds no control character, and it changes nothing the second time', () => {
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\u001b', '[', ']', '\u009b', '\u009d', ';', '0', 'm', '\u0007', '\\', '\r', '\n'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printable(text)
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(printable(shown)).toBe(shown)
      }),
    )
  })
})

test('printableLine puts everything on one line', () => {
  expect(printableLine('  a\r\n\tb\u2028c  ')).toBe('a b c')
})
