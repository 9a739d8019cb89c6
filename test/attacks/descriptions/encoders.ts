import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'

/** Ways to write a text in code or in characters that do not show; the corpus names them, as in `{{base64:text}}`. */
export const encoders: { readonly [name: string]: (text: string) => string } = {
  base64: (text) => Buffer.from(text).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  percent: (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  entities: (text) => [...text].map((character) => `&#${character.codePointAt(0)};`).join(''),
  unicode: (text) =>
    [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  binary: (text) => [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join(' '),
  decimal: (text) => [...Buffer.from(text)].join(' '),
  octal: (text) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  reverse: (text) => [...text].reverse().join(''),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= 'Z' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
    }),
  base32: (text) => base32(Buffer.from(text)),
  morse: (text) =>
    [...text.toLowerCase()]
      .map((letter) => (letter === ' ' ? '/' : (morse[letter.charCodeAt(0) - 97] ?? '')))
      .join(' '),
  tags: (text) =>
    [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join(''),
  selectors: (text) =>
    [...Buffer.from(text)]
      .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
      .join(''),
  zerowidth: (text) =>
    [...Buffer.from(text)]
      .map((byte) => byte.toString(2).padStart(8, '0').replaceAll('0', '\u200b').replaceAll('1', '\u200c'))
      .join(''),
  /** A key with the shape of a service's, made of random letters that open nothing. */
  key: (service) => keys[service]!(),
}

const morse =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  )

function base32(bytes: Uint8Array): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

const random = seededRandom(7)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const any = (length: number, alphabet = letters): string =>
  Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('')

const keys: { readonly [service: string]: () => string } = {
  github: () => `${'gh'}p_${any(36)}`,
  gitlab: () => `${'gl'}pat-${any(20)}`,
  aws: () => `${'AK'}IA${any(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  openai: () => `${'s'}k-proj-${any(48)}`,
  anthropic: () => `${'s'}k-ant-api03-${any(60)}`,
  slack: () => `${'xo'}xb-${any(12, '0123456789')}-${any(12, '0123456789')}-${any(24)}`,
  stripe: () => `${'s'}k_live_${any(32)}`,
  google: () => `${'AI'}za${any(35)}`,
  huggingface: () => `${'h'}f_${any(34, letters.slice(0, 52))}`,
  telegram: () => `${any(9, '123456789')}:${'A'}A${any(33)}`,
  npm: () => `${'np'}m_${any(36)}`,
  sendgrid: () => `${'S'}G.${any(22)}.${any(43)}`,
  pem: () =>
    `-----BEGIN ${'RSA'} PRIVATE KEY-----\n${any(64)}\n${any(64)}\n-----END ${'RSA'} PRIVATE KEY-----`,
}
