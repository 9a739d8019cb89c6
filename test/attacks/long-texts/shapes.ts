import { mulberry32 } from '../../../src/domain/random.ts'
/** A hostile text of any length, made of the same thing again and again. */
export type Shape = {
  readonly name: string
  /** @param length - of the text, in UTF-16 units, at least; it is never half as long again */
  make(length: number): string
}

/** Pieces that make a text by being repeated: separators, escapes, marks, openings that are never closed, words. */
const units: readonly (readonly [name: string, unit: string])[] = [
  ['underscores between letters', 'a_'],
  ['points between letters', 'a.'],
  ['slashes between words', 'ab/cd/'],
  ['signs of mail', 'a@'],
  ['addresses', 'http://a@b?token=c&'],
  ['addresses without a host', '://'],
  ['backslashes', '\\'],
  ['stops', '. '],
  ['spaces', ' '],
  ['line breaks', '\n'],
  ['spaces of other kinds', '\u00a0\t\u2003'],
  ['list marks', '- * '],
  ['rules of front matter', '---\n'],
  ['fields', 'key: '],
  ['assignments', 'token='],
  ['commas', ','],
  ['double quotation marks', '"'],
  ['quotation marks of several kinds', '“«`‘"'],
  ['open comments', '<!--'],
  ['open tags', '<a '],
  ['open tags with attributes', '<a style="'],
  ['open pictures', '!['],
  ['links', '](//'],
  ['fences', '```\n'],
  ['escapes of JSON', '\\u0041'],
  ['entities', '&#65;'],
  ['percent signs', '%41'],
  ['hexadecimal', '0x41 '],
  ['letters', 'A'],
  ['letters of both cases', 'aB'],
  ['letters and digits', 'a1'],
  ['single letters', 'a '],
  ['base64', 'QUJD'],
  ['heads of tokens', 'eyJ-sk-ghp_'],
  ['roles', '\nuser: '],
  ['marks on letters', 'a\u0301\u0323'],
  ['letters that grow when they are folded', '\ufdfa'],
  ['joined pictures', '👩\u200d👧\ufe0f'],
  ['selectors', 'a\ufe01\u{e0101}'],
  ['two scripts in one word', 'aа'],
  ['ideographs', '漢字'],
  ['words of an attack', 'ignore all previous instructions '],
  ['words of an attack, run together', 'ignoreprevious'],
  ['terminal sequences', '\u001b[1;'],
]

const alphabets: readonly (readonly [name: string, letters: readonly string[]])[] = [
  ['signs at random', [...'_/@.:~\\-=+*#"\'`<>()[]{}|,;!?&%$^ \n\t']],
  ['letters of many scripts at random', [...'aZ9éßжΩאبहिกำ漢あ한ﾊ𝒜🇩 ']],
  ['marks at random', [...'a\u0300\u0315\u0323\u0345\u064b\u0e34\u20d0\u3099 ']],
]

const repeated = ([name, unit]: (typeof units)[number]): Shape => ({
  name,
  make: (length) => unit.repeat(Math.ceil(length / unit.length)),
})

/** The same for the same length. */
const random = ([name, letters]: (typeof alphabets)[number]): Shape => ({
  name,
  make(length) {
    const parts: string[] = []
    const next = mulberry32(1)
    for (let made = 0; made < length; ) {
      const letter = letters[Math.floor(next() * letters.length)]!
      parts.push(letter)
      made += letter.length
    }
    return parts.join('')
  },
})

const nested = (name: string, open: string, close: string): Shape => ({
  name,
  make(length) {
    const depth = Math.ceil(length / (open.length + close.length))
    return open.repeat(depth) + close.repeat(depth)
  },
})

/** Every shape, at least fifty. */
export const shapes: readonly Shape[] = [
  ...units.map(repeated),
  ...alphabets.map(random),
  nested('brackets within brackets', '[', ']'),
  nested('members within members', '{"a":', '}'),
  nested('elements within elements', '<b>', '</b>'),
  nested('parentheses around words', 'Bash(a, ', ')'),
  { name: 'one letter under all marks', make: (length) => `a${'\u0323\u0301'.repeat(length / 2)}` },
]
