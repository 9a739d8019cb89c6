/** Small letters and signs as they look upside down, by what they stand for. */
const turned: { readonly [plain: string]: string } = {
  a: 'ɐ∀',
  b: 'q',
  c: 'ɔƆ',
  d: 'pᗡ',
  e: 'ǝƎ',
  f: 'ɟℲ',
  g: 'ƃᵷɓ⅁',
  h: 'ɥ',
  i: 'ᴉıᵢ!',
  j: 'ɾſ',
  k: 'ʞ⋊',
  l: 'lן˥',
  m: 'ɯƜ',
  n: 'u',
  o: 'o',
  p: 'dԀ',
  q: 'bᕹ',
  r: 'ɹᴚ',
  s: 's',
  t: 'ʇ┴⊥',
  u: 'n∩',
  v: 'ʌΛ',
  w: 'ʍ',
  x: 'x',
  y: 'ʎ⅄',
  z: 'z',
  '.': '˙',
  ',': "'‘",
  "'": ',',
  '?': '¿',
  '!': '¡',
  _: '‾',
  '(': ')',
  ')': '(',
}
const plainOf = new Map(
  Object.entries(turned).flatMap(([plain, signs]) => [...signs].map((sign) => [sign, plain] as const)),
)

/** Letters that stand in no upright text of prose. */
const telling = /[ɐɔǝɟƃᵷɥᴉɾʞɯɹʇʌʍʎ]/u

/** A text that is written upside down, as it reads when turned round: letters by letters from the end. */
export function turnedBack(text: string): string {
  return [...text]
    .reverse()
    .map((sign) => plainOf.get(sign) ?? plainOf.get(sign.toLowerCase()) ?? sign)
    .join('')
}

/** Stretches of words that are upside down: at least three that tell so, and half of all. The work is linear. */
export function* turnedStretches(text: string): Generator<{ readonly start: number; readonly end: number }> {
  let start = -1
  let end = -1
  let turned = 0
  let words = 0
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const tells = telling.test(word)
    if (!tells && ![...word].every((sign) => plainOf.has(sign))) {
      if (isStretch(turned, words)) yield { start, end }
      start = -1
      turned = 0
      words = 0
      continue
    }
    if (start < 0) start = index
    end = index + word.length
    words += 1
    if (tells) turned += 1
  }
  if (isStretch(turned, words)) yield { start, end }
}

const isStretch = (turned: number, words: number): boolean => turned >= 3 && 2 * turned >= words

const brailleLetters = 'a1b\'k2l`cif/msp"e3h9o6r~djg>ntq,*5<-u8v.%[$+x!&;:4\\0z7(_?w]#y)='

/** Braille as letters: uncontracted, dots of the eight-dot form left out; signs that are no letter become spaces. */
export const ofBraille = (text: string): string =>
  [...text]
    .map((sign) => {
      const dots = sign.codePointAt(0)! - 0x2800
      if (dots < 0 || dots > 0xff) return sign
      const letter = brailleLetters[(dots & 0x3f) - 1] ?? ' '
      return /[a-z]/.test(letter) ? letter : ' '
    })
    .join('')
