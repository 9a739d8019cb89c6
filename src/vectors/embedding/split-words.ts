import { beginningOf } from '../../domain/text/cut.ts'
import { foldMarks, partedCase, spaceless } from '../../domain/text/word-rules.ts'

/** Changes whenever the words of some text change: a vocabulary learned under another version no longer fits. */
export const wordSplitVersion = 1

/** Longest word kept, in UTF-16 units; a longer run (hashes, base64) is cut. */
export const maxWordLength = 64
/** Digits kept of a run: a year is told apart, an account number or a timestamp is only "a long number". */
const maxDigits = 4

const lowerCaseOnly = /^[a-z]+$/
const asciiOnly = /^[\x00-\x7f]*$/
/** `URLs` is one word, not `UR` and `Ls`; otherwise capitals before a capitalised word stand apart: `HTTPServer`. */
const asciiWord = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|\$/g
const lastCapital = /\p{Lu}(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu
const signedLetter = /^[A-Za-z](?:\+\+|#)$/

/** Beside words: flags, emoji, currencies, arrows and other signs; not the lines that frame a table, nor fraction bars. */
const sign = String.raw`\p{RI}{2}|\p{Extended_Pictographic}|(?![\x00-\x7f\u2044\u2500-\u259f])[\p{Sc}\p{Sm}\p{So}]`
const mixedWord = new RegExp(
  String.raw`${spaceless}\p{M}*|(?:(?!${spaceless})[\p{L}\p{M}])+|\p{N}+|${sign}`,
  'gu',
)
const startsWithDigit = /^\p{N}/u

/** Cut to the longest form kept, never through a surrogate pair. */
function cut(word: string): string {
  if (word.length <= maxDigits) return word
  if (startsWithDigit.test(word)) return [...word].slice(0, maxDigits).join('')
  return word.length <= maxWordLength ? word : beginningOf(word, maxWordLength)
}

function wordsOfMixedChunk(chunk: string): string[] {
  const spaced = partedCase(foldMarks(chunk.toWellFormed()), lastCapital)
  return (spaced.toLowerCase().match(mixedWord) ?? []).map(cut)
}

/** The words of one chunk of {@link chunksOf}, in order; none when it holds only punctuation. */
export function wordsOfChunk(chunk: string): readonly string[] {
  if (chunk.length <= maxWordLength && lowerCaseOnly.test(chunk)) return [chunk]
  if (signedLetter.test(chunk)) return [chunk.toLowerCase()]
  if (!asciiOnly.test(chunk)) return wordsOfMixedChunk(chunk)
  return (chunk.match(asciiWord) ?? []).map((word) => cut(word.toLowerCase()))
}

/**
 * The joined form of a chunk of two or three words (`GitHub`: github, `S3`: s3, `k8s`: k8s), since people write such
 * names both ways; undefined where a chunk has another number of words or is written without spaces throughout.
 */
export function joinedForm(words: readonly string[]): string | undefined {
  if (words.length < 2 || words.length > 3) return undefined
  const joined = words.join('')
  return joined.length <= maxJoinedLength && joinable.test(joined) ? joined : undefined
}
const maxJoinedLength = 24
const joinable = new RegExp(String.raw`^(?:(?!${spaceless})[\p{L}\p{M}\p{N}])+$`, 'u')

/** Of characters up to U+007F: a lower-case letter, a capital, a digit, or none of a chunk's. */
const [lower, capital, digit, outside] = [1, 2, 3, 0]
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return lower
  if (/[A-Z]/.test(character)) return capital
  return /[0-9]/.test(character) ? digit : outside
})
const [plus, hash, dollar, underscore] = [0x2b, 0x23, 0x24, 0x5f]

/** Whether a chunk holds the character: a letter or digit, or any beyond ASCII. False beyond the text's end. */
const isOfChunk = (code: number): boolean => code >= 128 || (code >= 0 && kinds[code] !== outside)

/** Units of the sign behind a letter that stands alone, as in `C++`, `C#`; 0 when there is none. */
function signLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const length = code === hash ? 1 : code === plus && text.charCodeAt(at + 1) === plus ? 2 : 0
  const next = length === 0 ? 0 : text.charCodeAt(at + length)
  return isOfChunk(next) || next === underscore || next === plus || next === hash ? 0 : length
}

/**
 * Calls `visit` with the place of each chunk of a text in order, in UTF-16 units, until it returns false. A chunk is what
 * stands between spaces and ASCII punctuation: one word of prose, or an identifier of several ({@link wordsOfChunk}).
 * `C++`, `C#` and `F#` keep their signs, and the dollar of a price is a chunk, since these change what is meant.
 *
 * @param visit - told also whether the chunk is of the letters a to z alone: then it is one word
 */
export function eachChunk(
  text: string,
  visit: (from: number, to: number, isPlain: boolean) => boolean,
): void {
  for (let from = 0; from < text.length; ) {
    let to = from
    let isPlain = true
    let code = text.charCodeAt(to)
    for (; isOfChunk(code); code = text.charCodeAt(++to)) if (kinds[code] !== lower) isPlain = false
    if (to === from) {
      const isPrice = code === dollar && kinds[text.charCodeAt(from + 1)] === digit
      if (isPrice && !visit(from, from + 1, false)) return
      from++
      continue
    }
    const first = kinds[text.charCodeAt(from)]
    if (to === from + 1 && (first === lower || first === capital)) {
      const sign = signLength(text, to)
      if (sign > 0) isPlain = false
      to += sign
    }
    if (!visit(from, to, isPlain)) return
    from = to
  }
}

/**
 * The words of a text in order, repeats kept, before they are cut into pieces: lower case, accents folded, compatibility
 * forms unified (NFKC), identifiers split (`getUserById2`: get, user, by, id, 2). A run of letters is a word of at most
 * 64 units, a run of digits a word of at most 4; each character of Chinese, Japanese, Korean, Thai, Lao, Khmer and
 * Burmese, each emoji and each sign is a word; punctuation is left out.
 */
export function splitWords(text: string): string[] {
  const words: string[] = []
  eachChunk(text, (from, to) => {
    for (const word of wordsOfChunk(text.slice(from, to))) words.push(word)
    return true
  })
  return words
}
