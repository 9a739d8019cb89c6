import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteTokens } from '../../../src/vectors/embedding/segment-word.ts'
import { splitWords } from '../../../src/vectors/embedding/split-words.ts'
import { vocabularyOf } from '../../../src/vectors/embedding/vocabulary.ts'
import { anyText } from '../../retrieval/arbitrary-text.ts'

const tokens = [
  'get',
  'user',
  'hub',
  'git',
  'github',
  'api',
  'endpoint',
  's',
  '3',
  's3',
  'weather',
  'fold',
  'c++',
  '##s',
  '##ing',
  '##er',
  'fold',
  'un',
  '##un',
  '##fold',
  '天',
  '👍',
  'a',
  '##b',
  '##bb',
  '##a',
  'пого',
  '##да',
]
const vocabulary = vocabularyOf([...byteTokens, ...new Set(tokens)])
const read = (text: string, limit = 1000): string =>
  Array.from(vocabulary.encode(text, limit), (id) => vocabulary.tokens[id]).join(' ')

describe('encoding', () => {
  test.each([
    { why: 'a known word is one token', text: 'Weather', read: 'weather' },
    {
      why: 'another is cut into pieces',
      text: 'getting unfolding',
      read: 'get <0x74> ##ing un ##fold ##ing',
    },
    { why: 'the pieces of a word differ from words', text: 's users', read: 's user ##s' },
    { why: 'the fewest and likeliest pieces win', text: 'abbb', read: 'a ##b ##bb' },
    { why: 'words written together are found', text: 'apiendpoints', read: 'api endpoint ##s' },
    { why: 'not after too short a beginning', text: 'aapi', read: 'a ##a <0x70> <0x69>' },
    { why: 'a joined name follows its parts', text: 'GitHub S3', read: 'git hub github s 3 s3' },
    { why: 'an unknown joined name does not', text: 'getUser', read: 'get user' },
    { why: 'signs of languages stay', text: 'C++', read: 'c++' },
    { why: 'scripts without spaces go by character', text: '天气', read: '天 <0xe6> <0xb0> <0x94>' },
    { why: 'Cyrillic has pieces too', text: 'ПОГОДА', read: 'пого ##да' },
    { why: 'emoji are tokens', text: '👍🏽', read: '👍' },
    { why: 'bytes hold what has no piece', text: '🚀', read: '<0xf0> <0x9f> <0x9a> <0x80>' },
    { why: 'punctuation gives nothing', text: '…, -', read: '' },
  ])('$why: $text', ({ text, read: expected }) => {
    expect(read(text)).toBe(expected)
  })

  test('every word gives a token, and the same ones each time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ids = vocabulary.encode(text, 100_000)
        expect(ids.length).toBeGreaterThanOrEqual(splitWords(text).length)
        expect(vocabulary.encode(text, 100_000)).toEqual(ids)
        expect(vocabularyOf(vocabulary.tokens).encode(text, 100_000)).toEqual(ids)
        for (const id of ids) expect(id).toBeLessThan(vocabulary.size)
      }),
    )
  })

  test('pieces and bytes spell the word again', () => {
    const spelled = (ids: Uint32Array): string =>
      Buffer.concat(
        Array.from(ids, (id) =>
          id < 256 ? Buffer.from([id]) : Buffer.from(vocabulary.tokens[id]!.replace(/^##/, '')),
        ),
      ).toString()
    fc.assert(
      fc.property(fc.stringMatching(/^[a-cgt天👍пу]{1,30}$/u), (text) => {
        const words = splitWords(text).join('')
        expect(spelled(vocabulary.encode(text, 1000))).toBe(words)
      }),
    )
  })

  test('a limit keeps the first tokens', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, limit) => {
        const all = vocabulary.encode(text, 100_000)
        expect(vocabulary.encode(text, limit)).toEqual(all.slice(0, limit))
      }),
    )
  })

  test('a text longer than any before it is encoded whole', () => {
    expect(vocabulary.encode('weather '.repeat(5000), 100_000)).toHaveLength(5000)
  })

  test('what was returned is not written over by the next text', () => {
    const first = vocabulary.encode('weather', 10)
    vocabulary.encode('user', 10)
    expect(vocabulary.tokens[first[0]!]).toBe('weather')
  })
})

describe('a list that is no vocabulary', () => {
  test.each([
    { why: 'bytes are missing', tokens: ['get'], message: 'Token 0 is "get" and not the byte <0x00>.' },
    { why: 'it is empty', tokens: [], message: 'Token 0 is "" and not the byte <0x00>.' },
    { why: 'a token is empty', tokens: [...byteTokens, ''], message: 'Token 256 is empty.' },
    {
      why: 'a token stands twice',
      tokens: [...byteTokens, 'get', 'set', 'get'],
      message: 'Token 258 ("get") stands in the list twice.',
    },
  ])('$why', ({ tokens: list, message }) => {
    expect(() => vocabularyOf(list)).toThrow(message)
  })
})
