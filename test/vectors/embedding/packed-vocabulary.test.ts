import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openVocabulary, packVocabulary } from '../../../src/vectors/embedding/packed-vocabulary.ts'
import { byteTokens } from '../../../src/vectors/embedding/segment-word.ts'
import { vocabularyOf } from '../../../src/vectors/embedding/vocabulary.ts'
import { anyText } from '../../retrieval/arbitrary-text.ts'

const token = fc.oneof(
  fc.stringMatching(/^(##)?[a-z]{1,20}$/),
  fc.constantFrom('天', '##да', '👍', '##𐌰', 'ﷺ'),
)
const vocabularies = fc
  .uniqueArray(token, { maxLength: 200 })
  .map((tokens) => vocabularyOf([...byteTokens, ...tokens]))
const sample = packVocabulary(vocabularyOf([...byteTokens, 'weather', '##s', '天', '👍']))

describe('packed vocabulary', () => {
  test('it comes back as it was', () => {
    fc.assert(
      fc.property(vocabularies, anyText, (vocabulary, text) => {
        const opened = openVocabulary(packVocabulary(vocabulary))
        expect(opened.size).toBe(vocabulary.size)
        expect(opened.tokens).toEqual(vocabulary.tokens)
        expect(opened.encode(text, 500)).toEqual(vocabulary.encode(text, 500))
      }),
    )
  })

  test('it opens from any place in a larger file', () => {
    const file = new Uint8Array(sample.length + 20)
    file.set(sample, 3)
    const opened = openVocabulary(file.subarray(3, 3 + sample.length))
    expect(opened.tokens.slice(256)).toEqual(['weather', '##s', '天', '👍'])
  })

  test('more tokens than two bytes count', () => {
    const many = vocabularyOf([...byteTokens, ...Array.from({ length: 70_000 }, (_, place) => `w${place}`)])
    const opened = openVocabulary(packVocabulary(many))
    expect(opened.tokens.at(-1)).toBe('w69999')
    expect(opened.size).toBe(70_256)
  })

  test('any damaged byte is an error that says what to do', () => {
    for (let place = 0; place < sample.length; place += 1) {
      const damaged = Uint8Array.from(sample)
      damaged[place] = damaged[place]! ^ 0x11
      expect(() => openVocabulary(damaged), `byte ${place}`).toThrow('audition train')
    }
  })

  test.each([
    { why: 'an empty file', bytes: new Uint8Array(0), message: 'These 0 bytes are no vocabulary' },
    { why: 'another file', bytes: Buffer.from('x'.repeat(100)), message: 'do not start with AUDVOCAB' },
    { why: 'a file cut short', bytes: sample.subarray(0, -5), message: /damaged: \d+ bytes where \d+ are/ },
    { why: 'a file with more after it', bytes: Buffer.concat([sample, sample]), message: 'are announced' },
    { why: 'changed text', bytes: Buffer.from(sample).fill('q', sample.length - 9), message: 'checksum' },
    { why: 'another layout', bytes: Buffer.from(sample).fill(9, 8, 9), message: 'reads layout 1' },
  ])('$why is refused', ({ bytes, message }) => {
    expect(() => openVocabulary(bytes)).toThrow(message)
  })

  test('a token of which the length has no room is refused', () => {
    expect(() => packVocabulary(vocabularyOf([...byteTokens, 'x'.repeat(256)]))).toThrow('more than 255')
  })
})
