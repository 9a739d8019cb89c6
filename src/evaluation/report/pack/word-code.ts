/** Bytes below this end a word's number; the others go before. The best split for words of English, by trial. */
const enders = 200
const goers = 256 - enders

/** Longer runs of letters are cut: an endless one must not become a word of its own. */
const wordLetters = 24

/** Letters of scripts that put no spaces between words: each stands alone. */
const unspaced = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}'

const token = new RegExp(`(?:(?![${unspaced}])[\\p{L}\\p{N}]){1,${wordLetters}}|[^]`, 'gu')
const isWord = new RegExp(`^(?![${unspaced}])[\\p{L}\\p{N}]`, 'u')

/** Says that two words follow each other without a space. */
const seam = ''

/** Ends a text; the only token of its own number, 0. */
const end = '\u0000'

/** Texts as numbers of words, and the words. */
export type WordCode = {
  /** The words by number; the first is the end of a text. */
  readonly words: readonly string[]
  /** 1 for words that have a space between them when they follow each other, else 0. */
  readonly spaced: readonly number[]
  readonly codes: Uint8Array
}

/** A text's tokens: words, and single characters. A single space between two words is understood, and left out. */
function tokensOf(text: string): string[] {
  const found = text.match(token) ?? []
  const kept: string[] = []
  let wordBefore = false
  for (const [at, one] of found.entries()) {
    const word = isWord.test(one)
    if (word && wordBefore) kept.push(seam)
    const next = found[at + 1]
    if (one === ' ' && wordBefore && next !== undefined && isWord.test(next)) {
      wordBefore = false
      continue
    }
    kept.push(one)
    wordBefore = word
  }
  return kept
}

/** The bytes of a number: none or more that go before, then one that ends. */
function bytesOf(number: number): readonly number[] {
  const bytes = [number % enders]
  for (let rest = Math.floor(number / enders); rest > 0; rest = Math.floor(rest / goers)) {
    rest -= 1
    bytes.unshift(enders + (rest % goers))
  }
  return bytes
}

/**
 * Writes texts as numbers of words, the most common word the smallest. Deflated, this takes three quarters of what the
 * deflated letters take: a word is one or two bytes, so deflate sees further back.
 *
 * @param texts - well formed, without U+0000
 * @see Brisaboa, Fariña, Navarro & Paramá, "Lightweight natural language text compression", Information Retrieval 10,
 * 2007: (s,c)-dense codes
 */
export function wordCode(texts: readonly string[]): WordCode {
  // Words are numbered as they come, and numbered anew by how common they are: no second look at the texts.
  const words = [end]
  const counts = [Number.POSITIVE_INFINITY]
  const known = new Map([[end, 0]])
  const sequence: number[] = []
  for (const text of texts) {
    for (const word of tokensOf(text)) {
      const number = known.get(word) ?? words.length
      if (number === words.length) {
        known.set(word, number)
        words.push(word)
        counts.push(0)
      }
      counts[number]! += 1
      sequence.push(number)
    }
    sequence.push(0)
  }
  const common = [...words.keys()].sort((a, b) => counts[b]! - counts[a]! || a - b)
  const bytes: (readonly number[])[] = []
  for (const [place, number] of common.entries()) bytes[number] = bytesOf(place)
  const codes = new Uint8Array(sequence.reduce((length, number) => length + bytes[number]!.length, 0))
  let at = 0
  for (const number of sequence) for (const byte of bytes[number]!) codes[at++] = byte
  const ordered = common.map((number) => words[number]!)
  return { words: ordered, spaced: ordered.map((word) => (isWord.test(word) ? 1 : 0)), codes }
}
