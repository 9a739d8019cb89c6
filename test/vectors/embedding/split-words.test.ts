import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  eachChunk,
  joinedForm,
  splitWords,
  wordsOfChunk,
} from '../../../src/vectors/embedding/split-words.ts'
import { anyText } from '../../retrieval/arbitrary-text.ts'

describe('words of a text', () => {
  test.each([
    {
      why: 'prose is lower-cased, punctuation dropped',
      text: 'Book a Flight, please!',
      words: 'book a flight please',
    },
    { why: 'camel case is split', text: 'getUserById', words: 'get user by id' },
    { why: 'snake and kebab case are split', text: 'list_open-files', words: 'list open files' },
    {
      why: 'capitals before a capitalised word stand apart',
      text: 'parseHTTPServer',
      words: 'parse http server',
    },
    { why: 'a plural of capitals is one word', text: 'URLs getAPIsFor', words: 'urls get apis for' },
    { why: 'digits are words', text: 'mp3Player v2', words: 'mp 3 player v 2' },
    { why: 'a year is kept, a long number is cut', text: '2024 1234567', words: '2024 1234' },
    { why: 'languages keep their signs', text: 'C++, C# and F#.', words: 'c++ c# and f#' },
    { why: 'a heading is no language', text: '# A## b+c', words: 'a b c' },
    { why: 'a price keeps its currency', text: '$20 or €20, not $x', words: '$ 20 or € 20 not x' },
    { why: 'accents are folded', text: 'Café Ångström naïve', words: 'cafe angstrom naive' },
    { why: 'compatibility forms are unified', text: 'ﬁle Ｗｉｄｅ', words: 'file wide' },
    { why: 'Cyrillic words stay words', text: 'Прогноз погоды', words: 'прогноз погоды' },
    { why: 'Cyrillic identifiers are split', text: 'прогнозПогоды7', words: 'прогноз погоды 7' },
    { why: 'Arabic loses its vowel signs', text: 'الطَّقْسُ', words: 'الطقس' },
    { why: 'Devanagari keeps its vowels', text: 'मौसम', words: 'मौसम' },
    { why: 'Chinese is read by character', text: '天气API', words: '天 气 api' },
    { why: 'Japanese and Korean too', text: 'データ 날씨', words: 'デ ー タ 날 씨' },
    { why: 'Thai characters keep their marks', text: 'ที่', words: 'ที่' },
    { why: 'emoji are words, skin tone and joiner dropped', text: 'ok👍🏽👩‍💻', words: 'ok 👍 👩 💻' },
    { why: 'a flag is one word', text: '🇫🇷🇩🇪', words: '🇫🇷 🇩🇪' },
    { why: 'signs are words, frames of tables are not', text: 'a→b ├──', words: 'a → b' },
    { why: 'there may be no words', text: '... -- ', words: '' },
  ])('$why: $text', ({ text, words }) => {
    expect(splitWords(text).join(' ')).toBe(words.normalize('NFC'))
  })

  test('a long run of letters is cut', () => {
    expect(splitWords('x'.repeat(1000))).toEqual(['x'.repeat(64)])
    expect(splitWords('𐌰'.repeat(1000))).toEqual(['𐌰'.repeat(32)])
    expect(splitWords(`a${'𐌰'.repeat(1000)}`)).toEqual([`a${'𐌰'.repeat(31)}`])
  })

  test('marks without end take no endless time', () => {
    expect(splitWords(`a${'\u0323\u0301'.repeat(100_000)}`)).toEqual(['a'])
  })

  test('no word is empty, holds a space or can be taken for a piece or a byte', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of splitWords(text)) {
          expect(word).not.toBe('')
          expect(word.isWellFormed()).toBe(true)
          expect(word).not.toMatch(/^##|[\s<]/)
        }
      }),
    )
  })

  test('text of ASCII reads the same beside a letter with an accent', () => {
    const identifier = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/)
    fc.assert(
      fc.property(identifier, (name) => {
        // The Chinese character sends the chunk through the rules of all scripts.
        expect(wordsOfChunk(`${name}中`).slice(0, -1)).toEqual(wordsOfChunk(name))
      }),
    )
  })

  test('a chunk is visited until the visitor has enough', () => {
    const seen: string[] = []
    const text = 'one two three'
    eachChunk(text, (from, to) => seen.push(text.slice(from, to)) < 2)
    expect(seen).toEqual(['one', 'two'])
  })

  /** Text between spaces and ASCII punctuation; a letter alone keeps `++` or `#`; the dollar of a price stands alone. */
  const chunkPattern =
    /[A-Za-z0-9\u0080-\uffff]+(?:(?<=(?<![A-Za-z0-9\u0080-\uffff])[A-Za-z])(?:\+\+|#)(?![\w+#\u0080-\uffff]))?|\$(?=\d)/g

  test('chunks are what the pattern finds, and the plain ones are of the letters a to z', () => {
    const piece = fc.constantFrom(
      'c',
      'C',
      'F',
      'ab',
      'Zed',
      '7',
      '+',
      '++',
      '#',
      '$',
      '_',
      ' ',
      '.',
      '-',
      'é',
      '中',
      '\ud83d',
      '\n',
      'x1',
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, (whole) => {
        const chunks: { chunk: string; isPlain: boolean }[] = []
        eachChunk(whole, (from, to, isPlain) => chunks.push({ chunk: whole.slice(from, to), isPlain }) > 0)
        expect(chunks).toEqual(
          (whole.match(chunkPattern) ?? []).map((chunk) => ({ chunk, isPlain: /^[a-z]+$/.test(chunk) })),
        )
      }),
      { numRuns: 1000 },
    )
  })
})

test.each([
  { words: ['git', 'hub'], joined: 'github' },
  { words: ['k', '8', 's'], joined: 'k8s' },
  { words: ['one'], joined: undefined },
  { words: ['get', 'user', 'by', 'id'], joined: undefined },
  { words: ['天', '气'], joined: undefined },
  { words: ['ok', '👍'], joined: undefined },
])('$words joined is $joined', ({ words, joined }) => {
  expect(joinedForm(words)).toBe(joined)
})
