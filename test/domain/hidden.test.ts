import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hiddenIn, withoutHidden } from '../../src/domain/text/hidden.ts'
import { printable, visible, visibleJsonText } from '../../src/domain/text/printable.ts'
import { visibleJson } from '../../src/domain/text/masked-json.ts'

/** What must never come out, whatever stands around it. The three joiners and the selectors of emoji have rules of their own. */
const never =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]|(?!\p{Extended_Pictographic})\p{Cn}|(?! )\p{Zs}/u

const everyCodePoint = (): string[] =>
  Array.from({ length: 0x110000 }, (_, code) =>
    code >= 0xd800 && code < 0xe000 ? String.fromCharCode(code) : String.fromCodePoint(code),
  )

describe('every code point of Unicode', () => {
  test('comes out when it is a letter, a mark, a number, punctuation or a sign, and never when it hides', () => {
    const wrong = everyCodePoint().filter((character) => {
      const shown = withoutHidden(`a${character}b`).slice(1, -1)
      if (never.test(character) || /\u200c|\u200d|\ufe0e|\ufe0f/.test(character))
        return never.test(shown) || (shown !== '' && !/^[ \n\ufffd]$/.test(shown))
      return /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character) && shown !== character
    })
    expect(wrong).toEqual([])
  })

  test('comes out of what is printed without controls too', () => {
    const all = everyCodePoint().join(' ')
    for (const shown of [printable(all), withoutHidden(all)]) expect(never.exec(shown)?.[0]).toBeUndefined()
    expect(/(?![\n\t])\p{Cc}/u.test(printable(all))).toBe(false)
  })
})

describe('texts of real scripts and pictures stay as they are', () => {
  test.each([
    ['Arabic with vowels', 'بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ'],
    ['Persian with a non-joiner', 'می‌خواهم کتاب‌ها را ببینم'],
    ['Hindi with conjuncts', 'क्षत्रिय श्रीमान् ज़िंदगी'],
    ['Hindi with a joiner', 'क्‍ष र्‍य'],
    ['Sinhala with a joiner', 'ශ්‍රී ලංකාව'],
    ['Thai', 'ผู้ที่ทำงานที่นี่ น้ำ'],
    ['Burmese', 'မျှော့ ကြွှေး လျှောက်'],
    ['Tibetan', 'རྒྱལ་མཚན་སྒྲོལ།'],
    ['pointed Hebrew', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
    ['decomposed Vietnamese', 'Tiếng Việt nhường nhịn'.normalize('NFD')],
    ['decomposed Korean', '한국어'.normalize('NFD')],
    ['families', '👩‍👩‍👧‍👦 👨🏽‍💻 🧑🏿‍🤝‍🧑🏻'],
    ['a heart and a flag', '❤️ 🏳️‍🌈 🏴‍☠️ 🇩🇪'],
    ['a heart on fire', '❤️‍🔥'],
    ['keycaps', '1️⃣ #️⃣'],
    ['text looks', '☎︎ ↔︎'],
    ['lines and tabs', 'a\n\tb'],
  ])('%s', (_, text) => {
    expect(withoutHidden(text)).toBe(text)
    expect([...hiddenIn(text)]).toEqual([])
  })
})

describe('ways to hide a message', () => {
  test.each([
    ['a selector after each letter', 'a\ufe01b\u{e0101}c\ufe0f', 'abc'],
    ['selectors of Mongolian', 'a\u180bb\u180cc\u180f', 'abc'],
    ['private use', 'a\ue000b\u{f0000}c', 'abc'],
    ['joiners between Latin letters', 'a\u200db\u200cc', 'abc'],
    ['joiners in a row', 'क\u200d\u200d\u200cष', 'कष'],
    ['selectors in a row', '❤\ufe0f\ufe0f\ufe0e', '❤\ufe0f'],
    ['spaces of two kinds', 'a b\u00a0c\u2009d\u3000e\u2800f', 'a b c d e f'],
    ['tags', 'a\u{e0061}\u{e0062}', 'a'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴'],
    ['stacked marks', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(8)}b`],
    ['directions', 'a\u202eb\u2066c\u200f', 'abc'],
  ])('%s', (_, text, expected) => {
    expect(withoutHidden(text)).toBe(expected)
  })

  test('what is cleaned once is clean', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '\u200d',
        '\u200c',
        '\ufe0f',
        '\u20e3',
        '1',
        '👩',
        '🏽',
        'क',
        'ب',
        'a',
        '\u0301',
        '\u200b',
        '\u{e0101}',
      ),
      fc.string({ unit: 'binary', maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const shown = withoutHidden(text)
        expect(never.test(shown)).toBe(false)
        expect(withoutHidden(shown)).toBe(shown)
      }),
    )
  })

  test('JSON that is printed is JSON, whatever stands in it', () => {
    const parsed = JSON.parse(
      visibleJsonText({ 'a\u2028b': ['c\u2029d\u0085\u007f', '\u001b[31me\r\n\ud800'] }, 2),
    )
    expect(parsed).toEqual({ 'a\nb': ['c\nd', 'e\r\n\ufffd'] })
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = visibleJsonText(value, 0)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))))
        expect(never.test(text) || /(?![\n\t\r])\p{Cc}/u.test(text)).toBe(false)
      }),
    )
  })

  test('no control reaches who is shown a value', () => {
    const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('a')
    expect(/(?![\n\t\r])\p{Cc}/u.test(visible(all))).toBe(false)
    expect(visible('a\r\n\tb')).toBe('a\r\n\tb')
  })

  test('names and values of JSON are cleaned at every depth', () => {
    expect(visibleJson({ 'a\u200b': ['b\ue000', { c: 'd\u{e0061}' }] })).toEqual({ a: ['b', { c: 'd' }] })
  })
})
