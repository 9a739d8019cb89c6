import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumOf, parseSealed, sealed, unsealed } from '../../src/domain/text/sealed-json.ts'

test('what was sealed is read as it was, by us and by any reader of JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const json = JSON.stringify(value)
      expect(unsealed(sealed(json))).toEqual({ kind: 'whole', json })
      expect(parseSealed(sealed(json))).toEqual(JSON.parse(json))
      if (!('sum' in value)) expect(JSON.parse(sealed(json))).toMatchObject(JSON.parse(json) as object)
    }),
  )
})

test('a character that is another one shows, wherever it stands', () => {
  const text = sealed(JSON.stringify({ id: 'a', card: 'mail/send', grade: 5, words: ['é', '日本', '😀'] }))
  for (let at = 0; at < text.length; at += 1)
    for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
      const other = String.fromCharCode(text.charCodeAt(at) ^ bit)
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      expect(unsealed(changed), changed).toEqual({ kind: 'changed' })
    }
})

test('so does a text that was cut off, zeroed or lengthened', () => {
  const text = sealed(JSON.stringify({ id: 'a', list: [1, 2, 3] }))
  for (let at = 26; at < text.length; at += 1) {
    expect(() => parseSealed(text.slice(0, at))).toThrow()
    expect(() => parseSealed(text.slice(0, at).padEnd(text.length, '\0'))).toThrow()
  }
  expect(() => parseSealed(`${text}}`)).toThrow()
})

test('what was never sealed is taken as it is', () => {
  for (const json of ['{"id":"00000000-0000-4000-8000-000000000001"}', '{}', '[1]', '{\n "outcome": {}}'])
    expect(unsealed(json)).toEqual({ kind: 'unsealed', json })
})

test('two changes that undo each other in simpler sums do not', () => {
  const sum = checksumOf('abcdefgh')
  for (const other of ['bacdefgh', 'abcdefhg', 'badcfehg', '\u8061b\u8063defgh', 'abcdefg', 'abcdefgh\0'])
    expect(checksumOf(other)).not.toBe(sum)
})
