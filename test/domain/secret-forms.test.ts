import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskTokens, maskValues } from '../../src/domain/text/secrets.ts'

const secret = 'Qz7-harbour/moon_42'
const bytes = Buffer.from(secret, 'utf8')
const made = (prefix: string, length = 36) => prefix + 'a1B2c3D4e5F6g7H8i9J0'.repeat(4).slice(0, length)

const twice = (once: string, encoding: BufferEncoding): string => Buffer.from(once).toString(encoding)

const moved = (text: string, place: (code: number) => number): string =>
  [...text].map((letter) => String.fromCodePoint(place(letter.charCodeAt(0)))).join('')
const wide = (text: string): string => moved(text, (code) => code + 0xfee0)
const bold = (text: string): string =>
  text
    .replace(/[A-Z]/g, (letter) => moved(letter, (code) => code - 65 + 0x1d400))
    .replace(/[a-z]/g, (letter) => moved(letter, (code) => code - 97 + 0x1d41a))

/** Ways in which a child may print what it was given. */
const forms: readonly (readonly [how: string, form: string])[] = [
  ['as it is', secret],
  ['base64', bytes.toString('base64')],
  ['base64url', bytes.toString('base64url')],
  ['base64 within a longer text', Buffer.from(`user:${secret}@host`).toString('base64')],
  ['base64 over lines', bytes.toString('base64').replace(/(.{8})/g, '$1\n')],
  ['hexadecimal', bytes.toString('hex')],
  [
    'hexadecimal in capitals with colons',
    bytes
      .toString('hex')
      .toUpperCase()
      .replace(/(..)(?=.)/g, '$1:'),
  ],
  ['bytes', [...bytes].map((byte) => `\\x${byte.toString(16)}`).join('')],
  ['codes of addresses', [...bytes].map((byte) => `%${byte.toString(16)}`).join('')],
  ['an address', encodeURIComponent(secret)],
  ['codes of HTML', [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
  ['reversed', [...secret].reverse().join('')],
  ['base64, reversed', [...bytes.toString('base64')].reverse().join('')],
  ['hexadecimal, reversed', [...bytes.toString('hex')].reverse().join('')],
  ['wide letters', wide(secret)],
  ['bold letters', bold(secret)],
  ['reversed in base64', Buffer.from([...secret].reverse().join('')).toString('base64')],
  ['base64 of base64', twice(bytes.toString('base64'), 'base64')],
  ['base64 of base64 within a longer text', twice(Buffer.from(`k=${secret};`).toString('base64'), 'base64')],
  ['base64 of base64url', twice(bytes.toString('base64url'), 'base64')],
  ['base64 of hexadecimal', twice(bytes.toString('hex'), 'base64')],
  ['base64url of hexadecimal in capitals', twice(bytes.toString('hex').toUpperCase(), 'base64url')],
  ['hexadecimal of base64', twice(bytes.toString('base64'), 'hex')],
  ['hexadecimal of hexadecimal', twice(bytes.toString('hex'), 'hex')],
  ['base64 in an address', encodeURIComponent(bytes.toString('base64')).replaceAll('%3D', '')],
  ['an address in an address', encodeURIComponent(encodeURIComponent(encodeURIComponent(secret)))],
  ['codes of addresses, coded again', [...bytes].map((byte) => `%25${byte.toString(16)}`).join('')],
  ['capitals', secret.toUpperCase()],
  ['letter by letter', [...secret].join(' ')],
]

describe('a known value', () => {
  test.each(forms)('is found: %s', (_, form) => {
    const masked = maskValues(`The value is (${form}), they say.`, [secret])
    expect(masked).toContain('***')
    expect(masked).not.toContain(form)
    expect(masked.replace(/\*+/g, '')).toMatch(/^The value is \(.{0,2}\), they say\.$/s)
  })

  test('of few letters is looked for as it is only, so that words of every day stay', () => {
    expect(maskValues('elbat eht no gnihton, table, dGFibGU=', ['table'])).toBe(
      'elbat eht no gnihton, ***, dGFibGU=',
    )
  })

  test('leaves a text alone that does not hold it', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), (text) => {
        expect(maskValues(text, [secret])).toBe(text)
      }),
    )
  })

  test('never comes through encoded, whatever stands around it', () => {
    const values = fc.stringMatching(/^[A-Za-z0-9]{12,30}$/)
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        values,
        fc.string({ maxLength: 20 }),
        (before, value, after) => {
          const text = Buffer.from(before + value + after).toString('base64')
          const shown = Buffer.from(maskValues(text, [value]).replaceAll('*', ''), 'base64').toString('utf8')
          expect(shown).not.toContain(value)
          const hex = Buffer.from(before + value + after).toString('hex')
          expect(maskValues(hex, [value])).not.toContain(Buffer.from(value).toString('hex'))
        },
      ),
    )
  })
})

test.each([
  ['letters that are two in lower case', 'İ'.repeat(500)],
  ['pairs of surrogates', '𝒜🙂'.repeat(200)],
  ['half a pair', '\ud835'.repeat(9)],
  ['letters in capitals', 'ÄÖ'.repeat(99)],
  ['codes beyond all characters', '&#9999999;%41'],
])('a value is found behind %s, and only it is masked', (_, before) => {
  const encoded = Buffer.from(secret).toString('hex').toUpperCase()
  expect(maskValues(`${before} ${encoded} end`, [secret])).toBe(`${before} *** end`)
})

describe('tokens that show what they are', () => {
  test.each([
    ['an Anthropic key', made('sk-ant-api03-', 60)],
    ['an AWS key', 'AKIAABCDEFGHIJKLMNOP'],
    ['a GitHub token', made('ghp_')],
    ['a Slack token', made('xoxb-', 40)],
    ['a JSON Web Token', `${made('eyJ', 20)}.${made('eyJ', 30)}.${made('', 20)}`],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n-----END OPENSSH PRIVATE KEY-----'],
    ['a key block of PGP', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ\n-----END PGP PRIVATE KEY BLOCK-----'],
  ])('%s is masked, and nothing beside it', (_, token) => {
    expect(maskTokens(`password=hunter2: ${token} end`)).toBe('password=hunter2: *** end')
  })
})
