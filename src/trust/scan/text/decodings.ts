import { ofBraille, turnedBack, turnedStretches } from './turned-letters.ts'

/** A stretch of a text that is some other text in code. */
type Decoded = {
  readonly how: string
  /** What it says. */
  readonly text: string
  /** Where the code stands, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** Stretches looked at of one text, and units of each: enough for any payload, and a bound on the work. */
const mostStretches = 200
const longestStretch = 20_000

/** Every stretch of a text that decodes to readable text. */
export function decodings(text: string): readonly Decoded[] {
  return [...upsideDown(text), ...encoded(text)]
}

function upsideDown(text: string): readonly Decoded[] {
  const found: Decoded[] = []
  for (const { start, end } of turnedStretches(text)) {
    if (found.length >= mostStretches) break
    const plain = turnedBack(text.slice(start, Math.min(end, start + longestStretch)))
    found.push({ how: 'upside-down text', text: plain, start, end })
  }
  return found
}

function encoded(text: string): readonly Decoded[] {
  return codes.flatMap(({ how, hint, pattern, decode }) => {
    if (!hint.test(text)) return []
    const found: Decoded[] = []
    for (const { 0: stretch, index } of text.matchAll(pattern)) {
      if (found.length >= mostStretches) break
      const plain = decode(stretch.slice(0, longestStretch))
      if (plain !== undefined && isReadable(plain))
        found.push({ how, text: plain, start: index, end: index + stretch.length })
    }
    return found
  })
}

type Code = {
  readonly how: string
  /** Cheap to ask: whether the pattern can occur at all. */
  readonly hint: RegExp
  readonly pattern: RegExp
  decode(stretch: string): string | undefined
}

/** Undefined where a byte is no part of a text: most runs of letters are no code, so this comes first. */
function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.some((byte) => byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return text.includes('\ufffd') ? undefined : text
}

/** Mostly letters and spaces, and no control characters: prose or commands rather than chance. */
function isReadable(text: string): boolean {
  if (text.length < 8) return false
  const control = text.replace(/[^\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/g, '').length
  const words = text.replace(/[^\p{L}\s]/gu, '').length
  return control === 0 && words / text.length > 0.6
}

const base64 = (stretch: string): string | undefined =>
  textOfBytes(Buffer.from(stretch.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/'), 'base64'))

const ofCodes = (numbers: readonly number[]): string | undefined =>
  numbers.every((code) => code < 0x110000 && (code >= 32 || code === 10))
    ? String.fromCodePoint(...numbers)
    : undefined

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function base32(stretch: string): string | undefined {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of stretch.replace(/=+/, '')) {
    held = ((held << 5) | base32Letters.indexOf(letter)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 0xff)
    }
  }
  return textOfBytes(Uint8Array.from(bytes))
}

const morse: ReadonlyMap<string, string> = new Map(
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
    .split(' ')
    .map((signs, index) => [signs, String.fromCharCode(97 + index)]),
)

const codes: readonly Code[] = [
  {
    how: 'Braille',
    hint: /[\u2801-\u28ff]{3}/,
    pattern: /[\u2801-\u28ff][\u2800-\u28ff ]{10,}/g,
    decode: ofBraille,
  },
  {
    how: 'base64',
    hint: /[A-Za-z\d+/_-]{20}/,
    pattern: /(?:[A-Za-z\d+/_-]{60,80}\r?\n){0,300}[A-Za-z\d+/_-]{20,}={0,2}/g,
    decode: base64,
  },
  { how: 'base32', hint: /[A-Z2-7]{32}/, pattern: /[A-Z2-7]{32,}=*/g, decode: base32 },
  {
    how: 'hexadecimal',
    hint: /[\dA-Fa-f]{2}[\s:,]{0,2}(?:0x|\\x)?[\dA-Fa-f]{2}[\s:,]{0,2}(?:0x|\\x)?[\dA-Fa-f]{2}/,
    pattern: /(?:(?:0x|\\x)?[\dA-Fa-f]{2}[\s:,]{0,2}){12,}/g,
    decode: (stretch) =>
      textOfBytes(
        Uint8Array.from(
          (stretch.replace(/0x|\\x/g, '').match(/[\dA-Fa-f]{2}/g) ?? []).map((pair) =>
            Number.parseInt(pair, 16),
          ),
        ),
      ),
  },
  {
    how: 'percent signs',
    hint: /%[\dA-Fa-f]{2}/,
    pattern: /(?:[\w.~!*'(),-]{0,60}%[\dA-Fa-f]{2}){3,}[\w.~!*'(),-]{0,60}/g,
    decode: (stretch) =>
      textOfBytes(
        Buffer.from(
          stretch.replace(/%([\dA-Fa-f]{2})/g, (_, pair: string) =>
            String.fromCharCode(Number.parseInt(pair, 16)),
          ),
          'latin1',
        ),
      ),
  },
  {
    how: 'character escapes',
    hint: /\\u[\dA-Fa-f]{4}|\\u\{|&#|\\x[\dA-Fa-f]{2}|U\+[\dA-F]{4}|\\[0-7]{3}/,
    pattern:
      /(?:[\w .,!'-]{0,40}(?:\\u[\dA-Fa-f]{4}|\\u\{[\dA-Fa-f]{1,6}\}|&#\d{2,7};?|&#x[\dA-Fa-f]{1,6};?|\\x[\dA-Fa-f]{2}|U\+[\dA-F]{4,6}[ ,]?|\\[0-7]{3})){4,}[\w .,!'-]{0,40}/g,
    decode: (stretch) =>
      stretch.replace(
        /\\u\{?([\dA-Fa-f]{1,6})\}?|&#(\d{2,7});?|&#x([\dA-Fa-f]{1,6});?|\\x([\dA-Fa-f]{2})|U\+([\dA-F]{4,6})[ ,]?|\\([0-7]{3})/g,
        (_, ...groups: (string | undefined)[]) => {
          const [unicode, decimal, hexadecimal, byte, point, octal] = groups
          const hex = unicode ?? hexadecimal ?? byte ?? point
          const code =
            hex !== undefined
              ? Number.parseInt(hex, 16)
              : decimal !== undefined
                ? Number(decimal)
                : Number.parseInt(octal ?? '', 8)
          return code < 0x110000 ? String.fromCodePoint(code) : ''
        },
      ),
  },
  {
    how: 'binary digits',
    hint: /[01]{8}\s?[01]{8}/,
    pattern: /(?:[01]{8}[\s,]{0,2}){8,}/g,
    decode: (stretch) =>
      textOfBytes(Uint8Array.from((stretch.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))),
  },
  {
    how: 'character numbers',
    hint: /\d{2,3}[ ,;]{1,2}\d{2,3}[ ,;]{1,2}\d{2,3}[ ,;]/,
    pattern: /(?:\b\d{2,3}[ ,;]{1,2}){11,}\d{2,3}\b/g,
    decode: (stretch) => ofCodes((stretch.match(/\d+/g) ?? []).map(Number)),
  },
  {
    how: 'Morse code',
    hint: /[.-]{1,4} [.-]{1,4} [.-]{1,4} /,
    pattern: /(?:[.-]{1,4}[ /|]{1,3}){12,}[.-]{1,4}/g,
    decode: (stretch) =>
      stretch
        .split(/ ?[/|] ?| {2,}/)
        .map((word) =>
          word
            .split(' ')
            .map((signs) => morse.get(signs) ?? '')
            .join(''),
        )
        .join(' '),
  },
]
