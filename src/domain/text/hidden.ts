/**
 * What shows nothing and is read all the same: default-ignorable characters (selectors, tags, fillers, zero-width signs), controls of
 * direction and other format characters, private use, code points that are no characters or none yet, and the blanks of Egyptian, Khitan and
 * musical writing. Signs of numbers in Arabic and Kaithi are format characters that show; pictures may be newer than this Node.
 */
const hidden =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\u{13441}\u{13442}\u{16fe4}\u{1d159}]|(?!\p{Extended_Pictographic})\p{Cn}/gu
/** Spaces that differ from the plain one for programs only, and the blank of braille. */
const otherSpaces = /(?! )[\p{Zs}\u2800]/gu
const otherBreaks = /[\p{Zl}\p{Zp}]/gu

/**
 * Marks on one letter that are kept. Vietnamese and Thai need two, pointed Hebrew and Arabic four, Burmese six (က with ျ ှ ေ ာ ့ ်), Tibetan
 * seven in Sanskrit; more are drawn over the lines around.
 */
const mostMarks = 8
const stacked = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu')

const plain = /^[\u0000-\u007e]*$/
const joiner = '\u200d'
const nonJoiner = '\u200c'
const picture = /^\p{Extended_Pictographic}$/u
const pictureOrTone = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u
/** Letters and marks of scripts whose letters join or stack, so that joiners change how a word is read. */
const joining =
  /^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]$/u

/**
 * The text without what nobody sees and models read. Joiners stay where a script or an emoji needs one, selectors after the emoji that
 * they choose the look of; every space is the plain one, lone surrogates are U+FFFD, and no letter has more than eight marks.
 * Control characters are left alone: see `printable.ts`.
 */
export function withoutHidden(text: string): string {
  if (plain.test(text)) return text
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(hidden, (character, at: number, whole: string) =>
      isNeeded(character, at, whole) ? character : '',
    )
    .replace(otherSpaces, ' ')
    .replace(otherBreaks, '\n')
    .replace(stacked, '$1')
}

/** Characters of a text that {@link withoutHidden} leaves out, in their order; stacked marks are not among them. */
export function* hiddenIn(text: string): Generator<{ readonly character: string; readonly at: number }> {
  for (const { 0: character, index: at } of text.matchAll(hidden))
    if (!isNeeded(character, at, text)) yield { character, at }
}

function isNeeded(character: string, at: number, text: string): boolean {
  if (character === '\ufe0e' || character === '\ufe0f')
    return picture.test(before(text, at)) || (/[\d#*]/.test(before(text, at)) && text[at + 1] === '\u20e3')
  if (character !== joiner && character !== nonJoiner) return false
  const next = after(text, at + 1)
  if (
    joining.test(before(text, at)) &&
    (character === joiner ? !/[\u200c\u200d]/.test(next) : joining.test(next))
  )
    return true
  if (character === nonJoiner || !picture.test(next)) return false
  return pictureOrTone.test(before(text, text[at - 1] === '\ufe0f' ? at - 1 : at))
}

/** The character that ends at a place; empty at the start. */
function before(text: string, at: number): string {
  const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? '') && /[\ud800-\udbff]/.test(text[at - 2] ?? '')
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at)
}

const after = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}
